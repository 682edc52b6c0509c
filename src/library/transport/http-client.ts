// What the transport needs of an HTTP client, and the clients that are open, loaded when first used. Knows no undici.
import type { Readable } from 'node:stream';
import type { NetworkOptions } from './network-options';

/** Milliseconds until a connection must stand: the only limit that the client has. */
export const CONNECT_TIMEOUT_MS = 10_000;

export interface HttpRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
  /** Called before the rejection when the socket was a kept-alive one that the server had closed. */
  onStaleSocket: () => void;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

export interface HttpClient {
  /** Settles when the headers are there; never follows a redirect; has no time limit but the one for connecting. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  destroy(): Promise<void>;
}

const clients = new Map<string, Promise<HttpClient>>();

/** One client for each configuration, so that connections are kept alive across the providers that share it. */
export function getHttpClient(network: NetworkOptions = {}): Promise<HttpClient> {
  const key = JSON.stringify(network);
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
