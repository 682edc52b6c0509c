// The open HTTP clients, each loaded at first use. Independent of undici.
import type { HttpClient } from './http-client';
import { NOT_SENT } from './http-client';
import type { NetworkOptions, RecordedAnswer } from './network-options';

const clients = new Map<string, HttpClient | Promise<HttpClient>>();

const DIRECT: NetworkOptions = {};
/** Each configuration as text, stored because certificates make it long. */
const keys = new WeakMap<NetworkOptions, string>();

function keyOf(network: NetworkOptions): string {
  const known = keys.get(network);
  if (known !== undefined) return known;
  const key = JSON.stringify(network);
  keys.set(network, key);
  return key;
}

/**
 * Returns one client for each configuration, so that providers with the same configuration share kept-alive connections.
 * @param network Must not be changed afterwards.
 * @returns a promise only while the client is being loaded, because awaiting one at each request would noticeably slow it
 * down
 */
export function getHttpClient(network: NetworkOptions = DIRECT): HttpClient | Promise<HttpClient> {
  if (network.answer) return answeringClient(network.answer);
  const key = keyOf(network);
  const known = clients.get(key);
  if (known) return known;
  const opening: Promise<HttpClient> = import('./dispatcher')
    .then(({ openHttpClient }) => {
      const client = openHttpClient(network);
      if (clients.get(key) === opening) clients.set(key, client);
      return client;
    })
    .catch((error: unknown) => {
      if (clients.get(key) === opening) clients.delete(key); // so that the next request tries again
      throw error;
    });
  clients.set(key, opening);
  return opening;
}

/** Sends nothing. */
const answeringClient = ({ status, headers, body }: RecordedAnswer): HttpClient => ({
  send: (_request, handler) => {
    handler.onHeaders(status, { ...headers });
    if (body !== '') handler.onData(Buffer.from(body));
    handler.onEnd();
    return NOT_SENT;
  },
  destroy: () => Promise.resolve(),
});

/** Closes all connections; requests in progress fail. The next request opens new connections. */
export async function closeConnections(): Promise<void> {
  const open = [...clients.values()];
  clients.clear();
  // A client that cannot be opened has no connections.
  await Promise.allSettled(open.map(async (client) => (await client).destroy()));
}
