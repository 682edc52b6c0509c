// One attempt: send, read, and say how it ended. Decides nothing.
import type { Clock } from '../util/clock';
import { currentClock } from '../util/clock';
import type { ReceivedResponse } from './call-context';
import { outsideOfCall } from './call-context';
import { decodeBody, isDecodingError } from './decode-body';
import type { HttpRequest } from './http-client';
import { getHttpClient } from './http-client';
import { BodyTooLargeError, readBody } from './read-body';
import { parseRetryAfterMs } from './backoff';
import { readErrorBody } from './error-body';
import { ResponseHeaders, TransportResponse } from './response';
import type { NetworkOptions } from './network-options';
import type { AttemptFailure } from './retry';
import type { StreamReader } from './stream-reader';
import { StreamFailure } from './stream-reader';

export interface AttemptOptions {
  request: Omit<HttpRequest, 'signal'>;
  /** The caller's. */
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  network: NetworkOptions | undefined;
  /** Leave the body unread. */
  isStream: boolean;
  /** Reads the body of a 2xx while it arrives. */
  reader: StreamReader | undefined;
}

export interface AttemptResult {
  /** Present when the server answered, whatever the status. */
  response?: TransportResponse;
  /** What there is of an answer for the eye, one included that its reader refused; its text is '' when it was left unread. */
  received?: ReceivedResponse;
  /** Present unless the answer is a 2xx. */
  failure?: AttemptFailure;
  /** A kept-alive socket that the server had closed: nothing of this request was answered. */
  isStale: boolean;
}

/** Never rejects. @param onHeaders Called when they are there. */
export async function runAttempt(
  options: AttemptOptions,
  onHeaders: (status: number) => void,
): Promise<AttemptResult> {
  const clock = currentClock();
  const deadline = new Deadline(options.signal, options.timeoutMs, clock);
  let isStale = false;
  let isHandedOn = false;
  let reader: StreamReader | undefined;
  let received: ReceivedResponse | undefined;
  try {
    const client = await outsideOfCall(() => getHttpClient(options.network));
    const { target, method, headers: fields, body: content } = options.request;
    const request = { target, method, headers: fields, body: content, signal: deadline.signal };
    const answer = await outsideOfCall(() => client.send(request, () => (isStale = true)));
    const { status } = answer;
    onHeaders(status);
    if (isOk(status)) reader = options.reader;
    const headers = new ResponseHeaders(answer.headers);
    const body = decodeBody(answer.body, headers.get('content-encoding'));
    if (isOk(status) && options.isStream) {
      isHandedOn = true;
      body.once('close', () => deadline.stop());
      // whoever never looks at the body must not be ended by what happens to it
      body.on('error', () => undefined);
      const unread = { status, headers, text: () => '' };
      return { response: new TransportResponse(status, headers, body), received: unread, isStale };
    }
    const { isRead, text } = readBody(body, reader);
    received = { status, headers, text };
    await isRead;
    reader?.end();
    const response = new TransportResponse(status, headers, text);
    if (isOk(status)) return { response, received, isStale };
    return { response, received, failure: toFailure(response, text(), clock), isStale };
  } catch (error) {
    const isCut = reader !== undefined;
    const thrown = toError(error);
    const failure = classify(thrown, options.signal, deadline, isCut);
    // of damaged bytes there is no text, and of a broken connection nobody knows what it would have been
    const isEvidence = OF_THE_ANSWER.has(failure.kind) && !isDecodingError(thrown);
    return { failure, isStale, ...(received && isEvidence && { received }) };
  } finally {
    if (!isHandedOn) deadline.stop();
  }
}

/** What is wrong with what came. */
const OF_THE_ANSWER: ReadonlySet<AttemptFailure['kind']> = new Set(['truncated', 'document', 'format']);

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

function classify(
  error: Error,
  signal: AbortSignal | undefined,
  deadline: Deadline,
  isCut: boolean,
): AttemptFailure {
  if (signal?.aborted) return { kind: 'caller', error };
  if (deadline.hasPassed) return { kind: 'timeout', error };
  if (error instanceof BodyTooLargeError) return { kind: 'too-large', error };
  if (error instanceof StreamFailure) return { kind: error.kind, error };
  if (isDecodingError(error)) {
    return { kind: 'format', error: new StreamFailure('format', 'The compressed body is damaged.') };
  }
  return { kind: isCut ? 'truncated' : 'network', error };
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** What a body ends with that was handed on unread and came too slowly. */
export class DeadlineError extends Error {}

/** One signal for the caller's abort and for the time limit; both end the attempt in every phase, the body included. */
class Deadline {
  hasPassed = false;
  readonly signal: AbortSignal | undefined;
  readonly #cancel: (() => void) | undefined;
  readonly #unlink: (() => void) | undefined;

  constructor(caller: AbortSignal | undefined, timeoutMs: number | undefined, clock: Clock) {
    if (timeoutMs === undefined) {
      this.signal = caller;
      return;
    }
    const controller = new AbortController();
    this.signal = controller.signal;
    // undici's own timers are a second coarse, so the limit is ours
    this.#cancel = clock.after(timeoutMs, () => {
      this.hasPassed = true;
      controller.abort(new DeadlineError(`no complete answer within ${timeoutMs} ms`));
    });
    const abort = (): void => controller.abort(caller?.reason);
    if (caller?.aborted) abort();
    else caller?.addEventListener('abort', abort, { once: true });
    this.#unlink = () => caller?.removeEventListener('abort', abort);
  }

  stop(): void {
    this.#cancel?.();
    this.#unlink?.();
  }
}
