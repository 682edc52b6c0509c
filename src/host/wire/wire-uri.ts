// Addresses of the files of a run. Their names are for people; a run is found by its id.
import * as vscode from 'vscode';
import type { StoredRun } from '../../session';
import { RUN_SCHEME } from '../contributions';

export type NamedRun = Pick<StoredRun, 'runId' | 'model' | 'at'>;

/** Maximum length of the model in the name of a document, in characters. */
const MODEL_LENGTH = 60;

/** The session id is in the query, so that an open file is found again after a reload. */
export const toWireUri = (sessionId: string, runId: string, path: string): vscode.Uri =>
  vscode.Uri.from({ scheme: RUN_SCHEME, path: `/${runId}/${path}`, query: sessionId });

/**
 * Address of the document with everything that is stored of a run. It is named after the model and the time, because the
 * tabs of several runs would otherwise differ only in a part of an id.
 */
export const toRunDocumentUri = (sessionId: string, { runId, model, at }: NamedRun): vscode.Uri =>
  toWireUri(sessionId, runId, `${[toFileName(model), timeOf(at)].filter(Boolean).join(' ')}.md`);

/** Whether a file in the folder of a run is that document. Every name is one: older names are in tabs that are restored. */
export const isRunDocument = (name: string): boolean => name.endsWith('.md');

/** Splits a path into the id of the run and the names after it. That of a step of an agent run has two parts, as `a1/2`. */
export function splitPath(path: string): { runId: string; names: string[] } {
  const [, id = '', ...names] = path.split('/');
  const [step = ''] = names;
  return /^\d+$/.test(step) ? { runId: `${id}/${step}`, names: names.slice(1) } : { runId: id, names };
}

/** Only letters, digits and signs that every file system takes: a person may save the document under this name. */
export const toFileName = (model: string): string =>
  Array.from(model.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-'))
    .slice(0, MODEL_LENGTH)
    .join('')
    .replaceAll(/^[.-]+|[.-]+$/g, '');

/** Local time such as `09-05-30`. */
function timeOf(at: number): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
