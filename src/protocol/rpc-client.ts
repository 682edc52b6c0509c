// The webview's end: requests, cancel frames, and what the host tells unasked. The caller supplies `post` and hands in what
// arrives. Knows no schema, so that the page need not load one.
import type { HostEventName, HostEvents } from './events';
import type { LabMethod, LabParams, LabResults } from './lab';
import type { RequestMethod, RequestParams, RequestResults } from './requests';
import type { ClientFrame, HostFrame } from './rpc-frames';
import type { ErrorInfo } from './view-models';

/** A request that was answered with an error; `info` is fit to be shown. */
export class RequestError extends Error {
  readonly info: ErrorInfo;
  constructor(info: ErrorInfo) {
    super(info.what);
    this.name = 'RequestError';
    this.info = info;
  }
}

export interface RequestOptions {
  /** When it aborts, a cancel frame goes out; the host's reply still settles the promise. */
  signal?: AbortSignal;
}

type Settle = { resolve: (result: unknown) => void; reject: (error: Error) => void };
type Listener<E extends HostEventName> = (data: HostEvents[E]) => void;

/** The webview's end, whatever its page asks. `M`: the methods that it may name. */
class RpcLine<M extends string> {
  readonly #post: (frame: ClientFrame<M>) => void;
  readonly #pending = new Map<string, Settle>();
  readonly #listeners = new Map<HostEventName, Set<(data: unknown) => void>>();
  // A reply to a document that is gone must not settle a request of its successor: ids are never used twice.
  readonly #session = crypto.randomUUID();
  #count = 0;
  #received = 0;

  constructor(post: (frame: ClientFrame<M>) => void) {
    this.#post = post;
  }

  protected send(method: M, params: unknown, { signal }: RequestOptions = {}): Promise<unknown> {
    const id = `${this.#session}:${++this.#count}`;
    const cancel = (): void => this.#post({ kind: 'cancel', id });
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ kind: 'request', id, method, params });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    }).finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** How many frames have come so far. */
  get received(): number {
    return this.#received;
  }

  /** Whether a request has no reply yet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Fails all that is pending, where no reply will come any more. */
  abandon(info: ErrorInfo): void {
    const abandoned = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of abandoned) reject(new RequestError(info));
  }

  /** @returns a function that ends the subscription. */
  on<E extends HostEventName>(name: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener as (data: unknown) => void);
    return () => listeners.delete(listener as (data: unknown) => void);
  }

  receive(frame: HostFrame): void {
    this.#received++;
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

/** That of a playground. */
export class RpcClient extends RpcLine<RequestMethod> {
  /** @throws RequestError with the host's own words. */
  request<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
    options?: RequestOptions,
  ): Promise<RequestResults[M]> {
    return this.send(method, params, options) as Promise<RequestResults[M]>;
  }
}

/** That of the format lab. */
export class LabClient extends RpcLine<LabMethod> {
  /** @throws RequestError with the host's own words. */
  request<M extends LabMethod>(
    method: M,
    params: LabParams[M],
    options?: RequestOptions,
  ): Promise<LabResults[M]> {
    return this.send(method, params, options) as Promise<LabResults[M]>;
  }
}
