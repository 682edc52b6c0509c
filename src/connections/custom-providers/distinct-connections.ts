// Merges the connections of modules and extensions into one list. Independent of vscode.
import { t } from '@vscode/l10n';
import type { Connection } from '../connection';

/**
 * Makes ids distinct. An extension states its own id when it registers, so a second class of the same name gets a
 * problem instead of being mistaken for the first.
 */
export function withDistinctIds(connections: readonly Connection[]): readonly Connection[] {
  const counts = new Map<string, number>();
  return connections.map((connection) => {
    const count = (counts.get(connection.id) ?? 0) + 1;
    counts.set(connection.id, count);
    if (count === 1) return connection;
    const distinct = { ...connection, id: `${connection.id}:${count}` };
    return connection.scope === 'extension' ? { problem: namesakeMessage(), ...distinct } : distinct;
  });
}

const namesakeMessage = (): string =>
  t(
    'It is not used: a class of this name is registered under the id of the same extension already. Disable the extension that registers it a second time.',
  );
