// The retry loop: every request of every provider goes through `request()`. Knows no protocol.
import type { CallProgress } from '../../types';
import { joinSignals, wait } from '../util/abort';
import { callSafely } from '../util/call-safely';
import { currentClock } from '../util/clock';
import { runAttempt } from './attempt';
import type { AttemptResult } from './attempt';
import type { CallContext, ReceivedResponse } from './call-context';
import { callContext, createCallContext } from './call-context';
import type { TransportCredentials } from './credentials';
import type { FailedRequest } from './failure';
import { toTransportError } from './failure';
import { recordDecision, recordReconnect, toAttemptRecord } from './ledger';
import { normalizeHeaders } from './headers';
import type { NetworkOptions } from './network-options';
import { checkNetwork, secretsInNetwork } from './network-options';
import type { PreparedRequest, RequestOptions } from './prepare-request';
import { prepareRequest } from './prepare-request';
import { createRedactor, secretsInRequest } from './redact';
import type { Redactor } from './redact';
import { redactError } from './redact-error';
import type { TransportResponse } from './response';
import type { AttemptFailure, RetryDecision } from './retry';
import { decideRetry, toRetryAttempt } from './retry';
import type { ResolvedRetryPolicy } from './retry-policy';
import { resolveRetryPolicy } from './retry-policy';

/** Credential fields that hold a secret, of custom providers too; `tokenLimitKey` is not one. */
const SECRET_FIELD = /^(?!tokenLimitKey$).*(key$|secret|pass|token$|credential)/i;

/** What every provider sends its requests through: retries, the time limit, abort, redaction and the ledger. */
export abstract class HttpTransport {
  #policy: ResolvedRetryPolicy = resolveRetryPolicy(undefined);
  #headers: Readonly<Record<string, string>> = {};
  #network: NetworkOptions | undefined;
  readonly #secrets = new Set<string>();
  #redactor: Redactor = createRedactor();
  /** Of the last call whose requests had secrets that the connection does not have. */
  #extended: { key: string; redactor: Redactor } | undefined;

