// The tasks of type `provider-playground`: those of the playgrounds in the workspace, and those that tasks.json describes. They run
// the command line, whose lines the problem matcher reads; keys are in the environment of the editor alone.
import * as vscode from 'vscode';
import { isRecord } from '../../library';
import { TASK_TYPE } from '../contributions';
import { readTextFile } from '../tools/read-text-file';
import type { CommandSource } from './command-of';
import { commandOf } from './command-of';
import type { EvalOptions } from './eval-words';
import { EVAL_OPTIONS } from './eval-words';

const MATCHER = `$${TASK_TYPE}`;
const MAX_TASKS = 100;
const PROBLEMS = 'problems';

/** One for each playground of the workspace that expects something. */
export async function findTasks(source: CommandSource): Promise<vscode.Task[]> {
  const uris = await vscode.workspace.findFiles('**/*.playground.json', '**/node_modules/**', MAX_TASKS);
  const tasks = uris.map(async (uri): Promise<vscode.Task[]> => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const text = await readTextFile(uri).catch(() => '');
    if (!folder || uri.scheme !== 'file' || !text.includes('"expect"')) return [];
    const file = vscode.workspace.asRelativePath(uri, false);
    return [await toTask(source, folder, { type: TASK_TYPE, file })];
  });
  return (await Promise.all(tasks)).flat();
}

/** @returns undefined for a task that names no file, or one on another machine */
export async function completeTask(
  source: CommandSource,
  task: vscode.Task,
): Promise<vscode.Task | undefined> {
  const { scope, definition } = task;
  const folder = isRecord(scope)
    ? (scope as unknown as vscode.WorkspaceFolder)
    : vscode.workspace.workspaceFolders?.[0];
  return folder?.uri.scheme === 'file' ? toTask(source, folder, definition) : undefined;
}

async function toTask(
  source: CommandSource,
  folder: vscode.WorkspaceFolder,
  definition: vscode.TaskDefinition,
): Promise<vscode.Task> {
  const file = String(definition.file);
  const uri = vscode.Uri.joinPath(folder.uri, file);
  const { script, words } = await commandOf(source, uri, readOptions(definition));
  const task = new vscode.Task(
    definition,
    folder,
    file,
    TASK_TYPE,
    // Not through a shell: what a file is named is a word, whatever it contains.
    new vscode.ProcessExecution('node', [script, ...words], { cwd: folder.uri.fsPath }),
    MATCHER,
  );
  task.group = vscode.TaskGroup.Test;
  return task;
}

/** What is no option, or of another type, stays out: the editor marks it in tasks.json by the schema of the manifest. */
function readOptions(definition: vscode.TaskDefinition): EvalOptions {
  const isGiven = (value: unknown): boolean =>
    ['string', 'number'].includes(typeof value) || (Array.isArray(value) && value.every(isGiven));
  const given = EVAL_OPTIONS.filter((name) => isGiven(definition[name]));
  const options: EvalOptions = Object.fromEntries(given.map((name) => [name, definition[name] as unknown]));
  const reporters = [options.reporters ?? 'pretty'].flat();
  return { ...options, reporters: reporters.includes(PROBLEMS) ? reporters : [...reporters, PROBLEMS] };
}
