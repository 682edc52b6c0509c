// How much a service says is left of its limits.
import { expect, test } from 'vitest';
import { readRateLimits } from '../../../../../src/library/transport/answer/rate-limits';
import { ResponseHeaders } from '../../../../../src/library/transport/answer/response';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const read = (fields: Record<string, string>) => readRateLimits(new ResponseHeaders(fields), NOW);

test('reads the headers of OpenAI, whose resets are durations', () => {
  const limits = read({
    'content-type': 'application/json',
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '499',
    'x-ratelimit-reset-requests': '120ms',
    'x-ratelimit-limit-tokens': '30000',
    'x-ratelimit-remaining-tokens': '29964',
    'x-ratelimit-reset-tokens': '6m1.5s',
  });
  expect(limits).toEqual([
    { of: 'requests', limit: 500, remaining: 499, resetMs: 120 },
    { of: 'tokens', limit: 30_000, remaining: 29_964, resetMs: 361_500 },
  ]);
});

test('reads the headers of Anthropic, whose resets are dates', () => {
  const limits = read({
    'anthropic-ratelimit-input-tokens-limit': '2000',
    'anthropic-ratelimit-input-tokens-remaining': '0',
    'anthropic-ratelimit-input-tokens-reset': '2026-01-01T00:00:42Z',
    'anthropic-ratelimit-requests-reset': '2025-12-31T23:59:59Z',
  });
  expect(limits).toEqual([
    { of: 'input-tokens', limit: 2000, remaining: 0, resetMs: 42_000 },
    { of: 'requests', resetMs: 0 },
  ]);
});

test('reads seconds, and leaves out what is no number, no time and no limit', () => {
  expect(read({ 'x-ratelimit-reset-tokens': '7.5', 'x-ratelimit-limit-tokens': 'many' })).toEqual([
    { of: 'tokens', resetMs: 7500 },
  ]);
  expect(
    read({ 'x-ratelimit-limit': '5', 'x-ratelimit-limit-a_b': '5', 'x-ratelimit-reset-x': 'soon' }),
  ).toBeUndefined();
  expect(read({ 'content-type': 'text/plain' })).toBeUndefined();
});

test('reads a bounded number of limits', () => {
  const names = Array.from({ length: 50 }, (_, index) => `x-ratelimit-limit-${'x'.repeat(index + 1)}`);
  expect(read(Object.fromEntries(names.map((name) => [name, '1'])))).toHaveLength(8);
});
