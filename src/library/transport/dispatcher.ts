// The only file that imports undici, by deep paths: the main entry would set a global that every extension of the host
// shares. It is a lazily loaded chunk, so that importing the library costs nothing.
import buildConnector from 'undici/lib/core/connect.js';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type { Socket } from 'node:net';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client';
import { CONNECT_TIMEOUT_MS } from './http-client';
import type { NetworkOptions } from './network-options';

type Dispatcher = ThisParameterType<typeof request>;

/** undici's own limits (300 s for headers, 300 s between chunks) would end a slow local model that works. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** @returns a client with connections of its own; `destroy` closes them all. */
export function openHttpClient(network: NetworkOptions): HttpClient {
  const sockets = new SocketAges();
  const agent =
    network.proxy === undefined ? openDirect(network, sockets) : openProxied(network.proxy, network);

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

function toTls({ ca, rejectUnauthorized }: NetworkOptions): { ca?: string[]; rejectUnauthorized?: boolean } {
  return { ...(ca && { ca: [...ca] }), ...(rejectUnauthorized !== undefined && { rejectUnauthorized }) };
}

function openDirect(network: NetworkOptions, sockets: SocketAges): Dispatcher {
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...toTls(network) });
  return new Agent({
    ...NO_LIMITS,
    connect: (options, callback) =>
      open(options, (...result) => {
        if (result[0] === null) sockets.add(result[1]);
        callback(...result);
      }),
  });
}

function openProxied(uri: string, network: NetworkOptions): Dispatcher {
  const tls = toTls(network);
  const { proxyAuthorization: token } = network;
  return new ProxyAgent({
    ...NO_LIMITS,
    uri,
    ...(token !== undefined && { token }),
    requestTls: { timeout: CONNECT_TIMEOUT_MS, ...tls },
    proxyTls: { timeout: CONNECT_TIMEOUT_MS, ...tls },
    // Only the request for the tunnel goes through this one. undici's main entry puts `connect` on every dispatcher, which
    // the deep paths do not.
    clientFactory: (origin, options) =>
      Object.assign(new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT_MS }), { connect }),
  });
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
