// Requests, replies, cancel frames and events between the webview and the host, over any channel that posts JSON.
// Knows neither side: the caller supplies `post` and hands in what arrives.
import * as v from 'valibot';
import type { HostEventName, HostEvents } from './events';
import type { RequestMethod, RequestParams, RequestResults } from './requests';
import { REQUEST_PARAMS } from './requests';
import type { ErrorInfo } from './view-models';

export type ClientFrame =
  { kind: 'request'; id: string; method: RequestMethod; params: unknown } | { kind: 'cancel'; id: string };
export type HostFrame =
  | { kind: 'reply'; id: string; ok: true; result: unknown }
  | { kind: 'reply'; id: string; ok: false; error: ErrorInfo }
  | { kind: 'event'; name: HostEventName; data: unknown };

/** A request that was answered with an error; `info` is fit to be shown. */
export class RequestError extends Error {
  readonly info: ErrorInfo;
  constructor(info: ErrorInfo) {
    super(info.what);
    this.name = 'RequestError';
    this.info = info;
  }
}

type Settle = { resolve: (result: unknown) => void; reject: (error: Error) => void };
type Listener<E extends HostEventName> = (data: HostEvents[E]) => void;

/** The webview's end. */
export class RpcClient {
  readonly #post: (frame: ClientFrame) => void;
  readonly #pending = new Map<string, Settle>();
  readonly #listeners = new Map<HostEventName, Set<(data: unknown) => void>>();
  // A reply to a document that is gone must not settle a request of its successor: ids are never used twice.
  readonly #session = crypto.randomUUID();
  #count = 0;

  constructor(post: (frame: ClientFrame) => void) {
    this.#post = post;
  }

  /**
   * @param options.signal When it aborts, a cancel frame goes out; the host's reply still settles the promise.
   * @throws RequestError with the host's own words.
   */
  request<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
    options: { signal?: AbortSignal } = {},
  ): Promise<RequestResults[M]> {
    const id = `${this.#session}:${++this.#count}`;
    const { signal } = options;
    const cancel = (): void => this.#post({ kind: 'cancel', id });
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ kind: 'request', id, method, params });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    }).finally(() => signal?.removeEventListener('abort', cancel)) as Promise<RequestResults[M]>;
  }

  /** @returns a function that ends the subscription. */
  on<E extends HostEventName>(name: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener as (data: unknown) => void);
    return () => listeners.delete(listener as (data: unknown) => void);
  }

  receive(frame: HostFrame): void {
    if (frame.kind === 'event') {
      for (const listener of this.#listeners.get(frame.name) ?? []) listener(frame.data);
      return;
    }
    const settle = this.#pending.get(frame.id);
    this.#pending.delete(frame.id);
    if (frame.ok) settle?.resolve(frame.result);
    else settle?.reject(new RequestError(frame.error));
  }
}

/** One handler a request; a forgotten one does not compile. */
export type RequestHandlers = {
  [M in RequestMethod]: (params: RequestParams<M>, signal: AbortSignal) => Promise<RequestResults[M]>;
};

const FrameSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('request'),
    id: v.pipe(v.string(), v.maxLength(100)),
    method: v.picklist(Object.keys(REQUEST_PARAMS) as RequestMethod[]),
    params: v.unknown(),
  }),
  v.strictObject({ kind: v.literal('cancel'), id: v.pipe(v.string(), v.maxLength(100)) }),
]);

export interface RpcServerOptions {
  /** May throw or reject for what the channel cannot carry: a reply then becomes one that says so. */
  post: (frame: HostFrame) => unknown;
  handlers: RequestHandlers;
  /** Turns whatever a handler threw into something to show. */
  toErrorInfo: (error: unknown) => ErrorInfo | Promise<ErrorInfo>;
  /** Told of frames that were dropped: what was wrong, never what they held. */
  onProblem: (problem: string) => void;
}

/** The host's end. Every request gets exactly one reply. */
export class RpcServer {
  readonly #options: RpcServerOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: RpcServerOptions) {
    this.#options = options;
  }

  emit<E extends HostEventName>(name: E, data: HostEvents[E]): void {
    void this.#send({ kind: 'event', name, data });
  }

  async receive(message: unknown): Promise<void> {
    const parsed = v.safeParse(FrameSchema, message);
    if (!parsed.success) {
      this.#options.onProblem(`dropped a malformed message: ${describe(parsed.issues)}`);
      return;
    }
    const frame = parsed.output;
    if (frame.kind === 'cancel') this.#running.get(frame.id)?.abort();
    else await this.#answer(frame);
  }

  /** Aborts what is under way. */
  dispose(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  async #answer({
    id,
    method,
    params,
  }: {
    id: string;
    method: RequestMethod;
    params: unknown;
  }): Promise<void> {
    const { handlers, toErrorInfo, onProblem } = this.#options;
    const checked = v.safeParse(REQUEST_PARAMS[method], params);
    if (!checked.success) {
      const problem = `${method}: ${describe(checked.issues)}`;
      onProblem(`refused a request, ${problem}`);
      await this.#send({ kind: 'reply', id, ok: false, error: invalidRequest(problem) });
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      // the schema that was just applied is this method's own
      const handler = handlers[method] as (params: unknown, signal: AbortSignal) => Promise<unknown>;
      const result = await handler(checked.output, controller.signal);
      await this.#options.post({ kind: 'reply', id, ok: true, result });
    } catch (error) {
      await this.#send({ kind: 'reply', id, ok: false, error: await explainSafely(error, toErrorInfo) });
    } finally {
      this.#running.delete(id);
    }
  }

  /** Never rejects. */
  async #send(frame: HostFrame): Promise<void> {
    try {
      await this.#options.post(frame);
    } catch {
      this.#options.onProblem(`a message could not be posted: ${frame.kind}`);
    }
  }
}

/** A request must be answered even when its failure cannot be explained. */
async function explainSafely(
  error: unknown,
  toErrorInfo: RpcServerOptions['toErrorInfo'],
): Promise<ErrorInfo> {
  try {
    return await toErrorInfo(error);
  } catch {
    return {
      code: 'internal',
      title: 'Something in the extension failed',
      what: 'The extension could not do what was asked, nor say why.',
      why: 'A part of it may not have loaded.',
      next: 'Reload the window; if it happens again, install the extension anew.',
    };
  }
}

/** Where and what, without the value: it may hold anything. */
function describe(issues: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const [first] = issues;
  const place = v.getDotPath(first) ?? 'message';
  if (first.type === 'max_length') return `${place} is longer than ${String(first.requirement)}`;
  return `${place} should be ${first.expected ?? 'of another kind'}`;
}

function invalidRequest(problem: string): ErrorInfo {
  return {
    code: 'invalid-request',
    title: 'The request was refused',
    what: 'The panel asked for something that the extension does not accept.',
    why: problem,
    next: 'If it is too long, shorten it; else reload the window, and report it with the log if it happens again.',
  };
}
