// The connection whose tree item a command was called on, if any.
import type { Connection, ConnectionService } from '../../connections';

/** @throws ConnectionProblem when the connection no longer exists. */
export function connectionOf(
  { connections }: { connections: ConnectionService },
  target: unknown,
): Connection | undefined {
  const { kind, id } = (target ?? {}) as { kind?: unknown; id?: unknown };
  return kind === 'connection' && typeof id === 'string' ? connections.find(id) : undefined;
}
