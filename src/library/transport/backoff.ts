// How long to wait before the next attempt. Pure: the clock and the random source are handed in.
import { callSafely } from '../util/call-safely';
import type { ResolvedRetryPolicy } from './retry-policy';

/**
 * Full jitter: drawn from [0, min(initialDelayMs·factor^(n−1), maxDelayMs)].
 * @param attempt 1-based: the attempt that failed.
 */
export function backoffDelayMs(policy: ResolvedRetryPolicy, attempt: number): number {
  const drawn = callSafely(policy.random);
  const share = typeof drawn === 'number' && drawn >= 0 && drawn <= 1 ? drawn : Math.random();
  return Math.round(share * backoffCeilingMs(policy, attempt));
}

/** The longest that the wait after this attempt can be. */
export function backoffCeilingMs(policy: ResolvedRetryPolicy, attempt: number): number {
  return Math.min(policy.initialDelayMs * policy.factor ** (attempt - 1), policy.maxDelayMs);
}

/**
 * What the server asked for, in milliseconds: `retry-after-ms`, then `Retry-After` as seconds (fractions too) or as an
 * HTTP date. A date in the past is 0; what cannot be read is undefined.
 */
export function parseRetryAfterMs(header: (name: string) => string | null, now: number): number | undefined {
  const milliseconds = readNumber(header('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = header('retry-after');
  const seconds = readNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = value && /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
