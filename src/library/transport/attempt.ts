// Runs one attempt: sends the request, reads the response, and reports how it ended. Does not decide about retries.
import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import { onAbort } from '../util/abort';
import { callSafely } from '../util/call-safely';
import type { Clock } from '../util/clock';
import type { Limit, Limited } from '../util/deadlines';
import { toError } from '../util/thrown';
import { AnswerBody } from './answer/answer-body';
import { parseRetryAfterMs } from './retry/backoff';
import type { ReceivedResponse } from './call-context';
import { outsideOfCall } from './call-context';
import { decodeBody, EncodingError, isDecodingError, parseEncodings } from './answer/decode-body';
import { readErrorBody } from './answer/error-body';
import type { AnswerHandler, HttpClient, HttpControl, HttpRequest } from './client/http-client';
import { NOT_SENT } from './client/http-client';
import { getHttpClient } from './client/open-clients';
import type { NetworkOptions } from './client/network-options';
import { BodyCollector, BodyTooLargeError } from './answer/read-body';
import { ResponseHeaders, TransportResponse } from './answer/response';
import type { AttemptFailure } from './retry/retry';
import type { StreamReader } from './client/stream-reader';
import { StreamFailure } from './client/stream-reader';
import type { WireRecorder } from './wire-recorder';

export interface AttemptOptions {
  request: HttpRequest;
  clock: Clock;
  /** The caller's signal. */
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  network: NetworkOptions | undefined;
  /** Whether to leave the body unread. */
  isStream: boolean;
  /** Reads the body of a 2xx response as it arrives, in the async context in which the attempt was started. */
  reader: StreamReader | undefined;
  /** Refuses the complete body of a 2xx. @throws StreamFailure */
  refuseText: ((text: string) => void) | undefined;
  /** Called when the headers have arrived, in an undefined async context. */
  onHeaders: (() => void) | undefined;
  /** Records what is sent and received, for an observer. */
  recorder: WireRecorder | undefined;
}

export interface AttemptResult {
  /** Known once the headers have arrived, whatever happens to the body. */
  status?: number;
  /** Milliseconds from the start of the attempt. */
  headersMs?: number;
  /** Present, whatever the status, when the whole response has arrived, or its body is passed on unread. */
  response?: TransportResponse;
  /** The response as far as it arrived, even if the attempt failed; its text is '' when the body was left unread. */
  received?: (ReceivedResponse & { headers: ResponseHeaders }) | undefined;
  /** Absent only when the response is a 2xx that was received without an error, or is passed on unread. */
  failure?: AttemptFailure;
  /**
   * Whether the server had closed a reused connection, so that nothing of this request was answered. The next request opens
   * a new connection.
   */
  isStale: boolean;
}

/** Runs one attempt. Never rejects. */
export function runAttempt(options: AttemptOptions): Promise<AttemptResult> {
  return new Promise((resolve) => new Attempt(options, resolve).begin());
}

/** Says that an attempt exceeded its time limit. A body that was passed on unread then ends with this error. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** What ended bodies that were passed on unread. */
const brokenBodies = new WeakSet<Error>();

/** Whether the error ended a body that was passed on unread. */
export const endedBody = (error: Error): boolean => brokenBodies.has(error);

/**
 * A server may close a kept-alive connection just before the next request is sent on it; that shows within so many milliseconds,
 * and the request can safely be sent again. If the connection is closed later, the server may already have worked on the request.
 */
const STALE_WITHIN_MS = 5000;

/**
 * How long a connection may stay open after the end mark of its stream, in milliseconds, because some servers never close
 * it.
 */
const MAX_LINGER_MS = 1000;

class Attempt implements AnswerHandler, Limited {
  readonly #options: AttemptOptions;
  readonly #resolve: (result: AttemptResult) => void;
  readonly #result: AttemptResult = { isStale: false };
  readonly #start: number;
  /** The async context of the attempt. On a reused connection, data arrives in the context of the call that opened it. */
  readonly #scope: AsyncResource | undefined;
  #control: HttpControl = NOT_SENT;
  #isOver = false;
  #hasUnseen = false;
  /** Whether any byte of the body has arrived. */
  #hasBody = false;
  #limit: Limit | undefined;
  #forgetSignal: (() => void) | undefined;
  #linger: NodeJS.Timeout | undefined;
  #headers: ResponseHeaders | undefined;
  #reader: StreamReader | undefined;
  /** Present once the headers have arrived, unless the body is passed on unread. */
  #collector: BodyCollector | undefined;
  /** The raw body, if it has to be decoded or is passed on unread. */
  #body: AnswerBody | undefined;
  #handedOn: Readable | undefined;

