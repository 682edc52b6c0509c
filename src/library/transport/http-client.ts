// What the transport needs of an HTTP client, and the clients that are open, loaded when first used. Knows no undici.
import type { NetworkOptions } from './network-options';

/** Milliseconds until a connection must stand: the only limit that the client has. */
export const CONNECT_TIMEOUT_MS = 10_000;

export interface HttpRequest {
  target: URL;
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Takes the answer while it arrives. The last call is `onEnd` or `onError`; none comes after an abort. */
export interface AnswerHandler {
  onHeaders: (status: number, headers: Record<string, string | string[] | undefined>) => void;
  /** The piece belongs to the handler. */
  onData: (chunk: Buffer) => void;
  onEnd: () => void;
  /**
   * @param isUnanswered The connection was a kept one, and was closed before a byte of the answer came. The next request goes
   * out on a new one.
   */
  onError: (error: Error, isUnanswered: boolean) => void;
}

/** Of a request under way; each does nothing once it is over. */
export interface HttpControl {
  /** Closes the socket, and gives up the connection that is being opened for this request. */
  abort: () => void;
  /** Reads no more until `resume`; a piece that was read already may still come. */
  pause: () => void;
  resume: () => void;
}

/** Of a request that was not sent. */
export const NOT_SENT: HttpControl = {
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

export interface HttpClient {
  /**
   * Never throws, follows no redirect, and has no time limit but the one for connecting. The handler may be called before
   * this returns.
   */
  send(request: HttpRequest, handler: AnswerHandler): HttpControl;
  destroy(): Promise<void>;
}

const clients = new Map<string, HttpClient | Promise<HttpClient>>();

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
 * @returns a promise only while it is being opened: a turn of the queue at each request would be felt.
 */
export function getHttpClient(network: NetworkOptions = DIRECT): HttpClient | Promise<HttpClient> {
  const key = keyOf(network);
  const known = clients.get(key);
  if (known) return known;
  const opening: Promise<HttpClient> = import('./dispatcher').then(
    ({ openHttpClient }) => {
      const client = openHttpClient(network);
      if (clients.get(key) === opening) clients.set(key, client);
      return client;
    },
    (error: unknown) => {
      if (clients.get(key) === opening) clients.delete(key); // so that the next request tries again
      throw error;
    },
  );
  clients.set(key, opening);
  return opening;
}

/** Closes every connection; requests under way fail. The next request opens new ones. */
export async function closeConnections(): Promise<void> {
  const open = [...clients.values()];
  clients.clear();
  await Promise.all(open.map(async (client) => (await client).destroy()));
}
