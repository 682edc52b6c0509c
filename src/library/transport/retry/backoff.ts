// Computes how long to wait before the next attempt. The clock and the random source are passed in.
import { callSafely } from '../../util/call-safely';
import type { ResolvedRetryPolicy } from './retry-policy';

/**
 * Full jitter: a random number of milliseconds from [0, min(initialDelayMs·factor^(n−1), maxDelayMs)].
 * @param attempt The attempt n that failed; starts at 1.
 */
export function backoffDelayMs(policy: ResolvedRetryPolicy, attempt: number): number {
  const drawn = callSafely(policy.random);
  const share = typeof drawn === 'number' && drawn >= 0 && drawn <= 1 ? drawn : Math.random();
  const ceiling = backoffCeilingMs(policy, attempt);
  // Rounding up must not exceed a ceiling that is not an integer.
  return Math.min(Math.round(share * ceiling), ceiling);
}

/** The longest possible wait after this attempt, in milliseconds. */
export function backoffCeilingMs(policy: ResolvedRetryPolicy, attempt: number): number {
  const { initialDelayMs, factor, maxDelayMs } = policy;
  // The power may overflow to Infinity, and 0 times Infinity is NaN.
  return initialDelayMs === 0 ? 0 : Math.min(initialDelayMs * factor ** (attempt - 1), maxDelayMs);
}

/**
 * The wait that the server asks for, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds (fractions too) or as
 * an HTTP date. The longest one if the header is repeated, as by a proxy that adds its own. 0 for a date in the past;
 * undefined when there is no valid value.
 * @param now Milliseconds since the epoch.
 */
export function parseRetryAfterMs(header: (name: string) => string | null, now: number): number | undefined {
  const milliseconds = readNumber(header('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = header('retry-after');
  const seconds = readNumber(value);
  if (seconds !== undefined) return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER);
  const date = readDate(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const NUMBERS = /^\s*\d+(\.\d+)?\s*(,\s*\d+(\.\d+)?\s*)*$/;

function readNumber(value: string | null): number | undefined {
  if (value === null || !NUMBERS.test(value)) return undefined;
  // A number with too many digits would be Infinity.
  return Math.min(Math.max(...value.split(',').map(Number)), Number.MAX_SAFE_INTEGER);
}

/** All three forms of an HTTP date. `Date.parse` alone accepts nearly any word with a number as a date. */
const DATE = /^\s*[a-z]{3,9},? .*\d\d:\d\d:\d\d/i;
/** The oldest form, that of C's asctime, has no time zone, for which `Date.parse` would assume that of this machine. */
const ZONELESS = / \d{4}\s*$/;

function readDate(value: string): number {
  if (!DATE.test(value)) return Number.NaN;
  return Date.parse(ZONELESS.test(value) ? `${value} GMT` : value);
}
