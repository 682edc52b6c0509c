// Writes, removes and reveals the connections in the settings, which never contain a key.
import * as vscode from 'vscode';
import type { Connection, ConnectionScope, ConnectionSetting, ScopedSetting } from '../../connections';
import { readSetting } from '../connections/window-connections';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { loadEngine } from '../load-engine';

type Entries = Record<string, unknown>;

const SETTING = `${CONFIGURATION}.${SETTINGS.connections}`;

/** Writes a connection into the user's settings. */
export async function writeConnection(id: string, setting: ConnectionSetting): Promise<void> {
  await update('user', { ...readEntries('user'), [id]: setting });
}

/** Switches whether the editor's chat gets the models of a connection of the user's settings. */
export async function writeChatSwitch(id: string, isOn: boolean): Promise<void> {
  const entries = readEntries('user');
  const { offerToChat: _before, ...entry } = toEntries(entries[id]);
  await update('user', { ...entries, [id]: isOn ? { ...entry, offerToChat: true } : entry });
}

/** Replaces the `auth` of a connection that sends no key, in every scope that says so. @param auth Absent: the usual one. */
export async function replaceNoAuth(id: string, auth: ConnectionSetting['auth']): Promise<void> {
  for (const scope of ['user', 'workspace', 'folder'] as const) {
    const entries = readEntries(scope);
    const entry = toEntries(entries[id]);
    if (entry['auth'] !== 'none') continue;
    const { auth: _none, ...rest } = entry;
    await update(scope, { ...entries, [id]: { ...rest, ...(auth !== undefined && { auth }) } });
  }
}

/** Removes a connection from the settings that define it. */
export async function removeConnection({ id, scope }: Connection): Promise<void> {
  const { [id]: _removed, ...rest } = readEntries(scope);
  await update(scope, rest);
}

/** Returns an unused id: `groq`, `groq-2` … @param taken Ids that are in use, including those of stored keys. */
export function freeId(label: string, taken: readonly string[]): string {
  const base =
    label
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'connection';
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(id)) return id;
  }
}

const FILES: Partial<Record<ConnectionScope, string>> = {
  user: 'workbench.action.openSettingsJson',
  workspace: 'workbench.action.openWorkspaceSettingsFile',
  folder: 'workbench.action.openWorkspaceSettingsFile',
};

/** Opens the settings file and selects the entry. */
export async function revealInSettings(id: string, scope: ConnectionScope): Promise<void> {
  const command = FILES[scope];
  if (command === undefined) {
    await vscode.commands.executeCommand('workbench.action.openSettings', CONFIGURATION);
    return;
  }
  await vscode.commands.executeCommand(command, { revealSetting: { key: SETTING } });
  const editor = vscode.window.activeTextEditor;
  const { findEntry } = await loadEngine();
  const range = editor && findEntry(editor.document.getText(), SETTING, id);
  if (!range) return;
  const [start, end] = range.map((offset) => editor.document.positionAt(offset));
  if (!start || !end) return;
  editor.selection = new vscode.Selection(start, end);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function readEntries(scope: ConnectionScope): Entries {
  const { user, workspace, folder }: ScopedSetting = readSetting(SETTINGS.connections);
  return toEntries({ user, workspace, folder }[scope as string]);
}

/** Settings are written by hand, so anything but an object counts as empty. */
const toEntries = (value: unknown): Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entries) : {};

async function update(scope: ConnectionScope, entries: Entries): Promise<void> {
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const target = scope === 'workspace' ? Workspace : scope === 'folder' ? WorkspaceFolder : Global;
  const value = Object.keys(entries).length > 0 ? entries : undefined;
  await vscode.workspace.getConfiguration(CONFIGURATION).update(SETTINGS.connections, value, target);
}
