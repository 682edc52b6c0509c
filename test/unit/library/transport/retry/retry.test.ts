import { describe, expect, test } from 'vitest';
import { readErrorBody } from '../../../../../src/library/transport/answer/error-body';
import type { AttemptFailure } from '../../../../../src/library/transport/retry/retry';
import { decideRetry } from '../../../../../src/library/transport/retry/retry';
import { resolveRetryPolicy } from '../../../../../src/library/transport/retry/retry-policy';

const policy = resolveRetryPolicy({ random: () => 0.5 });
const NO_WORDS = {
  message: undefined,
  code: undefined,
  type: undefined,
  words: undefined,
  modelText: undefined,
};
const answer = (status: number, more: Partial<AttemptFailure & { kind: 'answer' }> = {}): AttemptFailure => ({
  kind: 'answer',
  status,
  retryAfterMs: undefined,
  vetoed: false,
  body: NO_WORDS,
  ...more,
});
const broken = (kind: 'network' | 'timeout' | 'caller' | 'too-large'): AttemptFailure => ({
  kind,
  error: new Error('x'),
});

describe('decideRetry', () => {
  test.each([408, 425, 429, 500, 502, 503, 504, 529])('retries %d', (status) => {
    expect(decideRetry(answer(status), 1, policy)).toMatchObject({ decision: 'retry', delayMs: 250 });
  });

  test.each([301, 400, 401, 403, 404, 409, 413, 422, 501, 505])('does not retry %d', (status) => {
    expect(decideRetry(answer(status), 1, policy)).toMatchObject({ decision: 'stop' });
  });

  test('retries network errors and timeouts, but neither an abort nor a body that is too large', () => {
    const decisions = (['network', 'timeout', 'caller', 'too-large'] as const).map(
      (kind) => decideRetry(broken(kind), 1, policy).decision,
    );
    expect(decisions).toEqual(['retry', 'retry', 'stop', 'stop']);
  });

  test.each([
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('does not retry an untrusted certificate: %s', (code) => {
    const cause = Object.assign(new Error('no'), { code });
    const failure: AttemptFailure = { kind: 'network', error: new Error('x', { cause }) };
    expect(decideRetry(failure, 1, policy)).toMatchObject({
      decision: 'stop',
      reason: expect.stringContaining('certificate'),
    });
  });

  test.each([
    ['tools param requires --jinja flag', 'stop'],
    ['input (4001 tokens) is too large to process. increase the physical batch size', 'stop'],
    ['option "temperature" must be of type float32', 'stop'],
    ['the model runner has stopped', 'retry'],
  ])('decides for a 500 with “%s”: %s', (message, decision) => {
    const body = readErrorBody(JSON.stringify({ error: message }), 500);
    expect(decideRetry(answer(500, { body }), 1, policy)).toMatchObject({ decision });
  });

  test('stops after the last attempt without calling isRetryable', () => {
    let asked = 0;
    const asking = resolveRetryPolicy({ isRetryable: () => ++asked > 0 });
    expect(decideRetry(answer(500), 3, asking)).toMatchObject({ decision: 'stop' });
    expect(asked).toBe(0);
  });

  test('lets isRetryable decide, whose delay is 0', () => {
    const seen: number[] = [];
    const always = resolveRetryPolicy({
      isRetryable: (info) => seen.push(info.delayMs) > 0,
      random: () => 0,
    });
    const never = resolveRetryPolicy({ isRetryable: () => false });
    expect(decideRetry(answer(404), 1, always)).toMatchObject({ decision: 'retry' });
    expect(decideRetry(answer(503), 1, never)).toMatchObject({
      decision: 'stop',
      reason: 'isRetryable returned false.',
    });
    expect(seen).toEqual([0]);
  });

  test('ignores an isRetryable that throws', () => {
    const throwing = resolveRetryPolicy({
      isRetryable: () => {
        throw new Error('broken');
      },
    });
    expect(decideRetry(answer(503), 1, throwing).decision).toBe('retry');
    expect(decideRetry(answer(404), 1, throwing).decision).toBe('stop');
  });

  test('prefers Retry-After to the backoff, unless it is disabled', () => {
    const wish = answer(429, { retryAfterMs: 20_000 });
    expect(decideRetry(wish, 1, policy)).toMatchObject({ delayMs: 20_000, delaySource: 'retry-after' });
    const ignoring = resolveRetryPolicy({ respectRetryAfter: false, random: () => 0.5 });
    expect(decideRetry(wish, 1, ignoring)).toMatchObject({ delayMs: 250, delaySource: 'backoff' });
  });

  test('stops for a Retry-After over 60 s and reports it, unless maxDelayMs is larger', () => {
    const wish = answer(503, { retryAfterMs: 3_600_000 });
    expect(decideRetry(wish, 1, policy)).toMatchObject({
      decision: 'stop',
      reason: 'The server asks for a wait of 3600 s (Retry-After), which is too long to wait for.',
    });
    const patient = resolveRetryPolicy({ maxDelayMs: 4_000_000 });
    expect(decideRetry(wish, 1, patient)).toMatchObject({ decision: 'retry', delayMs: 3_600_000 });
  });

  test('does not retry an exhausted quota, a veto of the server or an unparsable call', () => {
    const quota = answer(429, { body: readErrorBody('{"error":{"code":"insufficient_quota"}}', 429) });
    const unparsed = answer(500, { body: readErrorBody('{"error":"error parsing tool call"}', 500) });
    for (const failure of [quota, unparsed, answer(503, { vetoed: true })]) {
      expect(decideRetry(failure, 1, policy).decision).toBe('stop');
    }
  });
});

test.each([
  ['returns nothing', () => undefined, 'stop', 'isRetryable returned false.'],
  ['returns null', () => null, 'stop', 'isRetryable returned false.'],
  [
    'throws',
    () => {
      throw new Error('mine');
    },
    'retry',
    '503 is retried.',
  ],
  ['returns a promise', async () => false, 'retry', '503 is retried.'],
])('decideRetry with an isRetryable that %s', (_, isRetryable, decision, reason) => {
  const asking = resolveRetryPolicy({
    isRetryable: isRetryable as unknown as () => boolean,
    random: () => 0,
  });
  const decided = decideRetry(answer(503), 1, asking);
  expect(decided.decision).toBe(decision);
  expect(decided.reason).toContain(reason);
});
