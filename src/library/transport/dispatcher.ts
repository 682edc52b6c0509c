// The only file that imports undici, by deep paths: the main entry would set a global that every extension of the host
// shares. It is a lazily loaded chunk, so that importing the library costs nothing.
import buildConnector from 'undici/lib/core/connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Socket } from 'node:net';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client';
import { CONNECT_TIMEOUT_MS } from './http-client';

/** @returns a client with connections of its own; `destroy` closes them all. */
export function openHttpClient(): HttpClient {
  const sockets = new SocketAges();
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const agent = new Agent({
    // undici's own limits (300 s for headers, 300 s between chunks) would end a slow local model that works
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) =>
      connect(options, (...result) => {
        if (result[0] === null) sockets.add(result[1]);
        callback(...result);
      }),
  });

  return {
    async send(options: HttpRequest): Promise<HttpAnswer> {
      const started = sockets.now();
      try {
        const { origin, pathname, search } = new URL(options.url);
        const answer = await request.call(agent, {
          origin,
          path: pathname + search,
          method: options.method as 'POST',
          headers: options.headers,
          body: options.body ?? null,
          signal: options.signal ?? null,
        });
        return { status: answer.statusCode, headers: answer.headers, body: answer.body };
      } catch (error) {
        if (sockets.wasReused(error, started)) options.onStaleSocket();
        throw error;
      }
    },
    destroy: () => agent.destroy(),
  };
}

/**
 * Tells a stale keep-alive socket from a fresh one that failed. Neither undici's errors nor its API name the socket of
 * a request, so sockets and requests take numbers from one counter: a socket that is older than the request was reused.
 */
class SocketAges {
  #count = 0;
  readonly #ofError = new WeakMap<Error, number>();
  /** At most one entry a port. */
  readonly #ofLocalPort = new Map<number, number>();

  now(): number {
    return ++this.#count;
  }

  add(socket: Socket): void {
    const age = this.now();
    if (socket.localPort !== undefined) this.#ofLocalPort.set(socket.localPort, age);
    // registered before undici's own listener, so it knows the error before the request fails with it
    socket.once('error', (error) => this.#ofError.set(error, age));
  }

  wasReused(error: unknown, requestAge: number): boolean {
    if (!(error instanceof Error)) return false;
    const { socket, code } = error as Error & { socket?: { localPort?: number }; code?: string };
    const ended = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
    const age = this.#ofError.get(error) ?? this.#ofLocalPort.get(socket?.localPort ?? -1);
    return ended && age !== undefined && age < requestAge;
  }
}
