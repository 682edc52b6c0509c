// One attempt: send, read, and say how it ended. Decides nothing.
import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import { onAbort } from '../util/abort';
import type { Clock } from '../util/clock';
import { AnswerBody } from './answer-body';
import { parseRetryAfterMs } from './backoff';
import type { ReceivedResponse } from './call-context';
import { outsideOfCall } from './call-context';
import { decodeBody, EncodingError, isDecodingError, parseEncodings } from './decode-body';
import { readErrorBody } from './error-body';
import type { AnswerHandler, HttpClient, HttpControl, HttpRequest } from './http-client';
import { getHttpClient, NOT_SENT } from './http-client';
import type { NetworkOptions } from './network-options';
import { BodyCollector, BodyTooLargeError } from './read-body';
import { ResponseHeaders, TransportResponse } from './response';
import type { AttemptFailure } from './retry';
import type { StreamReader } from './stream-reader';
import { StreamFailure } from './stream-reader';
import type { WireRecorder } from './wire-recorder';

export interface AttemptOptions {
  request: HttpRequest;
  clock: Clock;
  /** The caller's. */
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  network: NetworkOptions | undefined;
  /** Leave the body unread. */
  isStream: boolean;
  /** Reads the body of a 2xx while it arrives, in the context of whoever runs the attempt. */
  reader: StreamReader | undefined;
  /** Called when the headers are there, in any context. */
  onHeaders: (() => void) | undefined;
  /** Keeps what goes over the wire, for an observer. */
  recorder: WireRecorder | undefined;
}

export interface AttemptResult {
  /** Known as soon as the headers are there, whatever becomes of the body. */
  status?: number;
  /** Milliseconds from the start. */
  headersMs?: number;
  /** Present when the server answered, whatever the status. */
  response?: TransportResponse;
  /** The answer as far as it came, whatever became of it; its text is '' when it was left unread. */
  received?: ReceivedResponse | undefined;
  /** Present unless the answer is a 2xx. */
  failure?: AttemptFailure;
  /** A kept connection that the server had closed: nothing of this request was answered. The next one is opened anew. */
  isStale: boolean;
}

/** Never rejects. */
export function runAttempt(options: AttemptOptions): Promise<AttemptResult> {
  return new Promise((resolve) => new Attempt(options, resolve).begin());
}

/** What a body ends with that was handed on unread and came too slowly. */
export class DeadlineError extends Error {}

/** A kept connection that is closed later than this was not closed already: the server may have worked on the request. */
const STALE_WITHIN_MS = 5000;

/** How long a connection may stay open behind the end mark of its stream: servers that forget to close it exist. */
const MAX_LINGER_MS = 1000;

class Attempt implements AnswerHandler {
  readonly #options: AttemptOptions;
  readonly #resolve: (result: AttemptResult) => void;
  readonly #result: AttemptResult = { isStale: false };
  readonly #start: number;
  /** On a kept connection pieces arrive in the context of the call that opened it. */
  readonly #scope: AsyncResource | undefined;
  #control: HttpControl = NOT_SENT;
  #isOver = false;
  #hasUnseen = false;
  #cancelLimit: (() => void) | undefined;
  #forgetSignal: (() => void) | undefined;
  #linger: NodeJS.Timeout | undefined;
  #headers: ResponseHeaders | undefined;
  #reader: StreamReader | undefined;
  /** Present once the headers are there, unless the body is handed on. */
  #collector: BodyCollector | undefined;
  /** Of an answer that is decoded or handed on. */
  #body: AnswerBody | undefined;
  #handedOn: Readable | undefined;

  constructor(options: AttemptOptions, resolve: (result: AttemptResult) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#start = options.clock.elapsed();
    if (options.reader) this.#scope = new AsyncResource('HttpAttempt');
  }

  begin(): void {
    const { clock, signal, timeoutMs } = this.#options;
    const stop = (): void => this.#stop({ kind: 'caller', error: toError(signal?.reason) });
    if (signal?.aborted) {
      stop();
      return;
    }
    if (signal) this.#forgetSignal = onAbort(signal, stop);
    outsideOfCall(() => {
      // undici's own timers are a second coarse, so the limit is ours
      if (timeoutMs !== undefined)
        this.#cancelLimit = clock.limit(timeoutMs, () => this.#stopLate(timeoutMs));
      this.#send();
    });
  }

  #send(): void {
    const client = getHttpClient(this.#options.network);
    if (client instanceof Promise) void this.#sendWhenOpen(client);
    else this.#sendBy(client);
  }

  async #sendWhenOpen(opening: Promise<HttpClient>): Promise<void> {
    try {
      const client = await opening;
      if (!this.#isOver) this.#sendBy(client);
    } catch (error) {
      this.onError(toError(error), false);
    }
  }

