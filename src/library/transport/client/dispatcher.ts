// The only file that imports undici. It uses deep paths, because the main entry sets a global that all extensions of the
// host share. It is a lazily loaded chunk, so importing the library costs nothing.
import buildConnector from 'undici/lib/core/connect.js';
import connect from 'undici/lib/api/api-connect.js';
import DirectAgent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { toError } from '../../util/thrown';
import { findErrorCode, TLS_TIMEOUT_CODE } from '../failure/error-code';
import type { AnswerHandler, HttpClient, HttpControl, HttpRequest } from './http-client';
import { CONNECT_TIMEOUT_MS } from './http-client';
import type { NetworkOptions } from './network-options';
import { splitProxy } from './network-options';
import { NO_TUNNEL } from '../failure/proxy-failure';

type Agent = Pick<InstanceType<typeof DirectAgent>, 'dispatch' | 'close' | 'destroy'>;
type DispatchHandler = Required<Parameters<Agent['dispatch']>[1]>;
type Controller = Parameters<DispatchHandler['onRequestStart']>[0];
type Connector = (...args: Parameters<ReturnType<typeof buildConnector>>) => void;
type Connected = Parameters<Connector>[1];

/** undici's own limits (300 s for headers, 300 s between chunks) would abort a slow local model that works. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * A name may have several addresses, which Node tries one after the other. It would give each only 250 ms, in which a distant
 * server does not answer, or one behind a VPN.
 */
const ADDRESS_TIMEOUT_MS = CONNECT_TIMEOUT_MS / 4;
const CONNECTING = { timeout: CONNECT_TIMEOUT_MS, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS };

/** @returns a client with its own connections; `destroy` closes all of them */
export const openHttpClient = (network: NetworkOptions): HttpClient => new UndiciClient(network);

class UndiciClient implements HttpClient {
  readonly #network: NetworkOptions;
  readonly #handover: Handover = { request: undefined, isNew: false };
  /** The last agent takes new requests; the agents before it only finish their requests. */
  readonly #agents = new Set<Agent>();
  #agent: Agent;

  constructor(network: NetworkOptions) {
    this.#network = network;
    this.#agent = this.#openAgent();
  }

