// Tells which server of the catalog a connection leads to: a service by its address, a local server by its replies.
import { PROVIDER_CATALOG } from '../library';
import { catalogEntry, serviceAt } from './catalog-connection';
import type { Connection } from './connection';
import type { ConnectionService } from './connection-service';

/** Timeout in milliseconds for the description of a server. */
const SERVER_TIMEOUT_MS = 5_000;

/**
 * Asks the server only if its address does not tell, with the requests that list its models.
 * @returns its label in the catalog; undefined when it is not known. Never rejects
 */
export async function serverOf(
  connections: Pick<ConnectionService, 'describeServer'>,
  connection: Connection,
): Promise<string | undefined> {
  const { builtIn, provided, problem, setting } = connection;
  if (builtIn || provided || problem !== undefined) return undefined;
  try {
    const { servers, defaults } = catalogEntry(connection);
    const host = setting.host ?? defaults.host;
    const [known, ...others] = servers;
    const service = serviceAt(host, servers);
    if (service || others.length === 0) return (service ?? known)?.label;
    const limits = { signal: AbortSignal.timeout(SERVER_TIMEOUT_MS), timeoutMs: SERVER_TIMEOUT_MS };
    const { product } = await connections.describeServer(connection, limits);
    const all = PROVIDER_CATALOG.flatMap((entry) => entry.servers);
    return product && all.find((server) => server.product === product)?.label;
  } catch {
    return undefined;
  }
}
