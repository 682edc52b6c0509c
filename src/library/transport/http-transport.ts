// The retry loop, through which every request of every provider goes. Independent of protocols.
import type { AttemptEvidence, CallProgress } from '../../types';
import { joinSignals, wait } from '../util/abort';
import { callSafely } from '../util/call-safely';
import type { Clock } from '../util/clock';
import { currentClock } from '../util/clock';
import { runAttempt } from './attempt';
import type { AttemptResult } from './attempt';
import type { CallContext, ReceivedResponse } from './call-context';
import { createCallContext, currentCall, outsideOfCall } from './call-context';
import type { TransportCredentials } from './credentials';
import { secretsInFields } from './credentials';
import type { FailedRequest } from './failure/failure';
import { toTransportError } from './failure/failure';
import { recordDecision, recordReconnect, toAttemptRecord } from './retry/ledger';
import { normalizeHeaders } from './headers';
import type { NetworkOptions } from './client/network-options';
import { checkNetwork, secretsInNetwork } from './client/network-options';
import type { PreparedRequest, RequestOptions } from './prepare-request';
import { prepareRequest } from './prepare-request';
import { createRedactor, secretsInRequest } from './redact/redact';
import type { Redactor } from './redact/redact';
import { redactError, redactPartial } from './redact/redact-error';
import type { TransportResponse } from './answer/response';
import type { AttemptFailure, RetryDecision } from './retry/retry';
import { decideRetry, toRetryAttempt } from './retry/retry';
import type { ResolvedRetryPolicy } from './retry/retry-policy';
import { resolveRetryPolicy } from './retry/retry-policy';
import { redactRequest, WireRecorder } from './wire-recorder';

/** The base class through which every provider sends its requests: retries, time limit, abort, redaction and the ledger. */
export abstract class HttpTransport {
  #policy: ResolvedRetryPolicy = resolveRetryPolicy(undefined);
  #headers: Readonly<Record<string, string>> = {};
  #network: NetworkOptions | undefined;
  readonly #secrets = new Set<string>();
  #redactor: Redactor = createRedactor();
  /** The redactor of the last call whose requests had secrets that the connection does not have. */
  #extended: { key: string; redactor: Redactor } | undefined;

