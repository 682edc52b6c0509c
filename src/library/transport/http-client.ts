// What the transport needs of an HTTP client, and the one shared client, loaded when first used. Knows no undici.
import type { Readable } from 'node:stream';

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

let shared: Promise<HttpClient> | undefined;

/** The client that all transports share, so that connections are kept alive across providers. */
export function getHttpClient(): Promise<HttpClient> {
  shared ??= import('./dispatcher')
    .then(({ openHttpClient }) => openHttpClient())
    .catch((error: unknown) => {
      shared = undefined; // so that the next request tries again
      throw error;
    });
  return shared;
}

/** Closes every connection; requests under way fail. The next request opens new ones. */
export async function closeConnections(): Promise<void> {
  const client = shared;
  shared = undefined;
  await (await client)?.destroy();
}
