// The one table of retry defaults, and the step that makes a policy complete.
import type { RetryAttempt } from '../../types';
import { checkNumber, checkRecord, checkType } from '../util/check-options';

/** All fields optional; see the defaults. */
export interface RetryPolicy {
  /** Counts the first attempt. @default 3 */
  maxAttempts?: number | undefined;
  /**
   * Milliseconds an attempt may take: connecting, headers and body. No default, on purpose: an arbitrary ceiling would
   * abort a slow local model that works. Set it above the model's worst case; at most 2^31−1.
   */
  timeoutMs?: number | undefined;
  /** Milliseconds. @default 500 */
  initialDelayMs?: number | undefined;
  /** Milliseconds. @default 8000 */
  maxDelayMs?: number | undefined;
  /** Backoff multiplier. @default 2 */
  factor?: number | undefined;
  /** Honour `Retry-After` and `retry-after-ms`. @default true */
  respectRetryAfter?: boolean | undefined;
  /**
   * Decides alone whether a failed attempt is retried; nothing returned is a no. One that throws, or returns a promise,
   * counts as absent.
   */
  isRetryable?: ((info: RetryAttempt) => boolean) | undefined;
  /** Called after the decision and before the wait. What it throws is ignored. */
  onRetry?: ((info: RetryAttempt) => void) | undefined;
  /** A number in [0, 1) for the jitter. @default Math.random */
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

/** The longest wait a timer can hold. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The one table of retry defaults. Frozen. */
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
 * `true` or absent: the defaults. `false`: one attempt. An object: what it names, the defaults for the rest.
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
