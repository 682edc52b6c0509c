// The only file that imports undici, by deep paths: the main entry would set a global that every extension of the host
// shares. It is a lazily loaded chunk, so that importing the library costs nothing.
import buildConnector from 'undici/lib/core/connect.js';
import connect from 'undici/lib/api/api-connect.js';
import DirectAgent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { findErrorCode, TLS_TIMEOUT_CODE } from './error-code';
import type { AnswerHandler, HttpClient, HttpControl, HttpRequest } from './http-client';
import { CONNECT_TIMEOUT_MS } from './http-client';
import type { NetworkOptions } from './network-options';
import { splitProxy } from './network-options';

type Agent = Pick<InstanceType<typeof DirectAgent>, 'dispatch' | 'close' | 'destroy'>;
type DispatchHandler = Required<Parameters<Agent['dispatch']>[1]>;
type Controller = Parameters<DispatchHandler['onRequestStart']>[0];
type Connector = (...args: Parameters<ReturnType<typeof buildConnector>>) => void;
type Connected = Parameters<Connector>[1];

/** undici's own limits (300 s for headers, 300 s between chunks) would end a slow local model that works. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** @returns a client with connections of its own; `destroy` closes them all. */
export const openHttpClient = (network: NetworkOptions): HttpClient => new UndiciClient(network);

class UndiciClient implements HttpClient {
  readonly #network: NetworkOptions;
  readonly #handover: Handover = { request: undefined, isNew: false };
  /** The last one takes the requests; those before it end the ones that they have. */
  readonly #agents = new Set<Agent>();
  #agent: Agent;

  constructor(network: NetworkOptions) {
    this.#network = network;
    this.#agent = this.#openAgent();
  }