  /** Stores the options for retries, headers and the network, and collects their secrets. @throws InvalidOptionsError */
  protected configureTransport(credentials: TransportCredentials): void {
    this.#policy = resolveRetryPolicy(credentials.retry);
    this.#headers = normalizeHeaders(credentials.headers);
    checkNetwork(credentials.network);
    this.#network = credentials.network && { ...credentials.network };
    const secrets = [
      ...secretsInNetwork(credentials.network),
      ...secretsInFields(credentials),
      ...secretsInRequest(this.#headers),
    ];
    for (const secret of secrets) this.#secrets.add(secret);
    this.#redactor = createRedactor(this.#secrets);
  }

  /** Masks the secrets of this connection, and those of the requests of this call. */
  protected redactorOf(context: CallContext): Redactor {
    return context.redactor ?? this.#redactor;
  }

  /**
   * Sends a request, with the retries of the policy. A final response that is not 2xx is returned, so check `response.ok`.
   * Unless `options.stream` is set, the body is read inside the attempt, so a stall in the body makes the attempt fail too.
   * @returns the last response, and the number of attempts that were made
   * @throws NetworkError, RequestTimeoutError, InvalidOptionsError, ProviderError (`aborted`, `response-too-large`,
   * `response-format` for a 2xx whose body cannot be decoded); with `createReader` also HttpError and ProviderError
   * (`truncated-stream`)
   */
  protected request(
    url: string | URL,
    options: RequestOptions = {},
  ): Promise<{ response: TransportResponse; attempts: number }> {
    return this.requestIn(currentCall() ?? createCallContext({}), url, options);
  }

  /** Like `request`, for a given call. */
  protected requestIn(
    context: CallContext,
    url: string | URL,
    options: RequestOptions,
  ): Promise<{ response: TransportResponse; attempts: number }> {
    try {
      return this.#send(this.#prepare(context, url, options));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Checks the request, and keeps only what its attempts need. The text of the body and all other options are left out, because
   * whatever is kept stays in memory until the response has arrived, which may take many minutes.
   */
  #prepare(context: CallContext, url: string | URL, options: RequestOptions): PlannedRequest {
    const request = prepareRequest(url, options, this.#headers);
    context.redactor = this.#protect(secretsInRequest(request.headers, request.target), context);
    context.request = request;
    context.response = undefined;
    return {
      request,
      context,
      signal: joinSignals(context.signal, options.signal),
      isStream: options.stream === true,
      createReader: options.createReader,
      refuseText: options.refuseText,
      clock: currentClock(),
      attempt: 0,
      start: 0,
      spentMs: 0,
    };
  }

  async #send(plan: PlannedRequest): Promise<{ response: TransportResponse; attempts: number }> {
    const { context, signal } = plan;
    const started = context.ledger.length;
    for (let attempt = 1; ; attempt++) {
      plan.attempt = attempt;
      plan.spentMs = 0;
      let result = this.#record(await this.#run(plan), plan);
      if (result.isStale && !signal?.aborted) {
        // An attempt may reconnect once.
        recordReconnect(context.ledger.at(-1));
        plan.spentMs = plan.clock.elapsed() - plan.start;
        result = this.#record(await this.#run(plan), plan);
      }
      context.attempts = attempt;
      const decision = this.#decide(result, attempt, signal, context);
      recordDecision(context.ledger.at(-1), decision);
      if (decision?.decision === 'retry' && result.failure) {
        this.#announce(result.failure, attempt, decision);
        await this.#waitToRetry(plan, decision);
        if (!signal?.aborted) continue;
        recordDecision(context.ledger.at(-1), STOPPED);
      }
      if (result.response && !(result.failure && signal?.aborted))
        return { response: result.response, attempts: attempt };
      throw this.#toError(toFinalFailure(result.failure, signal), plan.request, context, {
        started,
        answer: result.received,
      });
    }
  }

  /** The last request of the call, for errors that a provider makes from its response. */
  protected describeRequest(context: CallContext | undefined = currentCall()): FailedRequest {
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

  /** Undefined for a 2xx. An abort by the caller takes precedence over everything, even a decision that was just made. */
  #decide(
    { failure }: AttemptResult,
    attempt: number,
    signal: AbortSignal | undefined,
    context: CallContext,
  ): RetryDecision | undefined {
    if (!failure) return undefined;
    const decision = signal?.aborted
      ? STOPPED
      : // What the policy's callbacks do, such as a chat of their own, is no part of this call.
        outsideOfCall(() => decideRetry(failure, attempt, this.#policy, context.hasDelivered));
    return signal?.aborted ? STOPPED : decision;
  }

  #run(plan: PlannedRequest): Promise<AttemptResult> {
    const { request, context, signal, isStream, createReader, refuseText, clock, attempt } = plan;
    const { timeoutMs } = this.#policy;
    const redact = this.redactorOf(context).text;
    const reader = createReader?.(redact);
    context.partial = reader && (() => reader.partial());
    plan.start = clock.elapsed();
    // The system clock may be set back during a call.
    context.epoch ??= clock.now() - plan.start;
    this.#tell(context, clock, { phase: 'waiting-for-headers', attempt });
    const recorder = context.onAttempt && this.#observe(plan, context.onAttempt);
    return runAttempt({
      request,
      clock,
      signal,
      timeoutMs: timeoutMs === undefined ? undefined : Math.max(1, timeoutMs - plan.spentMs),
      network: this.#network,
      isStream,
      reader,
      refuseText: refuseText && ((text) => refuseText(text, redact)),
      onHeaders: context.onProgress && (() => this.#tell(context, clock, { phase: 'reading', attempt })),
      recorder,
    });
  }

  /** Gives the observer access to what this attempt sends and receives. */
  #observe(
    { attempt, clock, context, request }: PlannedRequest,
    onAttempt: NonNullable<CallContext['onAttempt']>,
  ): WireRecorder {
    const recorder = new WireRecorder(clock);
    const evidence = (): AttemptEvidence => {
      const redactor = this.redactorOf(context);
      const response = recorder.response(redactor);
      return { request: redactRequest(request, redactor), ...(response && { response }) };
    };
    const header = (name: string): string | undefined => recorder.header(name, this.redactorOf(context));
    callSafely(onAttempt, { attempt, evidence, header });
    return recorder;
  }

  #record(result: AttemptResult, { attempt, context, clock, start }: PlannedRequest): AttemptResult {
    const { failure, received } = result;
    // Redacted before it gets anywhere: to the ledger, the callbacks of the policy, or the caller.
    if (failure && failure.kind !== 'answer')
      failure.error = redactError(failure.error, this.redactorOf(context).text);
    const startedAt = Math.round((context.epoch ?? 0) + start);
    context.ledger.push(toAttemptRecord(result, { attempt, startedAt, endMs: clock.elapsed() - start }));
    if (received) context.response = received;
    return result;
  }