  constructor(options: AttemptOptions, resolve: (result: AttemptResult) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#start = options.clock.elapsed();
    if (options.reader) this.#scope = new AsyncResource('HttpAttempt');
  }

  begin(): void {
    const { signal } = this.#options;
    if (signal?.aborted) {
      this.#stopForCaller();
      return;
    }
    if (signal) this.#forgetSignal = onAbort(signal, () => this.#stopForCaller());
    outsideOfCall(() => {
      this.#startLimit();
      this.#send();
    });
  }

  /** Starts a timer of our own, because those of undici are only accurate to a second. */
  #startLimit(): void {
    if (this.#options.timeoutMs === undefined) return;
    this.#limit = this.#options.clock.limit(this.#options.timeoutMs, this);
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
    if (this.#isOver) return; // the callback may have stopped the call
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
    this.#hasBody = true;
    if (this.#body) this.#body.accept(chunk);
    else this.#take(chunk);
  }

  onEnd(): void {
    // Decoders refuse an empty body, but servers name an encoding for one too.
    const isDecoded = this.#body !== undefined && (this.#hasBody || this.#handedOn !== undefined);
    if (isDecoded) this.#body?.push(null);
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
    // An error of the body must not crash a caller that never looks at it.
    body.on('error', (error) => void brokenBodies.add(error));
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
    // Later in the same turn, so that everything that arrived at once is passed on together.
    queueMicrotask(() => this.#show());
  }

  /** Passes what the reader has not seen yet to the reader. */
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

  /** Called when the body is complete, or when nothing after its end mark matters. */
  #finish(): void {
    this.#show();
    if (this.#isOver) return;
    const { status = 0, received } = this.#result;
    const text = received?.text ?? (() => '');
    try {
      if (this.#reader) this.#scope?.runInAsyncScope(() => this.#reader?.end());
      if (isOk(status)) this.#options.refuseText?.(text());
      const response = new TransportResponse(status, this.#headers ?? new ResponseHeaders({}), text);
      this.#result.response = response;
      if (!isOk(status)) this.#result.failure = toFailure(response, text(), this.#options.clock);
    } catch (error) {
      this.#break(toError(error));
      return;
    }
    this.#settle();
  }

  /** After the end mark of a stream, errors of the connection do not matter. */
  #fail(error: Error): void {
    this.#show(); // passes on what arrived together with the error
    // A reader may be code of others; what it throws here would leave the attempt without an end.
    if (callSafely(() => this.#reader?.isComplete?.())) this.#finish();
    else this.#break(error);
  }

  #break(error: Error): void {
    const failure = classify(error, this.#options.signal, this.#reader !== undefined);
    const { status } = this.#result;
    // The status alone says that it is an error, and decides whether it is retried.
    if (failure.kind === 'format' && status !== undefined && !isOk(status))
      this.#settleUnreadable(status, error);
    else this.#stop(failure);
  }

  #settleUnreadable(status: number, error: Error): void {
    if (this.#isOver) return;
    const text = this.#result.received?.text ?? (() => '');
    const headers = this.#headers ?? new ResponseHeaders({});
    const response = new TransportResponse(status, headers, text, toEncodingError(error).message);
    this.#result.response = response;
    this.#result.failure = toFailure(response, text(), this.#options.clock);
    this.#settle();
  }

  #stopForCaller(): void {
    this.#stop({ kind: 'caller', error: toError(this.#options.signal?.reason) });
  }

  onLimit(): void {
    const error = new DeadlineError(`no complete answer within ${this.#options.timeoutMs} ms`);
    this.#stop({ kind: 'timeout', error });
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
    this.#limit?.cancel();
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
    body: readErrorBody(text, status),
  };
}

/** @param isCut Whether the response was being read as a stream. */
function classify(
  error: Error,
  signal: AbortSignal | undefined,
  isCut: boolean,
): AttemptFailure & { error: Error } {
  if (signal?.aborted) return { kind: 'caller', error };
  if (error instanceof BodyTooLargeError) return { kind: 'too-large', error };
  if (error instanceof StreamFailure) return { kind: error.kind, error, told: error.told };
  if (error instanceof EncodingError || isDecodingError(error))
    return { kind: 'format', error: toEncodingError(error) };
  return { kind: isCut ? 'truncated' : 'network', error };
}

const toEncodingError = (error: Error): Error =>
  error instanceof EncodingError ? error : new EncodingError('The compressed body is damaged.');
