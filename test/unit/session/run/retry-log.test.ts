import { describe, expect, test } from 'vitest';
import { formatRetry } from '../../../../src/session/run/retry-log';

describe('formatRetry', () => {
  const base = { attempt: 1, maxAttempts: 3, reason: 'a reason with anything in it' };

  test('names the connection, the attempt, the status, the delay and its source', () => {
    expect(formatRetry('Demo', { ...base, status: 429, delayMs: 1000, retryAfterMs: 1000 })).toBe(
      'Demo: attempt 1 of 3 failed with 429; next attempt in 1.0 s (Retry-After)',
    );
    expect(formatRetry('Demo', { ...base, attempt: 2, status: 503, delayMs: 740, retryAfterMs: 9000 })).toBe(
      'Demo: attempt 2 of 3 failed with 503; next attempt in 0.7 s (backoff)',
    );
  });

  test('names a failure without an answer by its innermost code instead of its message', () => {
    const cause = Object.assign(new Error('secret-in-message'), { code: 'ECONNREFUSED' });
    const line = formatRetry('Local', { ...base, error: new Error('fetch failed', { cause }), delayMs: 10 });
    expect(line).toBe('Local: attempt 1 of 3 failed with ECONNREFUSED; next attempt in 0.0 s (backoff)');
  });
});
