import { describe, expect, test } from 'vitest';
import { InvalidOptionsError } from '../../../../../src/library';
import { resolveRetryPolicy } from '../../../../../src/library/transport/retry/retry-policy';

describe('resolveRetryPolicy', () => {
  const defaults = {
    maxAttempts: 3,
    timeoutMs: undefined,
    initialDelayMs: 500,
    maxDelayMs: 8000,
    factor: 2,
    respectRetryAfter: true,
  };

  test.each([[undefined], [true], [{}]])('reads %o as the defaults', (policy) => {
    expect(resolveRetryPolicy(policy)).toMatchObject(defaults);
  });

  test('reads false as one attempt', () => {
    expect(resolveRetryPolicy(false)).toMatchObject({ ...defaults, maxAttempts: 1 });
  });

  test('fills in missing and undefined fields of an object', () => {
    expect(resolveRetryPolicy({ maxAttempts: undefined, timeoutMs: 90_000 })).toMatchObject({
      ...defaults,
      timeoutMs: 90_000,
    });
  });

  test.each([
    ['retry.maxAttempts', { maxAttempts: 0 }],
    ['retry.maxAttempts', { maxAttempts: 1.5 }],
    ['retry.maxAttempts', { maxAttempts: Number.NaN }],
    ['retry.timeoutMs', { timeoutMs: 0 }],
    ['retry.timeoutMs', { timeoutMs: 2 ** 31 }],
    ['retry.initialDelayMs', { initialDelayMs: -1 }],
    ['retry.maxDelayMs', { maxDelayMs: Infinity }],
    ['retry.factor', { factor: 0.5 }],
  ])('refuses an invalid %s by name: %o', (field, policy) => {
    const resolve = (): unknown => resolveRetryPolicy(policy);
    expect(resolve).toThrow(InvalidOptionsError);
    expect(resolve).toThrow(expect.objectContaining({ code: 'invalid-options', field }));
  });
});
