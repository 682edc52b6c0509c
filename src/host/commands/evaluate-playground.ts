// Evaluates a playground for another extension or a task, which gets what was counted.
import * as vscode from 'vscode';
import { isRecord } from '../../library';
import type { EvaluationSummary } from '../../types';
import type { EvaluationTarget } from '../evaluations/evaluation-services';
import type { CommandServices } from './command-services';
import { reportNoActivePlayground } from './playground-files';

/**
 * @param target The URI of a playground file, or an object with it as `uri` and ids of `lanes` and `rows`. Default: the file whose
 *   editor is active.
 * @returns undefined when nothing was evaluated, because the person did not confirm it
 * @throws RefusalError
 */
export async function evaluatePlayground(
  { evaluations, editor }: CommandServices,
  target: unknown = editor.active?.uri,
): Promise<EvaluationSummary | undefined> {
  const read = readTarget(target);
  if (read) return evaluations.evaluate(read);
  reportNoActivePlayground();
  return undefined;
}

export function readTarget(target: unknown): EvaluationTarget | undefined {
  if (target instanceof vscode.Uri) return { uri: target };
  if (!isRecord(target) || !(target.uri instanceof vscode.Uri)) return undefined;
  return { uri: target.uri, lanes: toIds(target.lanes), rows: toIds(target.rows) };
}

const toIds = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(String) : undefined;
