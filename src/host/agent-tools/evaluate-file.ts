// The tool for agents that evaluates a playground file of the workspace, like the command, after a person was told what it sends.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { JsonRecord } from '../../inspect';
import { evaluationToMarkdown, toLabel } from '../../inspect';
import type { EvaluationTarget } from '../evaluations/evaluation-services';
import type { AgentTool, AgentToolDependencies } from './agent-tool';
import { textOf } from './agent-tool';

const FILE_END = '.playground.json';
const MAX_NAMED = 20;

export const createEvaluateFile = (evaluations: AgentToolDependencies['evaluations']): AgentTool => ({
  prepare: async (input) => {
    const target = await readTarget(input);
    const name = nameOf(target.uri);
    const services = await evaluations.services();
    return {
      title: t('Evaluate {0}?', name),
      message: [await services.foretell(target), t('The summary is told to the chat.')].join(' '),
      progress: t('Evaluating {0}', name),
    };
  },
  invoke: async (input, { signal, most }) => {
    const target = await readTarget(input);
    const services = await evaluations.services();
    const evaluation = await services.evaluate(target, { isConfirmed: true, signal });
    if (!evaluation) throw new Error(t('Nothing was evaluated.'));
    const madeAt = evaluation.startedAt;
    return cutAtLine(evaluationToMarkdown(evaluation, { madeBy: 'Provider Playground', madeAt }), most);
  },
});

/** @throws an error that says which file is wanted */
async function readTarget(input: JsonRecord): Promise<EvaluationTarget> {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Nothing is evaluated in a workspace that the person has not trusted.'));
  return {
    uri: await findFile(textOf(input, 'file') ?? ''),
    lanes: readIds(input, 'lanes'),
    rows: readIds(input, 'rows'),
  };
}

/** @param path Relative to a folder of the workspace, or absolute and inside of one. */
async function findFile(path: string): Promise<vscode.Uri> {
  if (!path.endsWith(FILE_END)) throw await notFound(path);
  const { fs, workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  for (const { uri } of workspaceFolders) {
    const isAbsolute = /^([\\/]|[a-z]:[\\/])/i.test(path);
    const found = isAbsolute
      ? vscode.Uri.file(path).with({ scheme: uri.scheme, authority: uri.authority })
      : vscode.Uri.joinPath(uri, path);
    const isThere = getWorkspaceFolder(found) && (await exists(fs, found));
    if (isThere) return found;
  }
  throw await notFound(path);
}

const exists = (fs: vscode.FileSystem, uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(fs.stat(uri)).then(
    () => true,
    () => false,
  );

async function notFound(path: string): Promise<Error> {
  const files = await vscode.workspace.findFiles(`**/*${FILE_END}`, '**/node_modules/**', MAX_NAMED);
  const names = files.map(nameOf).toSorted().join(', ');
  return new Error(
    [
      t('There is no playground file {0} in the workspace.', toLabel(path)),
      names === ''
        ? t('It has none; the command Save As Playground File makes one of a playground.')
        : t('It has {0}.', names),
    ].join(' '),
  );
}

const nameOf = (uri: vscode.Uri): string => toLabel(vscode.workspace.asRelativePath(uri));

function readIds(input: JsonRecord, key: string): string[] | undefined {
  const value = input[key];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((id) => typeof id === 'string')) return value;
  throw new Error(t('{0} must be a list of ids.', key));
}

/** Nothing in such a document spans lines, so its end may be missing. */
function cutAtLine(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = text.slice(0, text.lastIndexOf('\n', most));
  return `${shown}\n\n${t('The rest is left out. The playground shows all of it under Evaluate.')}`;
}
