// Finds out what a terminal needs to evaluate a playground file: where the program is, which files have the connections of its
// lanes, and which keys they take. Reads no key.
import { posix, relative, sep } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection, Connections } from '../../connections';
import { keyVariable, toLabel } from '../../inspect';
import { isRecord } from '../../library';
import { readSetting } from '../connections/window-connections';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { loadEngine } from '../load-engine';
import { readTextFile } from '../tools/read-text-file';
import type { EvalOptions } from './eval-words';
import { evalWords, exactly } from './eval-words';

export interface CommandSource {
  connections: Connections;
  /** Folder of the extension. */
  extensionUri: vscode.Uri;
  /** Where the extension stores what belongs to no workspace: the settings of the user are near it. */
  globalStorageUri: vscode.Uri;
}

/** A key that the lanes take. */
export interface NeededKey {
  connection: Connection;
  origin: string;
  /** Environment variable that a person would have it in. */
  variable: string;
}

export interface TerminalCommand {
  /** Where it runs. */
  folder: vscode.Uri;
  /** The program as a person would call it. */
  program: readonly string[];
  /** The same program as a script for Node. */
  script: string;
  /** Its arguments. */
  words: readonly string[];
  /** One for each origin. */
  keys: readonly NeededKey[];
  /** What a terminal does differently, in sentences. */
  notes: readonly string[];
}

/** The variable from which the command line reads keys, as an object by origin. */
export const KEYS_VARIABLE = 'PROVIDER_PLAYGROUND_KEYS';
const PACKAGE = 'provider-playground';
const CLI = ['dist', 'cli.js'];

/** @param options Over what the lanes need. */
export async function commandOf(
  source: CommandSource,
  uri: vscode.Uri,
  options: EvalOptions,
): Promise<TerminalCommand> {
  const folder = folderOf(uri);
  const used = await usedConnections(source, uri, options.lanes);
  const places = await Promise.all(['user', 'workspace'].map((scope) => settingsFile(source, folder, scope)));
  const named = settingsOf(used, places);
  const modules = used.some(({ scope }) => scope === 'module') ? namedModules() : [];
  const words = evalWords(pathFrom(folder, uri), {
    ...(named.files.length > 0 && { connections: named.files.map((file) => pathFrom(folder, file)) }),
    ...(modules.length > 0 && { providers: modules }),
    ...options,
  });
  const keys = await neededKeys(source.connections, used);
  const notes = [...named.notes, ...(await notesOf(source.connections, used))];
  return { folder, ...(await findProgram(source, folder)), words, keys, notes };
}

/** The folder of the workspace, in which terminals begin, else that of the file. */
export const folderOf = (uri: vscode.Uri): vscode.Uri =>
  vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');

/** With /, which every system reads. */
function pathFrom(folder: vscode.Uri, file: vscode.Uri): string {
  if (file.scheme !== folder.scheme) return file.fsPath;
  if (file.scheme !== 'file') return posix.relative(folder.path, file.path);
  const path = relative(folder.fsPath, file.fsPath).split(sep).join('/');
  return path.startsWith('../') ? file.fsPath : path;
}

/**
 * A package that is installed there runs as it would in a CI. Otherwise the program of the extension itself, by Node: `npx` loads
 * nothing from the registry, where the name may be another one's.
 */
async function findProgram(
  { extensionUri }: CommandSource,
  folder: vscode.Uri,
): Promise<Pick<TerminalCommand, 'program' | 'script'>> {
  const installed = vscode.Uri.joinPath(folder, 'node_modules', PACKAGE);
  const isInstalled = await exists(vscode.Uri.joinPath(installed, ...CLI));
  const script = vscode.Uri.joinPath(isInstalled ? installed : extensionUri, ...CLI).fsPath;
  // Elsewhere the folder of the extension is not there.
  const isNpx = isInstalled || folder.scheme !== 'file';
  return { program: isNpx ? ['npx', '--no', PACKAGE] : ['node', script], script };
}

/** Those of the chosen lanes, each once. A file or a connection that does not exist is named by the command itself. */
async function usedConnections(
  { connections: { connections } }: CommandSource,
  uri: vscode.Uri,
  lanes: readonly string[] | undefined,
): Promise<Connection[]> {
  const { parseDocument } = await loadEngine();
  const { document } = parseDocument(await readTextFile(uri).catch(() => ''));
  const wanted = lanes && new Set([lanes].flat().flatMap((list) => list.split(/(?<!\\),/)));
  const chosen = (document?.lanes ?? []).filter(({ id }) => wanted?.has(exactly(id)) ?? true);
  const ids = new Set(chosen.map(({ connection }) => connection));
  await connections.refresh();
  return connections.list().filter(({ id }) => ids.has(id));
}

interface SettingsPlace {
  scope: string;
  /** Undefined where it is not known. */
  file: vscode.Uri | undefined;
}

async function settingsFile(
  { globalStorageUri }: CommandSource,
  folder: vscode.Uri,
  scope: string,
): Promise<SettingsPlace> {
  const file =
    scope === 'user'
      ? vscode.Uri.joinPath(globalStorageUri, '..', '..', 'settings.json')
      : (vscode.workspace.workspaceFile ?? vscode.Uri.joinPath(folder, '.vscode', 'settings.json'));
  return { scope, file: (await exists(file)) ? file : undefined };
}

/** The files in which the connections are written, those of the user first: the workspace wins. */
function settingsOf(
  used: readonly Connection[],
  places: readonly SettingsPlace[],
): { files: vscode.Uri[]; notes: string[] } {
  const found = readSetting(SETTINGS.connections);
  const files: vscode.Uri[] = [];
  const notes: string[] = [];
  for (const { scope, file } of places) {
    const value = scope === 'user' ? found.user : (found.workspace ?? found.folder);
    const here = used.find(({ id }) => isRecord(value) && Object.hasOwn(value, id));
    if (!here) continue;
    if (file) files.push(file);
    else notes.push(t('The settings with {0} were not found: name their file with --connections.', here.id));
  }
  return { files, notes };
}

function namedModules(): string[] {
  const value: unknown = vscode.workspace.getConfiguration(CONFIGURATION).get(SETTINGS.customProviders);
  return [value].flat().filter((path) => typeof path === 'string');
}

async function neededKeys(
  { connections }: Connections,
  used: readonly Connection[],
): Promise<readonly NeededKey[]> {
  const keys = new Map<string, NeededKey>();
  for (const connection of used) {
    const { origin } = (await connections.keyTarget(connection)) ?? {};
    if (origin !== undefined && !keys.has(origin))
      keys.set(origin, { connection, origin, variable: keyVariable(connection.id) });
  }
  return [...keys.values()];
}

async function notesOf({ connections }: Connections, used: readonly Connection[]): Promise<string[]> {
  const notes: string[] = [];
  for (const connection of used) {
    const label = toLabel(connection.label);
    const [header] = await connections.secretHeaderNames(connection);
    if (header !== undefined)
      notes.push(t('A terminal does not send the secret header {0} of {1}.', header, label));
    if (connection.scope === 'extension')
      notes.push(t('A terminal cannot use {0}, which another extension provides.', label));
  }
  return notes;
}

const exists = (uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
