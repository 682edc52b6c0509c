// One list out of what modules and extensions provide. Knows no vscode.
import { t } from '@vscode/l10n';
import type { Connection } from '../connections/connection';

/**
 * Ids are made distinct. Whoever registers says itself which extension it is, so a class that is there already does not get
 * a namesake: it would be taken for the first one.
 */
export function withDistinctIds(connections: readonly Connection[]): readonly Connection[] {
  const counts = new Map<string, number>();
  return connections.map((connection) => {
    const count = (counts.get(connection.id) ?? 0) + 1;
    counts.set(connection.id, count);
    if (count === 1) return connection;
    const distinct = { ...connection, id: `${connection.id}:${count}` };
    return connection.scope === 'extension' ? { problem: sayNamesake(), ...distinct } : distinct;
  });
}

const sayNamesake = (): string =>
  t(
    'It is not used: a class of this name is registered under the id of the same extension already. Disable the extension that registers it a second time.',
  );
