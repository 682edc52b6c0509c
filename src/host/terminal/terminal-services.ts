// Evaluates playgrounds by the command line: copies its command, runs it in a terminal, and makes tasks of it. Bundled as a chunk
// that is loaded on first use.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { printCommand, shellOf, toLabel } from '../../inspect';
import { showMessage } from '../dialogs';
import type { CommandSource, NeededKey, TerminalCommand } from './command-of';
import { commandOf, KEYS_VARIABLE } from './command-of';
import type { EvalOptions } from './eval-words';
import { exactly } from './eval-words';

/** What is evaluated of a playground file. */
export interface TerminalTarget {
  uri: vscode.Uri;
  /** Ids. @default all */
  lanes?: readonly string[] | undefined;
  rows?: readonly string[] | undefined;
}

export async function copyCommand(source: CommandSource, target: TerminalTarget): Promise<void> {
  const command = await toCommand(source, target);
  await vscode.env.clipboard.writeText(printLine(command));
  void showMessage('information', [...describeCopy(command, target.uri), ...command.notes].join(' '));
}

function describeCopy({ folder, keys, program }: TerminalCommand, uri: vscode.Uri): string[] {
  const isUnsaved = vscode.workspace.textDocuments.some(
    ({ uri: open, isDirty }) => isDirty && open.toString() === uri.toString(),
  );
  const origins = keys.map(({ origin, variable }) => t('{0} for {1}', variable, origin)).join(', ');
  return [
    t('Copied. Run it in {0}.', folder.fsPath),
    ...(keys.length > 0 ? [t('It takes keys from environment variables: {0}.', origins)] : []),
    ...(program[0] === 'node' ? [t('It needs Node 20.19 or later.')] : []),
    ...(isUnsaved ? [t('It reads the saved file: your last changes are not saved yet.')] : []),
  ];
}

export async function evaluateInTerminal(source: CommandSource, target: TerminalTarget): Promise<void> {
  const { uri } = target;
  if (uri.scheme !== 'file') return refuseElsewhere(source, target);
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await document.save())) {
    void showMessage(
      'error',
      t('The playground was not saved, so the terminal would evaluate an older one.'),
    );
    return;
  }
  const command = await toCommand(source, target);
  const answer = await askForKeys(source, command.keys);
  if (!answer) return;
  const { keys } = answer;
  const terminal = vscode.window.createTerminal({
    name: t('Evaluate {0}', toLabel(uri.path.split('/').at(-1) ?? '', 60)),
    cwd: command.folder,
    // A terminal that is kept over restarts is written to the disk with its environment.
    ...(keys && { env: { [KEYS_VARIABLE]: keys }, isTransient: true }),
  });
  terminal.show();
  const isGiven = keys !== undefined || (process.env[KEYS_VARIABLE] ?? '') !== '';
  terminal.sendText(printLine({ ...command, ...(isGiven && { keys: [] }) }));
  for (const note of command.notes) void showMessage('warning', note);
}

/** The command line runs where the file is, and the extension does not. */
async function refuseElsewhere(source: CommandSource, target: TerminalTarget): Promise<void> {
  const copy = t('Copy Command');
  const answer = await showMessage(
    'information',
    t(
      'The file is not on the machine on which Provider Playground runs. Install its npm package beside the file, and run the command there.',
    ),
    {},
    copy,
  );
  if (answer === copy) await copyCommand(source, target);
}

const toCommand = (source: CommandSource, { uri, lanes, rows }: TerminalTarget): Promise<TerminalCommand> =>
  commandOf(source, uri, {
    ...(lanes && { lanes: lanes.map(exactly) }),
    ...(rows && { rows: rows.map(exactly) }),
  } satisfies EvalOptions);

function printLine({ program, words, keys }: Pick<TerminalCommand, 'program' | 'words' | 'keys'>): string {
  const value = keys.flatMap(({ origin, variable }, index) => [
    `${index === 0 ? '{' : '",'}"${origin}":"`,
    { variable },
  ]);
  const variables = keys.length > 0 ? [{ name: KEYS_VARIABLE, value: [...value, '"}'] }] : [];
  const shell = shellOf(vscode.env.shell, process.platform === 'win32');
  return printCommand(shell, { words: [...program, ...words], variables });
}

/**
 * A terminal has keys in its environment alone.
 * @returns the value of the variable with the stored ones, if the person wants this terminal to have them; undefined: it is not
 *   to be opened
 */
async function askForKeys(
  { connections: { connections, keys } }: CommandSource,
  needed: readonly NeededKey[],
): Promise<{ keys?: string } | undefined> {
  const given = process.env[KEYS_VARIABLE] ?? '';
  const stored: Record<string, string> = {};
  for (const { connection, origin } of needed) {
    const target = await connections.keyTarget(connection);
    const key = given.includes(`"${origin}"`)
      ? undefined
      : target && (await keys.get(target.id, target.binding));
    if (key !== undefined) stored[origin] = key;
  }
  const origins = Object.keys(stored);
  if (origins.length === 0) return {};
  const give = t('Give Key to This Terminal');
  const without = t('Open Without Key');
  const detail = t(
    'A terminal has keys in its environment alone. The stored key can be set there for this one terminal, as {0}: every program that you start in it can read it. It is written to no file, and gone when the terminal is closed.',
    KEYS_VARIABLE,
  );
  const answer = await showMessage(
    'warning',
    t('Give this terminal the key for {0}?', origins.join(', ')),
    { modal: true, detail },
    give,
    without,
  );
  if (answer === give) return { keys: JSON.stringify(stored) };
  return answer === without ? {} : undefined;
}

export { completeTask, findTasks } from './evaluation-tasks';