  send({ target, method, headers: given, body }: HttpRequest, handler: AnswerHandler): HttpControl {
    const { origin, pathname, search } = target;
    // a proxy agent writes `host` into what it is given
    const headers = this.#network.proxy === undefined ? given : { ...given };
    const agent = this.#agent;
    const request = new SentRequest(handler, this.#handover, () => this.#leave(agent));
    this.#handover.request = request;
    try {
      agent.dispatch({ origin, path: pathname + search, method, headers, body: body ?? null }, request);
    } catch (error) {
      // a proxy agent throws for a header that it sets itself
      request.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#handover.request = undefined;
    }
    return request;
  }

  async destroy(): Promise<void> {
    await Promise.all(Array.from(this.#agents, (agent) => agent.destroy()));
  }

  #openAgent(): Agent {
    const { proxy } = this.#network;
    const agent =
      proxy === undefined
        ? openDirect(this.#network, this.#handover)
        : openProxied(proxy, this.#network, this.#handover);
    this.#agents.add(agent);
    return agent;
  }

  /** Where a kept connection was found closed, the others that are kept may be so too: from now on new ones are opened. */
  #leave(agent: Agent): void {
    if (agent !== this.#agent) return;
    this.#agent = this.#openAgent();
    const forget = (): boolean => this.#agents.delete(agent);
    agent.close().then(forget, forget);
  }
}

function toTls({ ca, rejectUnauthorized }: NetworkOptions): { ca?: string[]; rejectUnauthorized?: boolean } {
  return { ...(ca && { ca: [...ca] }), ...(rejectUnauthorized !== undefined && { rejectUnauthorized }) };
}

/** What undici does not tell: which request a connection is opened for, and whether a request is the first on its one. */
interface Handover {
  /** The request that undici is just being given: where it needs a connection, it opens it meanwhile. */
  request: SentRequest | undefined;
  /** undici is just being given a new connection, and sends the request that waits for it meanwhile. */
  isNew: boolean;
}

/** What the other side's end of a connection is called. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** One request in undici's hands: its handler and its control. */
class SentRequest implements Partial<DispatchHandler>, HttpControl {
  readonly #handler: AnswerHandler;
  readonly #handover: Handover;
  readonly #onUnanswered: () => void;
  #controller: Controller | undefined;
  #giveUp: (() => void) | undefined;
  #isOver = false;
  #isKept = false;

  /** @param onUnanswered Called before the handler is told. */
  constructor(handler: AnswerHandler, handover: Handover, onUnanswered: () => void) {
    this.#handler = handler;
    this.#handover = handover;
    this.#onUnanswered = onUnanswered;
  }

  /** @param giveUp Ends the connection that is being opened for this request. */
  waitFor(giveUp: (() => void) | undefined): void {
    this.#giveUp = giveUp;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    this.#isKept = !this.#handover.isNew;
    if (this.#isOver) controller.abort(new Error('aborted'));
  }

  /** At the first byte of an answer. */
  onResponseStarted(): void {
    this.#isKept = false;
  }

  onResponseStart(...[, status, headers]: Parameters<DispatchHandler['onResponseStart']>): void {
    // early hints
    if (status >= 200 && !this.#isOver) this.#handler.onHeaders(status, headers);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    if (!this.#isOver) this.#handler.onData(chunk);
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onEnd();
  }

  onResponseError(_: Controller | undefined, error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { code } = error as Error & { code?: unknown };
    const isUnanswered = this.#isKept && CLOSED.has(String(code));
    if (isUnanswered) this.#onUnanswered();
    this.#handler.onError(error, isUnanswered);
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#controller) this.#controller.abort(new Error('aborted'));
    else this.#giveUp?.();
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }
}

function openDirect(network: NetworkOptions, handover: Handover): Agent {
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...toTls(network) });
  return new DirectAgent({
    ...NO_LIMITS,
    connect: (options, callback) => {
      const { request } = handover;
      let isConnected = false;
      const socket = open(options, (...result) => {
        request?.waitFor(undefined);
        announced(callback, handover)(...(isConnected ? toHandshake(result) : result));
      });
      // of a TLS connection it comes before the handshake
      socket.once('connect', () => (isConnected = true));
      request?.waitFor(() => void socket.destroy(new Error('stopped while the connection was opened')));
    },
  });
}

function openProxied(proxy: string, network: NetworkOptions, handover: Handover): Agent {
  const tls = toTls(network);
  const { uri, authorization: token } = splitProxy(proxy, network.proxyAuthorization);
  return new ProxyAgent({
    ...NO_LIMITS,
    uri,
    ...(token !== undefined && { token }),
    requestTls: { timeout: CONNECT_TIMEOUT_MS, ...tls },
    proxyTls: { timeout: CONNECT_TIMEOUT_MS, ...tls },
    factory: (origin, options) => new Pool(origin, announceTunnels(options as TunnelOptions, handover)),
    // Only the request for the tunnel goes through this one. undici's main entry puts `connect` on every dispatcher, which
    // the deep paths do not.
    clientFactory: (origin, options) => {
      const pool = new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT_MS });
      const open = (tunnel: Parameters<typeof connect>[0]): ReturnType<typeof connect> => {
        const stop = new AbortController();
        handover.request?.waitFor(() => stop.abort());
        return connect.call(pool, { ...tunnel, signal: stop.signal }).catch(failForGood);
      };
      return Object.assign(pool, { connect: open });
    },
  });
}

/** What undici's proxy agent makes its pools with; its types do not tell. */
interface TunnelOptions {
  /** Opens a tunnel, and speaks TLS in it where that is asked for. */
  connect: Connector;
}

function announceTunnels(options: TunnelOptions, handover: Handover): TunnelOptions {
  const { connect: open } = options;
  return {
    ...options,
    connect: (target, callback) =>
      // what failed before the tunnel stood says so itself
      open(target, (...result) => announced(callback, handover)(...toHandshake(result))),
  };
}

/** undici has one error for a connection that does not stand in time, and for one whose TLS does not answer. */
function toHandshake(result: Parameters<Connected>): Parameters<Connected> {
  const [error] = result;
  if (error === null || findErrorCode(error) !== 'UND_ERR_CONNECT_TIMEOUT' || error.cause) return result;
  const late = new Error('the TLS handshake did not end in time');
  return [Object.assign(late, { code: TLS_TIMEOUT_CODE }), null];
}

/** The callback of a connector, which hands a connection to undici. */
function announced(callback: Connected, handover: Handover): Connected {
  return (...result) => {
    handover.isNew = true;
    try {
      callback(...result);
    } finally {
      handover.isNew = false;
    }
  };
}

/** What undici takes for the end of a connection that was in use makes it ask a proxy that closes for ever. */
function failForGood(cause: unknown): never {
  throw new Error('the proxy opened no tunnel', { cause });
}
