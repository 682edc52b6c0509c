// The only file that imports undici, by deep paths: the main entry would set a global that every extension of the host
// shares. It is a lazily loaded chunk, so that importing the library costs nothing.
import buildConnector from 'undici/lib/core/connect.js';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client';
import { CONNECT_TIMEOUT_MS } from './http-client';
import { KeptSockets } from './kept-sockets';
import type { NetworkOptions } from './network-options';

type Dispatcher = ThisParameterType<typeof request>;
type Connector = (...args: Parameters<ReturnType<typeof buildConnector>>) => void;
type Connected = Parameters<Connector>[1];

/** undici's own limits (300 s for headers, 300 s between chunks) would end a slow local model that works. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** @returns a client with connections of its own; `destroy` closes them all. */
export function openHttpClient(network: NetworkOptions): HttpClient {
  const sockets = new KeptSockets();
  const handover: Handover = { signal: undefined };
  const agent =
    network.proxy === undefined
      ? openDirect(network, sockets, handover)
      : openProxied(network.proxy, network, sockets, handover);

  return {
    async send(options: HttpRequest, onStaleSocket: () => void): Promise<HttpAnswer> {
      const { signal } = options;
      signal?.throwIfAborted();
      const number = sockets.begin();
      try {
        const { origin, pathname, search } = options.target;
        handover.signal = signal;
        const asked = request.call(agent, {
          origin,
          path: pathname + search,
          method: options.method as 'POST',
          headers: options.headers,
          body: options.body ?? null,
          signal: signal ?? null,
        });
        handover.signal = undefined;
        const answer = await untilAborted(asked, signal);
        return { status: answer.statusCode, headers: answer.headers, body: answer.body };
      } catch (error) {
        if (sockets.isStale(error, number)) onStaleSocket();
        throw error;
      }
    },
    destroy: () => agent.destroy(),
  };
}

function toTls({ ca, rejectUnauthorized }: NetworkOptions): { ca?: string[]; rejectUnauthorized?: boolean } {
  return { ...(ca && { ca: [...ca] }), ...(rejectUnauthorized !== undefined && { rejectUnauthorized }) };
}

/** The signal of the request that undici is just being given: where it needs a connection, it opens it meanwhile. */
interface Handover {
  signal: AbortSignal | undefined;
}

/** undici looks at the signal of a request only when its connection stands, which an abort must not wait for. */
function untilAborted<Value>(asked: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return asked;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function openDirect(network: NetworkOptions, sockets: KeptSockets, handover: Handover): Dispatcher {
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...toTls(network) });
  return new Agent({
    ...NO_LIMITS,
    connect: (options, callback) => {
      const { signal } = handover;
      const socket = open(options, (...result) => {
        signal?.removeEventListener('abort', giveUp);
        watched(callback, sockets)(...result);
      });
      const giveUp = (): void => void socket.destroy(new Error('stopped while the connection was opened'));
      signal?.addEventListener('abort', giveUp, { once: true });
    },
  });
}

function openProxied(
  uri: string,
  network: NetworkOptions,
  sockets: KeptSockets,
  handover: Handover,
): Dispatcher {
  const tls = toTls(network);
  const { proxyAuthorization: token } = network;
  return new ProxyAgent({
    ...NO_LIMITS,
    uri,
    ...(token !== undefined && { token }),
    requestTls: { timeout: CONNECT_TIMEOUT_MS, ...tls },
    proxyTls: { timeout: CONNECT_TIMEOUT_MS, ...tls },
    factory: (origin, options) => new Pool(origin, watchTunnels(options as TunnelOptions, sockets)),
    // Only the request for the tunnel goes through this one. undici's main entry puts `connect` on every dispatcher, which
    // the deep paths do not.
    clientFactory: (origin, options) => {
      const pool = new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT_MS });
      const open = (tunnel: Parameters<typeof connect>[0]): ReturnType<typeof connect> =>
        connect.call(pool, { ...tunnel, signal: handover.signal }).catch(failForGood);
      return Object.assign(pool, { connect: open });
    },
  });
}

/** What undici's proxy agent makes its pools with; its types do not tell. */
interface TunnelOptions {
  /** Opens a tunnel, and speaks TLS in it where that is asked for. */
  connect: Connector;
}

function watchTunnels(options: TunnelOptions, sockets: KeptSockets): TunnelOptions {
  const { connect: open } = options;
  return { ...options, connect: (target, callback) => open(target, watched(callback, sockets)) };
}

/** The callback of a connector; sees the socket before undici does. */
function watched(callback: Connected, sockets: KeptSockets): Connected {
  return (...result) => {
    if (result[0] === null) sockets.add(result[1]);
    callback(...result);
  };
}

/** What undici takes for the end of a connection that was in use makes it ask a proxy that closes for ever. */
function failForGood(cause: unknown): never {
  throw new Error('the proxy opened no tunnel', { cause });
}
