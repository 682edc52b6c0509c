import { describe, expect, test } from 'vitest';
import {
  backoffCeilingMs,
  backoffDelayMs,
  parseRetryAfterMs,
} from '../../../../../src/library/transport/retry/backoff';
import { resolveRetryPolicy } from '../../../../../src/library/transport/retry/retry-policy';
import { anyText } from '../../../../support/arbitrary/arbitrary-text';
import { fc } from '../../../../support/arbitrary/properties';

const LONGEST = 2 ** 31 - 1;
const delay = fc.oneof(
  fc.constantFrom(0, 0.6, 1, 2.7, 500, LONGEST),
  fc.double({ min: 0, max: LONGEST, noNaN: true }),
);
const factor = fc.oneof(
  fc.constantFrom(1, 2, 1e308),
  fc.double({ min: 1, max: Number.MAX_VALUE, noNaN: true }),
);
const attempt = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 31 }));
/** Valid and invalid values of a random number generator. */
const drawn = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom<unknown>(0, 1, Number.NaN, -1, 2, Infinity, 'x', undefined),
);
const policies = fc
  .record({ initialDelayMs: delay, maxDelayMs: delay, factor, drawn })
  .map(({ drawn: share, ...policy }) => resolveRetryPolicy({ ...policy, random: () => share as number }));

describe('backoffDelayMs', () => {
  test('is from 0 to the ceiling for every valid policy and random number', () => {
    fc.assert(
      fc.property(policies, attempt, (policy, after) => {
        const delayMs = backoffDelayMs(policy, after);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(backoffCeilingMs(policy, after));
      }),
    );
  });
});

describe('backoffCeilingMs', () => {
  test('starts at initialDelayMs, never decreases, and never exceeds maxDelayMs', () => {
    fc.assert(
      fc.property(policies, attempt, (policy, after) => {
        const { initialDelayMs, maxDelayMs } = policy;
        const ceiling = backoffCeilingMs(policy, after);
        expect(backoffCeilingMs(policy, 1)).toBe(Math.min(initialDelayMs, maxDelayMs));
        expect(backoffCeilingMs(policy, after + 1)).toBeGreaterThanOrEqual(ceiling);
        expect(ceiling).toBeLessThanOrEqual(maxDelayMs);
      }),
    );
  });
});

describe('parseRetryAfterMs', () => {
  const instant = fc.integer({ min: 0, max: 4e12 });
  const read = (headers: Record<string, string>, now = 0): number | undefined =>
    parseRetryAfterMs((name) => headers[name] ?? null, now);

  test('returns a number of milliseconds or nothing for any text, and never throws', () => {
    const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.-+eE ')), maxLength: 40 });
    const words = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789 ,:-ZT'), 'Jan', 'Thu', 'GMT', 'EST'),
    });
    const large = fc.nat(400).map((length) => '9'.repeat(length));
    const text = fc.oneof(anyText(), digits, words, large);
    fc.assert(
      fc.property(text, text, instant, (seconds, milliseconds, now) => {
        const wish = read({ 'retry-after': seconds, 'retry-after-ms': milliseconds }, now);
        if (wish === undefined) return;
        expect(wish).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(wish)).toBe(true);
      }),
    );
  });

  test('reads seconds, fractions of seconds, and milliseconds', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(999), (whole, thousandths) => {
        const text = `${whole}.${String(thousandths).padStart(3, '0')}`;
        expect(read({ 'retry-after': `${whole}` })).toBe(whole * 1000);
        expect(read({ 'retry-after': text })).toBeCloseTo(whole * 1000 + thousandths, 3);
        expect(read({ 'retry-after-ms': `${whole}`, 'retry-after': text })).toBe(whole);
      }),
    );
  });

  test('reads every HTTP date as the time until then, and a past one as 0', () => {
    fc.assert(
      fc.property(instant, instant, (date, now) => {
        const wish = read({ 'retry-after': new Date(date).toUTCString() }, now);
        expect(wish).toBe(Math.max(0, Math.floor(date / 1000) * 1000 - now));
      }),
    );
  });
});
