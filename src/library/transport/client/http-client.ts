// The interface of the HTTP client, and the open clients, which are loaded at first use. Independent of undici.
import type { NetworkOptions } from './network-options';

/** Time limit for opening a connection, in milliseconds. It is the only limit of the client. */
export const CONNECT_TIMEOUT_MS = 10_000;

export interface HttpRequest {
  target: URL;
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Receives a response as it arrives. The last call is `onEnd` or `onError`; after an abort, there are no more calls. */
export interface AnswerHandler {
  onHeaders: (status: number, headers: Record<string, string | string[] | undefined>) => void;
  /** The handler may keep the chunk. */
  onData: (chunk: Buffer) => void;
  onEnd: () => void;
  /**
   * @param isUnanswered Whether this was a reused connection that was closed before the first byte of the response. The next
   * request opens a new one.
   */
  onError: (error: Error, isUnanswered: boolean) => void;
}

/** Controls a request in progress. Does nothing once the request has ended. */
export interface HttpControl {
  /** Closes the socket, or stops opening the connection for this request. */
  abort: () => void;
  /** Stops reading until `resume`; a chunk that was read already may still arrive. */
  pause: () => void;
  resume: () => void;
}

/** The control of a request that was not sent. */
export const NOT_SENT: HttpControl = {
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

export interface HttpClient {
  /**
   * Never throws, follows no redirects, and has no time limit except for opening a connection. May call the handler before
   * it returns.
   */
  send(request: HttpRequest, handler: AnswerHandler): HttpControl;
  destroy(): Promise<void>;
}

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

/** Closes all connections; requests in progress fail. The next request opens new connections. */
export async function closeConnections(): Promise<void> {
  const open = [...clients.values()];
  clients.clear();
  // A client that cannot be opened has no connections.
  await Promise.allSettled(open.map(async (client) => (await client).destroy()));
}