  #sendBy(client: HttpClient): void {
    const { request, recorder } = this.#options;
    this.#control = client.send(request, recorder?.before(this) ?? this);
  }

  onHeaders(status: number, fields: Record<string, string | string[] | undefined>): void {
    const { clock, isStream, onHeaders, reader } = this.#options;
    this.#result.status = status;
    this.#result.headersMs = clock.elapsed() - this.#start;
    this.#headers = new ResponseHeaders(fields);
    onHeaders?.();
    if (this.#isOver) return; // whoever was told may have stopped the call
    if (isOk(status)) this.#reader = reader;
    this.#result.received = { status, headers: this.#headers, text: () => '' };
    try {
      const encodings = parseEncodings(this.#headers.get('content-encoding'));
      if (isOk(status) && isStream) this.#handOn(status, this.#headers, encodings);
      else this.#collect(status, this.#headers, encodings);
    } catch (error) {
      this.#fail(toError(error));
    }
  }

  onData(chunk: Buffer): void {
    if (this.#body) this.#body.accept(chunk);
    else this.#take(chunk);
  }

  onEnd(): void {
    if (this.#body) this.#body.push(null);
    else this.#finish();
  }

  onError(error: Error, isUnanswered: boolean): void {
    const { clock } = this.#options;
    this.#result.isStale = isUnanswered && clock.elapsed() - this.#start < STALE_WITHIN_MS;
    if (this.#body) this.#body.destroy(error);
    else this.#fail(error);
  }

  #openBody(encodings: readonly string[]): Readable {
    this.#body = new AnswerBody(this.#control);
    return decodeBody(this.#body, encodings);
  }

  #handOn(status: number, headers: ResponseHeaders, encodings: readonly string[]): void {
    const body = this.#openBody(encodings);
    this.#handedOn = body;
    body.once('close', () => this.#end());
    // whoever never looks at the body must not be ended by what happens to it
    body.on('error', () => undefined);
    this.#result.response = new TransportResponse(status, headers, body);
    this.#resolve(this.#result);
  }

  #collect(status: number, headers: ResponseHeaders, encodings: readonly string[]): void {
    const collector = new BodyCollector();
    this.#collector = collector;
    this.#result.received = { status, headers, text: collector.text };
    if (encodings.length === 0) return;
    const body = this.#openBody(encodings);
    body.on('data', (chunk: Buffer) => this.#take(chunk));
    body.once('end', () => this.#finish());
    body.once('error', (error) => this.#fail(error));
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#collector?.take(chunk);
    } catch (error) {
      this.#fail(toError(error));
      return;
    }
    if (!this.#reader || this.#hasUnseen) return;
    this.#hasUnseen = true;
    // when all that came at once is there
    queueMicrotask(() => this.#show());
  }

  /** To the reader, what it has not seen yet. */
  #show(): void {
    const reader = this.#reader;
    if (!reader || !this.#hasUnseen || this.#isOver) return;
    this.#hasUnseen = false;
    try {
      this.#scope?.runInAsyncScope(() => this.#collector?.show(reader));
      if (!this.#isOver && reader.isComplete?.())
        this.#linger ??= setTimeout(() => this.#finish(), MAX_LINGER_MS);
    } catch (error) {
      this.#fail(toError(error));
    }
  }

  /** The body is there, or what follows its end mark is of no interest. */
  #finish(): void {
    this.#show();
    if (this.#isOver) return;
    const { status = 0, received } = this.#result;
    const text = received?.text ?? (() => '');
    try {
      if (this.#reader) this.#scope?.runInAsyncScope(() => this.#reader?.end());
      const response = new TransportResponse(status, this.#headers ?? new ResponseHeaders({}), text);
      this.#result.response = response;
      if (!isOk(status)) this.#result.failure = toFailure(response, text(), this.#options.clock);
    } catch (error) {
      this.#break(toError(error));
      return;
    }
    this.#settle();
  }

  /** What the connection does behind the end mark of a stream harms nobody. */
  #fail(error: Error): void {
    this.#show(); // what came together with the error
    if (this.#reader?.isComplete?.()) this.#finish();
    else this.#break(error);
  }

  #break(error: Error): void {
    this.#stop(classify(error, this.#options.signal, this.#reader !== undefined));
  }

  #stopLate(timeoutMs: number): void {
    this.#stop({ kind: 'timeout', error: new DeadlineError(`no complete answer within ${timeoutMs} ms`) });
  }

  #stop(failure: AttemptFailure & { error: Error }): void {
    if (this.#isOver) return;
    if (this.#handedOn) {
      this.#handedOn.destroy(failure.error);
      return;
    }
    this.#result.failure = failure;
    this.#settle();
  }

  #settle(): void {
    this.#end();
    this.#resolve(this.#result);
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelLimit?.();
    this.#forgetSignal?.();
    clearTimeout(this.#linger);
    this.#body?.destroy();
    this.#control.abort();
  }
}

const isOk = (status: number): boolean => status >= 200 && status < 300;

function toFailure({ status, headers }: TransportResponse, text: string, clock: Clock): AttemptFailure {
  return {
    kind: 'answer',
    status,
    retryAfterMs: parseRetryAfterMs((name) => headers.get(name), clock.now()),
    vetoed: headers.get('x-should-retry') === 'false',
    body: readErrorBody(text),
  };
}

/** @param isCut The answer had begun to be read as a stream. */
function classify(
  error: Error,
  signal: AbortSignal | undefined,
  isCut: boolean,
): AttemptFailure & { error: Error } {
  if (signal?.aborted) return { kind: 'caller', error };
  if (error instanceof BodyTooLargeError) return { kind: 'too-large', error };
  if (error instanceof StreamFailure) return { kind: error.kind, error, serverCode: error.serverCode };
  if (error instanceof EncodingError) return { kind: 'format', error };
  if (isDecodingError(error))
    return { kind: 'format', error: new EncodingError('The compressed body is damaged.') };
  return { kind: isCut ? 'truncated' : 'network', error };
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
