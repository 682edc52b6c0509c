// Tells which server of the catalog a connection leads to: a service by its address, a local server by its replies.
import { HOST_PLACEHOLDER, PROVIDER_CATALOG } from '../library';
import type { KnownServer } from '../library';
import { catalogEntry } from './catalog-connection';
import type { Connection } from './connection';
import type { ConnectionService } from './connection-service';
import { originOf } from './origin';

/** Timeout in milliseconds for the description of a server. */
const SERVER_TIMEOUT_MS = 5_000;

/**
 * Asks the server only if its address does not tell, with the requests that list its models.
 * @returns its label in the catalog; undefined when it is not known. Never rejects
 */
export async function serverOf(
  connections: Pick<ConnectionService, 'makeProvider'>,
  connection: Connection,
): Promise<string | undefined> {
  const { builtIn, provided, problem, setting } = connection;
  if (builtIn || provided || problem !== undefined) return undefined;
  try {
    const { servers, defaults } = catalogEntry(connection);
    const host = setting.host ?? defaults.host;
    const [known, ...others] = servers;
    const service = servers.find((server) => server.kind === 'hosted' && isAt(host, server));
    if (service || others.length === 0) return (service ?? known)?.label;
    const retry = { maxAttempts: 1, timeoutMs: SERVER_TIMEOUT_MS };
    const { provider } = await connections.makeProvider({
      connection: { ...connection, setting: { ...setting, retry } },
      model: '-',
      rescueToolCalls: true,
    });
    const { product } = await provider.describeServer({ signal: AbortSignal.timeout(SERVER_TIMEOUT_MS) });
    const all = PROVIDER_CATALOG.flatMap((entry) => entry.servers);
    return product && all.find((server) => server.product === product)?.label;
  } catch {
    return undefined;
  }
}

/** Whether an address is the one of a service; a part that only its customer knows may be anything. */
function isAt(host: string | undefined, service: KnownServer): boolean {
  const [origin, known] = [originOf(host), originOf(service.host)];
  if (origin === undefined || known === undefined) return false;
  const [given, expected] = [new URL(origin).hostname, new URL(known).hostname];
  return service.host.includes(HOST_PLACEHOLDER)
    ? given.endsWith(expected.replace(HOST_PLACEHOLDER.toLowerCase(), ''))
    : given === expected;
}