  send({ target, method, headers: given, body }: HttpRequest, handler: AnswerHandler): HttpControl {
    const { origin, pathname, search } = target;
    // A proxy agent adds `host` to an object, so it gets a copy.
    const isKept = this.#network.proxy === undefined || Array.isArray(given);
    const headers = isKept ? given : { ...given };
    const agent = this.#agent;
    const request = new UndiciRequest(handler, this.#handover, this, agent);
    this.#handover.request = request;
    try {
      agent.dispatch({ origin, path: pathname + search, method, headers, body: body ?? null }, request);
    } catch (error) {
      // A proxy agent throws for a header that it sets itself.
      request.onResponseError(undefined, toError(error));
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

  /**
   * When a kept-alive connection turns out to be closed, the others may be too, so a new agent opens new ones from now on.
   */
  leave(agent: Agent): void {
    if (agent !== this.#agent) return;
    this.#agent = this.#openAgent();
    const forget = (): boolean => this.#agents.delete(agent);
    agent.close().then(forget, forget);
  }
}

function toTls({ ca, rejectUnauthorized }: NetworkOptions): { ca?: string[]; rejectUnauthorized?: boolean } {
  return { ...(ca && { ca: [...ca] }), ...(rejectUnauthorized !== undefined && { rejectUnauthorized }) };
}

/**
 * Passes on what undici does not report: for which request a connection is opened, and whether a request is the first on it.
 */
interface Handover {
  /** The request that is being passed to undici. If undici opens a connection meanwhile, it is for this request. */
  request: UndiciRequest | undefined;
  /** Whether a new connection is being passed to undici. A request that undici sends meanwhile is the first on it. */
  isNew: boolean;
}

/** Error codes of a connection that the other side closed. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Number of pieces of a body after which other work has a turn, such as a stop: a server may send each byte as a piece of its
 * own, and a connection may be read for as long as it has more. Not fewer, because undici then buffers what arrives
 * meanwhile: so many pieces are 192 KiB or more, and in one turn a socket buffers less.
 */
const PIECES_AT_ONCE = 32_768;

/** One request in undici: the handler that undici calls, and the control for the caller. */
class UndiciRequest implements Partial<DispatchHandler>, HttpControl {
  readonly #handler: AnswerHandler;
  readonly #handover: Handover;
  readonly #client: Pick<UndiciClient, 'leave'>;
  readonly #agent: Agent;
  #controller: Controller | undefined;
  #giveUp: (() => void) | undefined;
  #isOver = false;
  #isKept = false;
  #pieces = 0;
  /** Whether the caller has paused, and whether other work has its turn. */
  #isPaused = false;
  #isResting = false;

  /** @param client Leaves the agent, before the handler's `onError`, when the server closed a connection unanswered. */
  constructor(handler: AnswerHandler, handover: Handover, client: Pick<UndiciClient, 'leave'>, agent: Agent) {
    this.#handler = handler;
    this.#handover = handover;
    this.#client = client;
    this.#agent = agent;
  }

  /** @param giveUp Closes the connection that is being opened for this request; undefined once it is open. */
  waitFor(giveUp: (() => void) | undefined): void {
    this.#giveUp = giveUp;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    this.#isKept = !this.#handover.isNew;
    if (this.#isOver) controller.abort(new Error('aborted'));
  }

  /** Called at the first byte of a response. */
  onResponseStarted(): void {
    this.#isKept = false;
  }

  onResponseStart(...[, status, headers]: Parameters<DispatchHandler['onResponseStart']>): void {
    // Informational responses, such as early hints, are skipped.
    if (status >= 200 && !this.#isOver) this.#handler.onHeaders(status, headers);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#handler.onData(chunk);
    this.#pieces += 1;
    if (this.#pieces % PIECES_AT_ONCE === 0) this.#rest();
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
    if (isUnanswered) this.#client.leave(this.#agent);
    this.#handler.onError(error, isUnanswered);
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#controller) this.#controller.abort(new Error('aborted'));
    else this.#giveUp?.();
  }

  pause(): void {
    this.#isPaused = true;
    this.#controller?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isResting) this.#controller?.resume();
  }

  #rest(): void {
    this.#isResting = true;
    this.#controller?.pause();
    setImmediate(() => {
      this.#isResting = false;
      if (!this.#isPaused) this.#controller?.resume();
    });
  }
}

function openDirect(network: NetworkOptions, handover: Handover): Agent {
  const open = buildConnector({ ...CONNECTING, ...toTls(network) });
  return new DirectAgent({
    ...NO_LIMITS,
    connect: (options, callback) => {
      const { request } = handover;
      let isConnected = false;
      const socket = open(options, (...result) => {
        request?.waitFor(undefined);
        announced(callback, handover)(...(isConnected ? toHandshake(result) : result));
      });
      // For TLS, this event comes before the handshake.
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
    proxyTls: { ...CONNECTING, ...tls },
    factory: (origin, options) => new Pool(origin, announceTunnels(options as TunnelOptions, handover)),
    // Used only for the request that opens the tunnel. undici's main entry adds `connect` to every dispatcher; the deep
    // paths do not.
    clientFactory: (origin, options) => {
      const pool = new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT_MS });
      const open = (tunnel: Parameters<typeof connect>[0]): ReturnType<typeof connect> => {
        const stop = new AbortController();
        handover.request?.waitFor(() => stop.abort());
        return connect.call(pool, { ...tunnel, signal: stop.signal }).catch(failPermanently);
      };
      return Object.assign(pool, { connect: open });
    },
  });
}

/** The options with which undici's proxy agent creates its pools; its types lack them. */
interface TunnelOptions {
  /** Opens a tunnel, with TLS inside if required. */
  connect: Connector;
}

function announceTunnels(options: TunnelOptions, handover: Handover): TunnelOptions {
  const { connect: open } = options;
  return {
    ...options,
    connect: (target, callback) =>
      // An error from before the tunnel was open has a cause, and stays unchanged.
      open(target, (...result) => announced(callback, handover)(...toHandshake(result))),
  };
}

/**
 * undici has the same error for a connection that is not open in time and for TLS that does not answer. This tells them
 * apart.
 */
function toHandshake(result: Parameters<Connected>): Parameters<Connected> {
  const [error] = result;
  if (error === null || findErrorCode(error) !== 'UND_ERR_CONNECT_TIMEOUT' || error.cause) return result;
  const late = new Error('the TLS handshake did not end in time');
  return [Object.assign(late, { code: TLS_TIMEOUT_CODE }), null];
}

/** Wraps the callback by which a connector passes a connection to undici, and marks the connection as new. */
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

/**
 * Hides the error code, because undici would take it for the end of a connection that was in use, and would ask a proxy that
 * closes its connections again and again.
 */
function failPermanently(cause: unknown): never {
  throw new Error(NO_TUNNEL, { cause });
}
