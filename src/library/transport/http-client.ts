// What the transport needs of an HTTP client, and the clients that are open, loaded when first used. Knows no undici.
import type { Readable } from 'node:stream';
import type { NetworkOptions } from './network-options';

/** Milliseconds until a connection must stand: the only limit that the client has. */
export const CONNECT_TIMEOUT_MS = 10_000;

export interface HttpRequest {
  target: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

export interface HttpClient {
  /**
   * Settles when the headers are there; never follows a redirect; has no time limit but the one for connecting.
   * @param onStaleSocket Called before the rejection when the socket was a kept-alive one that the server had closed.
   */
  send(request: HttpRequest, onStaleSocket: () => void): Promise<HttpAnswer>;
  destroy(): Promise<void>;
}

const clients = new Map<string, Promise<HttpClient>>();

const DIRECT: NetworkOptions = {};
/** The configuration as a text, which is long where it holds certificates. */
const keys = new WeakMap<NetworkOptions, string>();

function keyOf(network: NetworkOptions): string {
  const known = keys.get(network);
  if (known !== undefined) return known;
  const key = JSON.stringify(network);
  keys.set(network, key);
  return key;
}

/**
 * One client for each configuration, so that connections are kept alive across the providers that share it.
 * @param network Never changed once it was given.
 */
export function getHttpClient(network: NetworkOptions = DIRECT): Promise<HttpClient> {
  const key = keyOf(network);
  const known = clients.get(key);
  if (known) return known;
  const opened = import('./dispatcher')
    .then(({ openHttpClient }) => openHttpClient(network))
    .catch((error: unknown) => {
      clients.delete(key); // so that the next request tries again
      throw error;
    });
  clients.set(key, opened);
  return opened;
}

/** Closes every connection; requests under way fail. The next request opens new ones. */
export async function closeConnections(): Promise<void> {
  const open = [...clients.values()];
  clients.clear();
  await Promise.all(open.map(async (client) => (await client).destroy()));
}
