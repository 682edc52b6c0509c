// One attempt: send, read, and say how it ended. Decides nothing.
import { decodeBody, isDecodingError } from './decode-body';
import type { HttpAnswer, HttpRequest } from './http-client';
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
  request: Omit<HttpRequest, 'signal' | 'onStaleSocket'>;
  /** The caller's. */
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  network: NetworkOptions | undefined;
  /** Leave the body unread. */
  isStream: boolean;
  /** Reads the body of a 2xx while it arrives. */
  reader: StreamReader | undefined;
  onHeaders: (status: number) => void;
}

export interface AttemptResult {
  /** Present when the server answered, whatever the status. */
  response?: TransportResponse;
  /** Present unless the answer is a 2xx. */
  failure?: AttemptFailure;
  /** A kept-alive socket that the server had closed: nothing of this request was answered. */
  isStale: boolean;
}

/** Never rejects. */
export async function runAttempt(options: AttemptOptions): Promise<AttemptResult> {
  const clock = new Deadline(options.signal, options.timeoutMs);
  let isStale = false;
  let isAccepted = false;
  try {
    const client = await getHttpClient(options.network);
    const answer = await client.send({
      ...options.request,
      signal: clock.signal,
      onStaleSocket: () => (isStale = true),
    });
    options.onHeaders(answer.status);
    isAccepted = isOk(answer.status);
    return { ...(await readAnswer(answer, options)), isStale };
  } catch (error) {
    const isCut = isAccepted && options.reader !== undefined;
    return { failure: classify(toError(error), options.signal, clock, isCut), isStale };
  } finally {
    clock.stop();
  }
}

const isOk = (status: number): boolean => status >= 200 && status < 300;

async function readAnswer(
  answer: HttpAnswer,
  { isStream, reader }: Pick<AttemptOptions, 'isStream' | 'reader'>,
): Promise<Omit<AttemptResult, 'isStale'>> {
  const headers = new ResponseHeaders(answer.headers);
  const isAccepted = isOk(answer.status);
  const body = decodeBody(answer.body, headers.get('content-encoding'));
  if (isAccepted && isStream) return { response: new TransportResponse(answer.status, headers, body) };
  const text = await readBody(body, isAccepted ? reader : undefined);
  if (isAccepted) reader?.end();
  const response = new TransportResponse(answer.status, headers, text);
  if (isAccepted) return { response };
  const failure: AttemptFailure = {
    kind: 'answer',
    status: answer.status,
    retryAfterMs: parseRetryAfterMs((name) => headers.get(name), Date.now()),
    vetoed: headers.get('x-should-retry') === 'false',
    body: readErrorBody(text),
  };
  return { response, failure };
}

function classify(
  error: Error,
  signal: AbortSignal | undefined,
  clock: Deadline,
  isCut: boolean,
): AttemptFailure {
  if (signal?.aborted) return { kind: 'caller', error };
  if (clock.hasPassed) return { kind: 'timeout', error };
  if (error instanceof BodyTooLargeError) return { kind: 'too-large', error };
  if (error instanceof StreamFailure) return { kind: error.kind, error };
  if (isDecodingError(error)) {
    return { kind: 'format', error: new StreamFailure('format', 'The compressed body is damaged.') };
  }
  return { kind: isCut ? 'truncated' : 'network', error };
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** One signal for the caller's abort and for the time limit; both end the attempt in every phase, the body included. */
class Deadline {
  hasPassed = false;
  readonly signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #unlink: (() => void) | undefined;

  constructor(caller: AbortSignal | undefined, timeoutMs: number | undefined) {
    if (timeoutMs === undefined) {
      this.signal = caller;
      return;
    }
    const controller = new AbortController();
    this.signal = controller.signal;
    // undici's own timers are a second coarse, so the limit is ours
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      controller.abort(new Error(`no complete answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const abort = (): void => controller.abort(caller?.reason);
    if (caller?.aborted) abort();
    else caller?.addEventListener('abort', abort, { once: true });
    this.#unlink = () => caller?.removeEventListener('abort', abort);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unlink?.();
  }
}
