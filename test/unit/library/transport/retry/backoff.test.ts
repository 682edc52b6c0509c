import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { backoffDelayMs, parseRetryAfterMs } from '../../../../../src/library/transport/retry/backoff';
import { resolveRetryPolicy } from '../../../../../src/library/transport/retry/retry-policy';

describe('backoffDelayMs', () => {
  const highest = resolveRetryPolicy({ random: () => 1 });

  test('has a ceiling that doubles from 500 ms and stops at 8000 ms', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map((attempt) => backoffDelayMs(highest, attempt))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
  });

  test('is drawn from the whole range below the ceiling', () => {
    const draw = (value: number): number => backoffDelayMs(resolveRetryPolicy({ random: () => value }), 2);
    expect([0, 0.25, 0.5].map(draw)).toEqual([0, 250, 500]);
  });
});

describe('parseRetryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const parse = (headers: Record<string, string>): number | undefined =>
    parseRetryAfterMs((name) => headers[name] ?? null, now);

  test.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': '2, 5' }, 5000],
    [{ 'retry-after-ms': '250, 100' }, 250],
    [{ 'retry-after': 'Thursday, 01-Jan-26 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Thu Jan  1 00:00:30 2026' }, 30_000],
  ])('reads %o as %d ms', (headers, expected) => {
    expect(parse(headers as Record<string, string>)).toBe(expected);
  });

  test.each([
    [{}],
    [{ 'retry-after': 'soon' }],
    [{ 'retry-after': '-3' }],
    [{ 'retry-after': '' }],
    [{ 'retry-after': '2, soon' }],
    [{ 'retry-after': 'try again after 5' }],
    [{ 'retry-after': 'in 5 mar' }],
  ])('returns nothing for %o', (headers) => {
    expect(parse(headers as Record<string, string>)).toBeUndefined();
  });

  test('reads a date without a zone as GMT, wherever the machine is', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(now).getHours()).toBe(9);
    expect(parse({ 'retry-after': 'Thu Jan  1 00:00:30 2026' })).toBe(30_000);
  });
});
