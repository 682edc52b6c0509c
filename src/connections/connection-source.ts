// Makes the connections of a front end available to sessions.
import type { ConnectionRequest, ConnectionSource, OpenConnection } from '../session';
import type { Connection, ProviderRequest } from './connection';
import type { ConnectionService } from './connection-service';
import { originOf } from './origin';
import { serverOf } from './server-of';

export function createConnectionSource(
  connections: ConnectionService,
  onDidChange: ConnectionSource['onDidChange'],
): ConnectionSource {
  const open = async (
    connection: Connection,
    request: Omit<ProviderRequest, 'connection'>,
  ): Promise<OpenConnection> => {
    const view = await connections.view(connection);
    const model = request.model ?? view.model;
    const made = await connections.makeProvider({ connection, ...request, model });
    return { ...made, view, model: model ?? '', gate: gateOf(connection) };
  };
  const find = (connectionId: string): Connection | undefined =>
    connections.list().find(({ id }) => id === connectionId);
  return {
    views: (named) => connections.views(named),
    open: async ({ connectionId, model, ...request }: ConnectionRequest) =>
      open(connections.find(connectionId), { ...request, model: model || undefined }),
    openEmbedder: async ({ connectionId, model, onRetry }) => {
      const connection = connections.find(connectionId);
      // The hosted provider has a separate model for embeddings; here the playground's model is used.
      const setting = { ...connection.setting, ...(model && { embedModel: model }) };
      return open({ ...connection, setting }, { model: model || undefined, rescueToolCalls: true, onRetry });
    },
    explain: (error, connectionId) =>
      connections.explain(error, connectionId === undefined ? undefined : find(connectionId)),
    serverOf: async (connectionId) => {
      const connection = find(connectionId);
      return connection && serverOf(connections, connection);
    },
    redactor: () => Promise.resolve(connections.redactor()),
    onDidChange,
  };
}

/**
 * Key of the request limit that a connection shares with others: its origin. What is built in has one whatever
 * its port, and so has each custom provider.
 */
function gateOf({ id, builtIn, provided, setting }: Connection): string {
  if (builtIn) return builtIn.gate;
  return (provided ? undefined : originOf(setting.host)) ?? id;
}