  #announce(
    failure: NonNullable<AttemptResult['failure']>,
    attempt: number,
    { delayMs, reason }: RetryDecision & { decision: 'retry' },
  ): void {
    const info = toRetryAttempt(failure, attempt, this.#policy, { delayMs, reason });
    outsideOfCall(() => callSafely(this.#policy.onRetry, info));
  }

  #waitToRetry(
    { context, clock, attempt, signal }: PlannedRequest,
    { delayMs, delaySource }: RetryDecision & { decision: 'retry' },
  ): Promise<void> {
    this.#tell(context, clock, { phase: 'waiting-to-retry', attempt: attempt + 1, delayMs, delaySource });
    return wait(delayMs, signal);
  }

  #tell(
    { onProgress, ledger }: CallContext,
    clock: Clock,
    progress: Pick<CallProgress, 'phase' | 'attempt' | 'delayMs' | 'delaySource'>,
  ): void {
    if (!onProgress) return;
    const { maxAttempts } = this.#policy;
    onProgress({
      ...progress,
      maxAttempts,
      since: clock.now(),
      ledger: ledger.map((record) => ({ ...record })),
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
      ...(partial !== undefined && { partial: redactPartial(partial, redact) }),
    });
  }

  /** A secret that is different in each request, such as a signature, is only kept for its own call. */
  #protect(found: readonly string[], context: CallContext): Redactor | undefined {
    const { secrets: known = this.#secrets } = context;
    if (known === this.#secrets && found.every((secret) => known.has(secret))) return context.redactor;
    const secrets = new Set([...known, ...this.#secrets, ...found]);
    if (secrets.size === known.size) return context.redactor;
    context.secrets = secrets;
    const key = JSON.stringify([...secrets]);
    // Most calls have the same secrets as the previous one.
    if (this.#extended?.key !== key) this.#extended = { key, redactor: createRedactor(secrets) };
    return this.#extended.redactor;
  }
}

/** A request and its current attempt. One object, because it is in memory until the response has arrived. */
interface PlannedRequest {
  readonly request: PreparedRequest;
  readonly context: CallContext;
  readonly signal: AbortSignal | undefined;
  readonly isStream: boolean;
  readonly createReader: RequestOptions['createReader'];
  readonly refuseText: RequestOptions['refuseText'];
  readonly clock: Clock;
  /** Starts at 1. */
  attempt: number;
  /** Start of the attempt or of its reconnect, in elapsed time of the clock. */
  start: number;
  /** Time of the attempt before its reconnect, in milliseconds. */
  spentMs: number;
}

const STOPPED: RetryDecision = { decision: 'stop', reason: 'It was stopped.' };

/** What ended a request without a response to return. */
function toFinalFailure(
  failure: AttemptResult['failure'],
  signal: AbortSignal | undefined,
): Exclude<AttemptFailure, { kind: 'answer' }> {
  if (failure && failure.kind !== 'answer' && !signal?.aborted) return failure;
  const error = failure && failure.kind !== 'answer' ? failure.error : new Error('aborted');
  return { kind: 'caller', error };
}
