// Decides whether a failed attempt is retried, and why. The order of the rules is the contract. Does no I/O.
import type { RetryAttempt, WordsCause } from '../../../types';
import { callSafely } from '../../util/call-safely';
import { backoffCeilingMs, backoffDelayMs } from './backoff';
import type { ErrorBody } from '../answer/error-body';
import { findErrorCode, isCertificateCode } from '../failure/error-code';
import { readProxyRefusal } from '../failure/proxy-failure';
import { mayPass } from '../server-words/find-server-words';
import type { ToldFailure } from '../client/stream-reader';
import type { ResolvedRetryPolicy } from './retry-policy';

/** How an attempt failed. */
export type AttemptFailure =
  | { kind: 'answer'; status: number; retryAfterMs: number | undefined; vetoed: boolean; body: ErrorBody }
  | {
      kind: 'network' | 'timeout' | 'caller' | 'too-large' | 'truncated' | 'document' | 'format';
      error: Error;
      /** Of a failure of the stream. */
      told?: ToldFailure | undefined;
    };

export type RetryDecision =
  | { decision: 'stop'; reason: string }
  | { decision: 'retry'; reason: string; delayMs: number; delaySource: 'backoff' | 'retry-after' };

/** In milliseconds. The call ends when a server asks for a wait that is longer than both this and `maxDelayMs`. */
const MAX_RETRY_AFTER_MS = 60_000;

const RETRYABLE_STATUS = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

/**
 * @param attempt The attempt that failed; starts at 1.
 * @param hasDelivered Whether a part of the response was passed to the caller.
 */
export function decideRetry(
  failure: AttemptFailure,
  attempt: number,
  policy: ResolvedRetryPolicy,
  hasDelivered = false,
): RetryDecision {
  if (failure.kind === 'caller') return { decision: 'stop', reason: 'It was stopped.' };
  if (hasDelivered) {
    return {
      decision: 'stop',
      reason: 'A part of the answer was already delivered, so the request is not retried.',
    };
  }
  if (attempt >= policy.maxAttempts) return { decision: 'stop', reason: lastAttempt(failure, policy) };
  const verdict = askCaller(failure, attempt, policy) ?? judge(failure);
  if (!verdict.isRetryable) return { decision: 'stop', reason: verdict.reason };
  return planWait(failure, attempt, policy, verdict.reason);
}

/** The argument of both callbacks of a policy. */
export function toRetryAttempt(
  failure: AttemptFailure,
  attempt: number,
  policy: ResolvedRetryPolicy,
  plan: { delayMs: number; reason: string },
): RetryAttempt {
  const base = { attempt, maxAttempts: policy.maxAttempts, ...plan };
  if (failure.kind !== 'answer') return { ...base, error: failure.error };
  const { status, retryAfterMs } = failure;
  return { ...base, status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

interface RetryAnswer {
  isRetryable: boolean;
  reason: string;
}

const no = (reason: string): RetryAnswer => ({ isRetryable: false, reason });

function askCaller(
  failure: AttemptFailure,
  attempt: number,
  policy: ResolvedRetryPolicy,
): RetryAnswer | undefined {
  const info = toRetryAttempt(failure, attempt, policy, { delayMs: 0, reason: judge(failure).reason });
  const { isRetryable: ask } = policy;
  // A callback that throws, or returns a promise, counts as absent: it must not end the call.
  const answer = callSafely(ask && (() => ask(info) ?? false));
  if (answer === undefined) return undefined;
  return { isRetryable: Boolean(answer), reason: `isRetryable returned ${answer ? 'true' : 'false'}.` };
}

function judge(failure: AttemptFailure): RetryAnswer {
  switch (failure.kind) {
    case 'network':
      return judgeNetwork(failure.error);
    case 'timeout':
      return { isRetryable: true, reason: 'An attempt that took too long is retried.' };
    case 'too-large':
      return { isRetryable: false, reason: 'A reply that is too large would be too large again.' };
    case 'truncated':
      return { isRetryable: true, reason: 'A stream that broke off before its first word is retried.' };
    case 'document':
      return {
        isRetryable: false,
        reason: 'An error that the server sends with a status of success is not retried.',
      };
    case 'format':
      return { isRetryable: false, reason: 'The server would send the same kind of answer again.' };
    case 'caller':
      return { isRetryable: false, reason: 'It was stopped.' };
    case 'answer':
      return judgeAnswer(failure);
  }
}

function judgeNetwork(error: Error): RetryAnswer {
  if (isCertificateCode(findErrorCode(error)))
    return no('A certificate that is not trusted would not be trusted the next time.');
  const status = readProxyRefusal(error);
  if (status !== undefined && status < 500) return no(`The proxy would refuse to connect again (${status}).`);
  return { isRetryable: true, reason: 'A network failure is retried.' };
}

function judgeAnswer({ status, vetoed, body }: AttemptFailure & { kind: 'answer' }): RetryAnswer {
  if (!RETRYABLE_STATUS.has(status)) return no(`${status} is not retried.`);
  if (vetoed) return no('The server said that trying again is of no use (x-should-retry: false).');
  const { words } = body;
  if (words && !mayPass(words)) return no(ASKED_ONCE[words.cause]?.(status) ?? unchanging(status));
  if (body.modelText !== undefined) return no(UNREAD_CALL());
  return { isRetryable: true, reason: `${status} is retried.` };
}

const UNREAD_CALL = (): string =>
  'The server could not parse the tool call that the model wrote; asking again would hide it.';
const ASKED_ONCE: Partial<Record<WordsCause, (status: number) => string>> = {
  quota: (status) => `${status} for an exhausted quota is not retried: waiting does not refill it.`,
  'unread-call': UNREAD_CALL,
  'cut-call': UNREAD_CALL,
  'unknown-tool': () => 'The model called a tool that was not offered; asking again would hide it.',
};
const unchanging = (status: number): string =>
  `${status} is not retried here: what the server says of the request would not change.`;

function planWait(
  failure: AttemptFailure,
  attempt: number,
  policy: ResolvedRetryPolicy,
  reason: string,
): RetryDecision {
  const requestedMs =
    failure.kind === 'answer' && policy.respectRetryAfter ? failure.retryAfterMs : undefined;
  if (requestedMs !== undefined && requestedMs > Math.max(MAX_RETRY_AFTER_MS, policy.maxDelayMs)) {
    return {
      decision: 'stop',
      reason: `The server asks for a wait of ${formatMs(requestedMs)} (Retry-After), which is too long to wait for.`,
    };
  }
  if (requestedMs !== undefined) {
    const why = `${reason} The server asked for a wait of ${formatMs(requestedMs)} (Retry-After).`;
    return { decision: 'retry', reason: why, delayMs: requestedMs, delaySource: 'retry-after' };
  }
  const delayMs = backoffDelayMs(policy, attempt);
  const why = `${reason} Our wait: ${formatMs(delayMs)}, drawn from 0 to ${formatMs(backoffCeilingMs(policy, attempt))}.`;
  return { decision: 'retry', reason: why, delayMs, delaySource: 'backoff' };
}

function lastAttempt(failure: AttemptFailure, policy: ResolvedRetryPolicy): string {
  const status = failure.kind === 'answer' ? `${failure.status}: ` : '';
  return policy.maxAttempts === 1
    ? `${status}Only one attempt was allowed.`
    : `${status}It was the last of ${policy.maxAttempts} attempts.`;
}

/** Formats a duration as `740 ms`, `2 s` or `1.5 s`, without more digits than are useful. */
export function formatMs(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${Number((milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1))} s`;
}
