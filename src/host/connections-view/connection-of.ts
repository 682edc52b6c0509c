// The connection that a command was called on in the tree, if it was.
import type { Connection } from '../connections/connection';
import type { ConnectionService } from '../connections/connection-service';

/** @throws ConnectionProblem when it is gone */
export function connectionOf(
  { connections }: { connections: ConnectionService },
  target: unknown,
): Connection | undefined {
  const { kind, id } = (target ?? {}) as { kind?: unknown; id?: unknown };
  return kind === 'connection' && typeof id === 'string' ? connections.find(id) : undefined;
}
