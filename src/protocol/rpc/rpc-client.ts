// RPC client of the webview: sends requests and cancel frames, and receives replies and events. The caller supplies `post`
// and passes in what arrives. Does not import the schemas, so that the page need not load them.
import type { HostEventName, HostEvents } from '../events';
import type { LabMethod, LabParams, LabResults } from '../lab/lab';
import type { RecordingMethod, RecordingParams, RecordingResults } from '../recording';
import type { RequestMethod, RequestParams, RequestResults } from '../requests';
import type { ClientFrame, HostFrame } from './rpc-frames';
import type { ErrorInfo } from '../outcome';

/** Thrown when a request was answered with an error; `info` can be shown to a person. */
export class RequestError extends Error {
  readonly info: ErrorInfo;
  constructor(info: ErrorInfo) {
    super(info.what);
    this.name = 'RequestError';
    this.info = info;
  }
}

export interface RpcRequestOptions {
  /** Aborting sends a cancel frame; the promise is still settled by the host's reply. */
  signal?: AbortSignal;
}

type Settle = { resolve: (result: unknown) => void; reject: (error: Error) => void };
type Listener<E extends HostEventName> = (data: HostEvents[E]) => void;

/** Common part of the clients. `M`: the methods of the page. */
class RpcLine<M extends string> {
  readonly #post: (frame: ClientFrame<M>) => void;
  readonly #pending = new Map<string, Settle>();
  readonly #listeners = new Map<HostEventName, Set<(data: unknown) => void>>();
  // Ids are unique across page loads, so that a late reply to a former page cannot settle a request of this one.
  readonly #session = crypto.randomUUID();
  #count = 0;
  #received = 0;

  constructor(post: (frame: ClientFrame<M>) => void) {
    this.#post = post;
  }

  protected send(method: M, params: unknown, { signal }: RpcRequestOptions = {}): Promise<unknown> {
    const id = `${this.#session}:${++this.#count}`;
    const cancel = (): void => this.#post({ kind: 'cancel', id });
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ kind: 'request', id, method, params });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    }).finally(() => {
      // A request that could not be posted gets no reply.
      this.#pending.delete(id);
      signal?.removeEventListener('abort', cancel);
    });
  }

  /** Number of frames received so far. */
  get received(): number {
    return this.#received;
  }

  /** Whether any request has no reply yet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Rejects all pending requests, because no reply will arrive any more. */
  abandon(info: ErrorInfo): void {
    const abandoned = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of abandoned) reject(new RequestError(info));
  }

  /** @returns a function that ends the subscription */
  on<E extends HostEventName>(name: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener as (data: unknown) => void);
    return () => listeners.delete(listener as (data: unknown) => void);
  }

  /** @param frame A frame of the host; anything else is ignored. */
  receive(frame: unknown): void {
    if (!isFrame(frame)) return;
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

/** Only the kind is checked: the host is trusted, but scripts of the browser post messages of their own to a page. */
function isFrame(message: unknown): message is HostFrame {
  const kind = (message as Partial<HostFrame> | null | undefined)?.kind;
  return kind === 'event' || kind === 'reply';
}

/** RPC client of a playground. `Other`: further methods of a page that shows its runs, too. */
export class RpcClient<Other extends string = never> extends RpcLine<RequestMethod | Other> {
  /** @throws RequestError with the text of the host */
  request<M extends RequestMethod>(
    method: M,
    params: RequestParams<M>,
    options?: RpcRequestOptions,
  ): Promise<RequestResults[M]> {
    return this.send(method, params, options) as Promise<RequestResults[M]>;
  }
}

/** RPC client of the page *Recording*. */
export class RecordingClient extends RpcClient<RecordingMethod> {
  /** @throws RequestError with the text of the host */
  ask<M extends RecordingMethod>(method: M, params: RecordingParams[M]): Promise<RecordingResults[M]> {
    return this.send(method, params) as Promise<RecordingResults[M]>;
  }
}

/** RPC client of the format lab. */
export class LabClient extends RpcLine<LabMethod> {
  /** @throws RequestError with the text of the host */
  request<M extends LabMethod>(
    method: M,
    params: LabParams[M],
    options?: RpcRequestOptions,
  ): Promise<LabResults[M]> {
    return this.send(method, params, options) as Promise<LabResults[M]>;
  }
}
