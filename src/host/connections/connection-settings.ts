// The connections of this window: the built-in ones and those of the settings, each with the scope it comes from.
import * as vscode from 'vscode';
import { CONFIGURATION, SETTINGS } from '../contributions';
import type { Connection, ConnectionScope } from './connection';
import { DEMO_CONNECTIONS, isReservedId, toConnection } from './connection';

type Entries = Record<string, unknown>;

/** VS Code merges the objects of all scopes and leaves out what an untrusted workspace sets. */
export function readConnections(): Connection[] {
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION);
  const merged = toEntries(configuration.get(SETTINGS.connections));
  const own = Object.entries(merged).map(([id, value]) =>
    toConnection(id, value, scopeOf(configuration, id)),
  );
  const builtIn = new Set(DEMO_CONNECTIONS.map(({ id }) => id));
  return [...DEMO_CONNECTIONS, ...own.filter(({ id }) => !builtIn.has(id) && !isReservedId(id))];
}

/** The narrowest scope that has a say in the entry: it may have changed the address. */
function scopeOf(configuration: vscode.WorkspaceConfiguration, id: string): ConnectionScope {
  const found = configuration.inspect(SETTINGS.connections);
  const has = (value: unknown): boolean => Object.hasOwn(toEntries(value), id);
  if (vscode.workspace.isTrusted && has(found?.workspaceFolderValue)) return 'folder';
  if (vscode.workspace.isTrusted && has(found?.workspaceValue)) return 'workspace';
  return 'user';
}

/** Settings are what somebody typed: anything but an object counts as empty. */
const toEntries = (value: unknown): Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entries) : {};
