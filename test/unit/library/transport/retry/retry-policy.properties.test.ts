import { describe, expect, test } from 'vitest';
import type { RetryPolicy } from '../../../../../src/library';
import { InvalidOptionsError, RETRY_DEFAULTS } from '../../../../../src/library';
import { resolveRetryPolicy } from '../../../../../src/library/transport/retry/retry-policy';
import { fc } from '../../../../support/arbitrary/properties';

const LONGEST = 2 ** 31 - 1;
const between = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const VALID: Record<string, fc.Arbitrary<unknown>> = {
  maxAttempts: fc.integer({ min: 1, max: 1e6 }),
  timeoutMs: between(1, LONGEST),
  initialDelayMs: between(0, LONGEST),
  maxDelayMs: between(0, LONGEST),
  factor: between(1, Number.MAX_VALUE),
  respectRetryAfter: fc.boolean(),
  isRetryable: fc.constant(() => true),
  onRetry: fc.constant(() => undefined),
  random: fc.constant(() => 0.5),
};
const policy = fc.record(
  Object.fromEntries(
    Object.entries(VALID).map(([name, value]) => [name, fc.option(value, { nil: undefined })]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<RetryPolicy>;

const noNumber: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(Number.NaN, Infinity, -Infinity, -1, -0.001, null, '3', '', true, [], {}),
  fc.double({ max: -Number.MIN_VALUE }),
);
const noFunction = fc.constantFrom<unknown>(null, 0, 'yes', true, {}, []);
const BAD: Record<string, fc.Arbitrary<unknown>> = {
  maxAttempts: fc.oneof(noNumber, fc.constantFrom(0, 1.5, 2.000001)),
  timeoutMs: fc.oneof(noNumber, fc.constantFrom(0, 0.5, LONGEST + 1)),
  initialDelayMs: fc.oneof(noNumber, fc.constant(LONGEST + 1)),
  maxDelayMs: fc.oneof(noNumber, fc.constant(LONGEST + 1)),
  factor: fc.oneof(noNumber, fc.constantFrom(0, 0.999)),
  respectRetryAfter: fc.constantFrom<unknown>(null, 0, 1, 'true', {}),
  isRetryable: noFunction,
  onRetry: noFunction,
  random: noFunction,
};

describe('resolveRetryPolicy', () => {
  test('keeps given fields and fills in defaults, also for undefined fields', () => {
    fc.assert(
      fc.property(policy, (given) => {
        const resolved: Record<string, unknown> = { ...resolveRetryPolicy(given) };
        for (const [name, standard] of Object.entries(RETRY_DEFAULTS))
          expect(resolved[name]).toBe(given[name as keyof RetryPolicy] ?? standard);
        expect(Object.keys(resolved).toSorted()).toEqual(Object.keys(RETRY_DEFAULTS).toSorted());
      }),
    );
  });

  test.each(Object.keys(BAD))('refuses an invalid %s by name, with any other fields', (field) => {
    fc.assert(
      fc.property(policy, BAD[field] ?? fc.constant(null), (rest, bad) => {
        const resolve = (): unknown => resolveRetryPolicy({ ...rest, [field]: bad });
        expect(resolve).toThrow(InvalidOptionsError);
        expect(resolve).toThrow(
          expect.objectContaining({ code: 'invalid-options', field: `retry.${field}` }),
        );
      }),
    );
  });
});
