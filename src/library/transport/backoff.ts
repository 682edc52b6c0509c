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
  const ceiling = backoffCeilingMs(policy, attempt);
  // rounding up must not lift it over a ceiling that is no whole number
  return Math.min(Math.round(share * ceiling), ceiling);
}

/** The longest that the wait after this attempt can be. */
export function backoffCeilingMs(policy: ResolvedRetryPolicy, attempt: number): number {
  const { initialDelayMs, factor, maxDelayMs } = policy;
  // a power that is too large to be written is Infinity, and 0 of that would be NaN
  return initialDelayMs === 0 ? 0 : Math.min(initialDelayMs * factor ** (attempt - 1), maxDelayMs);
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
  if (seconds !== undefined) return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER);
  const date = value && /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(value: string | null): number | undefined {
  if (value === null || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER); // more digits than a number has are Infinity
}
