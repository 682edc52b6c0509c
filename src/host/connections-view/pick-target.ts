// The target of a command of the view: the item that it was called on, otherwise one that the user chooses.
import { t } from '@vscode/l10n';
import type { Connection, ConnectionService } from '../../connections';
import { pickOne, showMessage } from '../dialogs';
import { toLabel } from '../../inspect';
import { describeScope } from './state-words';

export interface Target {
  connection: Connection;
  /** Present when the command was called on a model. */
  model?: string | undefined;
}

export interface TargetQuestion {
  title: string;
  /** Filters the offered connections. @default all */
  isFit?: (connection: Connection) => boolean;
  /** What is said when there is none to offer. @default that no connection is set up */
  none?: string;
}

/**
 * @throws ConnectionProblem when the item's connection no longer
 *   exists.
 */
export async function pickTarget(
  connections: Pick<ConnectionService, 'find' | 'list' | 'refresh'>,
  given: unknown,
  { title, isFit = () => true, none }: TargetQuestion,
): Promise<Target | undefined> {
  const { id, model } = readNode(given);
  if (id !== undefined) return { connection: connections.find(id), model };
  await connections.refresh();
  const items = connections
    .list()
    .filter(isFit)
    .map((connection) => ({
      label: toLabel(connection.label),
      description: describeScope(connection),
      connection,
    }));
  if (items.length === 0) {
    void showMessage('information', none ?? t('You have not set up a connection yet. Add one first.'));
    return undefined;
  }
  const picked = await pickOne(items, { title });
  return picked && { connection: picked.connection };
}

/** Validates the argument, because any extension may call the command with anything. */
function readNode(given: unknown): { id?: string; model?: string } {
  if (typeof given !== 'object' || given === null) return {};
  const { kind, id, connectionId, model } = given as Record<string, unknown>;
  if (kind === 'model' && typeof connectionId === 'string') {
    const { id: name } = (model ?? {}) as { id?: unknown };
    return { id: connectionId, ...(typeof name === 'string' && { model: name }) };
  }
  return kind === 'connection' && typeof id === 'string' ? { id } : {};
}