  /** @throws InvalidOptionsError */
  protected configureTransport(credentials: TransportCredentials): void {
    this.#policy = resolveRetryPolicy(credentials.retry);
    this.#headers = normalizeHeaders(credentials.headers);
    checkNetwork(credentials.network);
    this.#network = credentials.network && { ...credentials.network };
    const secrets: unknown[] = secretsInNetwork(credentials.network);
    const named = Object.entries(credentials).filter(([name]) => SECRET_FIELD.test(name));
    secrets.push(...named.map(([, value]) => value), ...secretsInRequest(this.#headers));
    for (const secret of secrets) if (typeof secret === 'string') this.#secrets.add(secret);
    this.#redactor = createRedactor(this.#secrets);
  }

  /** Masks the secrets of this connection, and those of the requests of this call. */
  protected redactorOf(context: CallContext): Redactor {
    return context.redactor ?? this.#redactor;
  }

  /**
   * Sends a request with the policy's retries. A final answer that is not 2xx is returned: look at `response.ok`. The body
   * is read inside the attempt, so a stall in it is a failed attempt too, unless `options.stream` is set.
   * @returns the last response, and how many attempts it took (1-based).
   * @throws NetworkError, RequestTimeoutError, ProviderError (`aborted`, `response-too-large`), InvalidOptionsError
   */
  protected async request(
    url: string | URL,
    options: RequestOptions = {},
  ): Promise<{ response: TransportResponse; attempts: number }> {
    const context = callContext.getStore() ?? createCallContext({ signal: options.signal });
    const request = prepareRequest(url, options, this.#headers);
    const { target, method, headers, body = '' } = request;
    context.redactor = this.#protect(secretsInRequest(headers, target), context);
    context.request = { method, url: target.href, headers, body };
    context.response = undefined;
    const signal = joinSignals(context.signal, options.signal);
    const started = context.ledger.length;
    for (let attempt = 1; ; attempt++) {
      const run = { attempt, context, signal, options };
      let result = await this.#runAndRecord(request, run);
      if (result.isStale && !signal?.aborted) {
        // the one reconnect that an attempt is given
        recordReconnect(context.ledger.at(-1));
        result = await this.#runAndRecord(request, run);
      }
      context.attempts = attempt;
      const decision = this.#decide(result, attempt, signal, context);
      recordDecision(context.ledger.at(-1), decision);
      if (decision?.decision === 'retry' && result.failure) {
        this.#announce(result.failure, attempt, decision);
        await this.#waitToRetry(context, attempt, decision, signal);
        if (!signal?.aborted) continue;
        recordDecision(context.ledger.at(-1), STOPPED);
      }
      if (result.response && !(result.failure && signal?.aborted))
        return { response: result.response, attempts: attempt };
      throw this.#toError(toEnd(result.failure, signal), request, context, {
        started,
        answer: result.received,
      });
    }
  }

  /** For the errors that a provider makes of an answer. */
  protected describeRequest(context: CallContext | undefined = callContext.getStore()): FailedRequest {
    const { method = '', url = '' } = context?.request ?? {};
    return {
      provider: this.constructor.name,
      method,
      url,
      redact: (context?.redactor ?? this.#redactor).text,
      ledger: context?.ledger ?? [],
      timeoutMs: this.#policy.timeoutMs,
      answer: context?.response,
    };
  }

  /** Undefined for a 2xx. The caller's abort comes before everything else, a decision that was just made included. */
  #decide(
    { failure }: AttemptResult,
    attempt: number,
    signal: AbortSignal | undefined,
    context: CallContext,
  ): RetryDecision | undefined {
    if (!failure) return undefined;
    const decision = signal?.aborted
      ? STOPPED
      : decideRetry(failure, attempt, this.#policy, context.hasDelivered);
    return signal?.aborted ? STOPPED : decision;
  }

  async #runAndRecord(request: PreparedRequest, run: AttemptRun): Promise<AttemptResult> {
    const { attempt, context, signal, options } = run;
    const { text: redact } = this.redactorOf(context);
    const reader = options.createReader?.(redact);
    context.partial = reader && (() => reader.partial());
    const clock = currentClock();
    const startedAt = clock.now();
    const start = clock.elapsed();
    let headersMs: number | undefined;
    let answeredWith: number | undefined;
    this.#tell(context, { phase: 'waiting-for-headers', attempt });
    const { timeoutMs } = this.#policy;
    const isStream = options.stream === true;
    const plan = { request, signal, timeoutMs, network: this.#network, isStream, reader };
    const result = await runAttempt(plan, (status) => {
      answeredWith = status;
      headersMs = clock.elapsed() - start;
      this.#tell(context, { phase: 'reading', attempt });
    });
    const { failure } = result;
    // before anybody sees it: the ledger, the callbacks of the policy, the caller
    if (failure && failure.kind !== 'answer') failure.error = redactError(failure.error, redact);
    const endMs = clock.elapsed() - start;
    const times = { attempt, startedAt, headersMs, endMs, status: answeredWith };
    context.ledger.push(toAttemptRecord(result, times));
    if (result.received) context.response = result.received;
    return result;
  }

  #announce(
    failure: NonNullable<AttemptResult['failure']>,
    attempt: number,
    { delayMs, reason }: RetryDecision & { decision: 'retry' },
  ): void {
    callSafely(this.#policy.onRetry, toRetryAttempt(failure, attempt, this.#policy, { delayMs, reason }));
  }

  async #waitToRetry(
    context: CallContext,
    attempt: number,
    { delayMs, delaySource }: RetryDecision & { decision: 'retry' },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.#tell(context, { phase: 'waiting-to-retry', attempt: attempt + 1, delayMs, delaySource });
    await wait(delayMs, signal);
  }

  #tell(
    context: CallContext,
    progress: Pick<CallProgress, 'phase' | 'attempt' | 'delayMs' | 'delaySource'>,
  ): void {
    context.onProgress?.({
      ...progress,
      maxAttempts: this.#policy.maxAttempts,
      since: currentClock().now(),
      ledger: structuredClone(context.ledger),
    });
  }

  #toError(
    failure: Parameters<typeof toTransportError>[0],
    { method, target }: PreparedRequest,
    context: CallContext,
    { started, answer }: { started: number; answer: ReceivedResponse | undefined },
  ): ReturnType<typeof toTransportError> {
    const partial = context.partial?.();
    const { text: redact } = this.redactorOf(context);
    return toTransportError(failure, {
      provider: this.constructor.name,
      method,
      url: target.href,
      redact,
      ledger: context.ledger.slice(started),
      timeoutMs: this.#policy.timeoutMs,
      answer,
      ...(partial !== undefined && { partial: redact(partial) }),
    });
  }

  /** A secret that each request has anew, such as a signature, is kept for its own call only. */
  #protect(found: readonly string[], context: CallContext): Redactor | undefined {
    const { secrets: known = this.#secrets } = context;
    if (known === this.#secrets && found.every((secret) => known.has(secret))) return context.redactor;
    const secrets = new Set([...known, ...this.#secrets, ...found]);
    if (secrets.size === known.size) return context.redactor;
    context.secrets = secrets;
    const key = JSON.stringify([...secrets]);
    // most calls have the secrets of the one before
    if (this.#extended?.key !== key) this.#extended = { key, redactor: createRedactor(secrets) };
    return this.#extended.redactor;
  }
}

interface AttemptRun {
  attempt: number;
  context: CallContext;
  signal: AbortSignal | undefined;
  options: RequestOptions;
}

const STOPPED: RetryDecision = { decision: 'stop', reason: 'It was stopped.' };

/** What ended a request that got no answer to return. */
function toEnd(
  failure: AttemptResult['failure'],
  signal: AbortSignal | undefined,
): Exclude<AttemptFailure, { kind: 'answer' }> {
  if (failure && failure.kind !== 'answer' && !signal?.aborted) return failure;
  const error = failure && failure.kind !== 'answer' ? failure.error : new Error('aborted');
  return { kind: 'caller', error };
}
