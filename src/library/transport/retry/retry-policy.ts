// The table of retry defaults, and the function that completes a policy.
import type { RetryAttempt } from '../../../types';
import { checkNumber, checkRecord, checkType } from '../../util/check-options';

/** Retries and time limit of each request. All fields are optional. */
export interface RetryPolicy {
  /** Number of attempts, including the first. @default 3 */
  maxAttempts?: number | undefined;
  /**
   * Maximum time for one attempt in milliseconds: connecting, headers and body; at most 2^31−1. Has no default on purpose,
   * because any limit would abort a slow local model that works. Set it above the longest time that the model needs.
   */
  timeoutMs?: number | undefined;
  /** Upper limit of the first wait, in milliseconds; each wait is a random time from 0 to its limit. @default 500 */
  initialDelayMs?: number | undefined;
  /** Upper limit of every wait that the server does not ask for, in milliseconds. @default 8000 */
  maxDelayMs?: number | undefined;
  /** Factor by which the upper limit grows with each attempt. @default 2 */
  factor?: number | undefined;
  /**
   * Whether to wait as long as `Retry-After` or `retry-after-ms` says. A wait that is longer than both 60 s and `maxDelayMs`
   * ends the call. @default true
   */
  respectRetryAfter?: boolean | undefined;
  /**
   * Decides alone whether a failed attempt is retried; undefined means no. If it throws or returns a promise, the default
   * rules apply. Not called after the last attempt.
   */
  isRetryable?: ((info: RetryAttempt) => boolean) | undefined;
  /** Called after the decision to retry and before the wait. What it throws is ignored. */
  onRetry?: ((info: RetryAttempt) => void) | undefined;
  /** Returns a number in [0, 1) for the jitter. @default Math.random */
  random?: (() => number) | undefined;
}

export interface ResolvedRetryPolicy {
  maxAttempts: number;
  timeoutMs: number | undefined;
  initialDelayMs: number;
  maxDelayMs: number;
  factor: number;
  respectRetryAfter: boolean;
  isRetryable: ((info: RetryAttempt) => boolean) | undefined;
  onRetry: ((info: RetryAttempt) => void) | undefined;
  random: () => number;
}

/** The longest delay that a timer supports, in milliseconds. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The retry defaults. Frozen. */
export const RETRY_DEFAULTS: Readonly<ResolvedRetryPolicy> = Object.freeze({
  maxAttempts: 3,
  timeoutMs: undefined,
  initialDelayMs: 500,
  maxDelayMs: 8000,
  factor: 2,
  respectRetryAfter: true,
  isRetryable: undefined,
  onRetry: undefined,
  random: Math.random,
});

/**
 * Completes a policy. `true` or absent: the defaults. `false`: one attempt. An object: its fields, and the defaults for the
 * rest.
 * @throws InvalidOptionsError
 */
export function resolveRetryPolicy(policy: RetryPolicy | boolean | undefined): ResolvedRetryPolicy {
  if (policy === false) return { ...RETRY_DEFAULTS, maxAttempts: 1 };
  if (policy === true || policy === undefined) return { ...RETRY_DEFAULTS };
  checkRecord('retry', policy);
  checkType('retry.respectRetryAfter', policy.respectRetryAfter, 'boolean');
  for (const name of ['isRetryable', 'onRetry', 'random'] as const)
    checkType(`retry.${name}`, policy[name], 'function');
  checkNumber('retry.maxAttempts', policy.maxAttempts, { min: 1, integer: true });
  checkNumber('retry.timeoutMs', policy.timeoutMs, { min: 1, max: MAX_TIMER_MS });
  checkNumber('retry.initialDelayMs', policy.initialDelayMs, { min: 0, max: MAX_TIMER_MS });
  checkNumber('retry.maxDelayMs', policy.maxDelayMs, { min: 0, max: MAX_TIMER_MS });
  checkNumber('retry.factor', policy.factor, { min: 1 });
  const given = Object.entries(policy).filter(([, value]) => value !== undefined);
  return { ...RETRY_DEFAULTS, ...Object.fromEntries(given) };
}
