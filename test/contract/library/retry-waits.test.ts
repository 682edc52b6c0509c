// The waits between attempts, exact to the millisecond: real sockets, and a manually advanced clock.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, RetryAttempt, RetryPolicy } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import { failure } from '../../support/failure';
import type { TestServer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const skipping = (): FakeClock => new FakeClock({ isSkipping: true });

/** A server that always answers 503 with these header fields. */
const busy = (headers: Record<string, string> = {}): Promise<TestServer> =>
  startServer((_, response) => sendJson(response, 503, { error: 'busy' }, headers));

/** The waits of a call that always fails. */
async function waitsOf(
  retry: RetryPolicy | boolean | undefined,
  headers: Record<string, string> = {},
): Promise<{ delays: number[]; turn: ChatTurn }> {
  await using server = await busy(headers);
  const clock = skipping();
  const turn = await clock.run(() => new ProbeProvider(server.url, { retry }).chat({ messages: HELLO }));
  expect(server.requests).toHaveLength(turn.attempts);
  return { delays: clock.delays, turn };
}

describe('the backoff', () => {
  const always = (share: number): RetryPolicy => ({ random: () => share });

  test('is drawn from 0 to 500 ms, then from 0 to 1000 ms, by default', async () => {
    expect((await waitsOf(always(1))).delays).toEqual([500, 1000]);
    expect((await waitsOf(always(0.25))).delays).toEqual([125, 250]);
    expect((await waitsOf(always(0))).delays).toEqual([0, 0]);
  });

  test('doubles up to 8000 ms and stays there', async () => {
    const { delays } = await waitsOf({ ...always(1), maxAttempts: 8 });
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  test('is determined by initialDelayMs, factor and maxDelayMs', async () => {
    const retry = { ...always(1), maxAttempts: 6, initialDelayMs: 10, factor: 3, maxDelayMs: 200 };
    expect((await waitsOf(retry)).delays).toEqual([10, 30, 90, 200, 200]);
    expect((await waitsOf({ ...retry, factor: 1 })).delays).toEqual([10, 10, 10, 10, 10]);
    expect((await waitsOf({ ...retry, maxDelayMs: 5 })).delays).toEqual([5, 5, 5, 5, 5]);
  });

  test('draws a new random number for each wait', async () => {
    const draws = [0.5, 0.1];
    expect((await waitsOf({ random: () => draws.shift() ?? 0 })).delays).toEqual([250, 100]);
  });

  test.each([[undefined], [true], [{}], [{ maxAttempts: undefined }]])(
    'of retry: %o stays within the default limits, with three attempts',
    async (retry) => {
      const { delays, turn } = await waitsOf(retry);
      expect(turn.attempts).toBe(3);
      expect(delays).toHaveLength(2);
      for (const [index, ceiling] of [500, 1000].entries()) {
        expect(delays[index]).toBeGreaterThanOrEqual(0);
        expect(delays[index]).toBeLessThanOrEqual(ceiling);
      }
    },
  );

  test('is absent with retry: false, which makes one attempt', async () => {
    const { delays, turn } = await waitsOf(false);
    expect([delays, turn.attempts]).toEqual([[], 1]);
    expect(turn.ledger).toMatchObject([{ decision: 'stop', reason: '503: Only one attempt was allowed.' }]);
  });

  test('is recorded in the ledger with its actual length and source', async () => {
    const { turn } = await waitsOf(always(0.5));
    expect(turn.ledger).toMatchObject([
      { decision: 'retry', delayMs: 250, delaySource: 'backoff' },
      { decision: 'retry', delayMs: 500, delaySource: 'backoff' },
      { decision: 'stop' },
    ]);
    expect(turn.ledger[0]?.reason).toBe('503 is retried. Our wait: 250 ms, drawn from 0 to 500 ms.');
    expect(turn.ledger[2]).not.toHaveProperty('delayMs');
    // Only the waits advance this clock.
    const [first, second, third] = turn.ledger;
    expect([second, third].map((record) => (record?.startedAt ?? 0) - (first?.startedAt ?? 0))).toEqual([
      250, 750,
    ]);
  });

  test('is observed: the next request is sent only after its last millisecond', async () => {
    await using server = await busy();
    const clock = new FakeClock();
    const provider = new ProbeProvider(server.url, { retry: { random: () => 1, maxAttempts: 2 } });
    const call = clock.run(() => provider.chat({ messages: HELLO }));
    await clock.asked(1);
    clock.advance(499);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    expect((await call).attempts).toBe(2);
    expect(clock.pending).toBe(0);
  });
});

describe('Retry-After', () => {
  const inTwelveSeconds = 'Thu, 01 Jan 2026 00:00:12 GMT';

  test.each<[string, Record<string, string>, number]>([
    ['a second', { 'retry-after': '1' }, 1000],
    ['a fraction of a second', { 'retry-after': '1.5' }, 1500],
    ['zero', { 'retry-after': '0' }, 0],
    ['an HTTP date', { 'retry-after': inTwelveSeconds }, 12_000],
    ['a date that has passed', { 'retry-after': 'Wed, 31 Dec 2025 23:59:59 GMT' }, 0],
    ['milliseconds', { 'retry-after-ms': '250' }, 250],
    ['milliseconds rather than seconds', { 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    ['seconds if the milliseconds are not a number', { 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    ['more than maxDelayMs, up to a minute', { 'retry-after': '60' }, 60_000],
  ])('of %s replaces the backoff', async (_, headers, delayMs) => {
    const { delays, turn } = await waitsOf({ maxAttempts: 2, random: () => 1 }, headers);
    expect(delays).toEqual([delayMs]);
    expect(turn.ledger[0]).toMatchObject({ decision: 'retry', delayMs, delaySource: 'retry-after' });
    expect(turn.ledger[0]?.reason).toContain('The server asked for a wait of');
  });

  test('of more than a minute is not waited for: the error states it', async () => {
    await using server = await busy({ 'retry-after': '61' });
    const clock = skipping();
    for (const provider of [
      new LocalHostProvider({ host: server.url, model: 'm' }),
      new HostedApiProvider({ host: server.url, apiKey: 'k' }),
    ]) {
      const error = await failure(clock.run(() => provider.chat({ messages: HELLO })));
      expect(error).toMatchObject({ code: 'http', status: 503, attempts: 1 });
      expect(error.message).toContain(
        'The server asks for a wait of 61 s (Retry-After), which is too long to wait for.',
      );
    }
    expect(clock.delays).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  test('of more than a minute is waited for exactly when maxDelayMs permits it', async () => {
    const hour = { 'retry-after': '3600' };
    const retry = { maxAttempts: 2, maxDelayMs: 3_600_000 };
    expect((await waitsOf(retry, hour)).delays).toEqual([3_600_000]);
    expect((await waitsOf({ ...retry, maxDelayMs: 3_599_999 }, hour)).delays).toEqual([]);
  });

  test('of more than a minute ends the call even if isRetryable returns true', async () => {
    const { delays, turn } = await waitsOf({ isRetryable: () => true }, { 'retry-after-ms': '60001' });
    expect([delays, turn.attempts]).toEqual([[], 1]);
    expect(turn.ledger[0]?.reason).toContain('which is too long to wait for');
  });

  test('is ignored with respectRetryAfter: false, whatever its length', async () => {
    for (const wish of ['2', '3600']) {
      const retry = { respectRetryAfter: false, random: () => 1, maxAttempts: 2 };
      const { delays, turn } = await waitsOf(retry, { 'retry-after': wish });
      expect(delays).toEqual([500]);
      expect(turn.ledger[0]).toMatchObject({ delaySource: 'backoff' });
    }
  });

  test('is passed to both callbacks', async () => {
    const seen: (number | undefined)[] = [];
    const note = ({ retryAfterMs }: RetryAttempt): boolean => seen.push(retryAfterMs) > 0;
    await waitsOf({ maxAttempts: 2, isRetryable: note, onRetry: note }, { 'retry-after': '1.5' });
    expect(seen).toEqual([1500, 1500]);
  });
});
