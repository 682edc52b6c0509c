// Reads the connections of this window: the built-in ones and those of the settings, each with its scope.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { CONFIGURATION, SETTINGS } from '../contributions';
import type { Connection, ConnectionScope, NarrowedField } from '../../connections';
import { DEMO_CONNECTIONS, isReservedId, NARROWED_FIELDS, toConnection } from '../../connections';

type Entries = Record<string, unknown>;

/** VS Code merges the objects of all scopes and leaves out those of an untrusted workspace. */
export function readConnections(): Connection[] {
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION);
  const merged = toEntries(configuration.get(SETTINGS.connections));
  const users = toEntries(configuration.inspect(SETTINGS.connections)?.globalValue);
  const own = Object.entries(merged).map(([id, value]) => {
    const narrowed = narrowedFields(toEntries(users[id]), toEntries(value));
    return {
      ...toConnection(id, value, scopeOf(configuration, id)),
      ...(narrowed.length > 0 && { narrowed }),
    };
  });
  return [...DEMO_CONNECTIONS, ...own.filter(({ id }) => reservedIdProblem(id) === undefined)];
}

/** An entry of the settings that cannot be a connection. */
export interface MisplacedEntry {
  /** Id of the entry, or of the whole setting. */
  id: string;
  scope: ConnectionScope;
  /** One sentence. */
  problem: string;
}

export function readMisplaced(): MisplacedEntry[] {
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION);
  const setting = `${CONFIGURATION}.${SETTINGS.connections}`;
  const value: unknown = configuration.get(SETTINGS.connections);
  if (value !== undefined && value !== null && !isEntries(value)) {
    const ofUser: unknown = configuration.inspect(SETTINGS.connections)?.globalValue;
    const scope = ofUser === undefined || isEntries(ofUser) ? 'workspace' : 'user';
    const problem = t('{0} must be an object of connections with their ids as keys.', setting);
    return [{ id: setting, scope, problem }];
  }
  return Object.keys(toEntries(value)).flatMap((id) => {
    const why = reservedIdProblem(id);
    if (why === undefined) return [];
    const problem = t('In {0}, “{1}” {2}: choose another one.', setting, id, why);
    return { id, scope: scopeOf(configuration, id), problem };
  });
}

/** Why no connection can have this id; follows the id in a sentence. */
function reservedIdProblem(id: string): string | undefined {
  if (id.trim() === '') return t('is empty');
  if (DEMO_CONNECTIONS.some((connection) => connection.id === id))
    return t('is the id of a built-in connection');
  return isReservedId(id) ? t('begins like the id of a custom provider') : undefined;
}

/** The narrowest scope that contributes to the entry, because that may have changed the address. */
function scopeOf(configuration: vscode.WorkspaceConfiguration, id: string): ConnectionScope {
  const found = configuration.inspect(SETTINGS.connections);
  const has = (value: unknown): boolean => Object.hasOwn(toEntries(value), id);
  if (vscode.workspace.isTrusted && has(found?.workspaceFolderValue)) return 'folder';
  if (vscode.workspace.isTrusted && has(found?.workspaceValue)) return 'workspace';
  return 'user';
}

/** Fields that a scope other than the user's decides; VS Code has merged them key by key. */
const narrowedFields = (users: Entries, merged: Entries): NarrowedField[] =>
  NARROWED_FIELDS.filter((field) => !isDeepStrictEqual(users[field], merged[field]));

/** Settings are written by hand, so anything but an object counts as empty. */
const toEntries = (value: unknown): Entries => (isEntries(value) ? value : {});

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
