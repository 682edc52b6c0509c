// Which callbacks run around a retry, and in which order. Real sockets, and a clock that skips the waits.
import { afterAll, describe, expect, test } from 'vitest';
import type { RetryAttempt, RetryPolicy } from '../../../src/library';
import { closeConnections, LocalHostProvider } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import type { Answer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const always503: Answer = (_, response) => sendJson(response, 503, { error: 'busy' });

/** Makes one call whose policy records its callbacks; `stop` aborts the call. */
async function follow(
  answer: (stop: () => void) => Answer,
  retry: RetryPolicy = {},
  clock = new FakeClock({ isSkipping: true }),
) {
  const controller = new AbortController();
  await using server = await startServer(answer(() => controller.abort()));
  const events: string[] = [];
  const infos: RetryAttempt[] = [];
  const note =
    (name: string) =>
    (info: RetryAttempt): void => {
      infos.push(info);
      events.push(`${name} ${info.attempt}, after ${clock.delays.length} waits`);
    };
  const isRetryable = (info: RetryAttempt): boolean => {
    note('isRetryable')(info);
    return retry.isRetryable?.(info) ?? true;
  };
  const onRetry = (info: RetryAttempt): void => {
    note('onRetry')(info);
    retry.onRetry?.(info);
  };
  const provider = new ProbeProvider(server.url, { retry: { ...retry, isRetryable, onRetry } });
  const outcome = await clock.run(() =>
    provider.chat({ messages: HELLO, signal: controller.signal }).catch((error: unknown) => error),
  );
  return { outcome, events, infos, clock, requests: server.requests.length };
}

describe('after a failed attempt', () => {
  test('isRetryable runs, then onRetry, then the wait begins; after the last attempt neither runs', async () => {
    const { events, clock } = await follow(() => always503);
    expect(events).toEqual([
      'isRetryable 1, after 0 waits',
      'onRetry 1, after 0 waits',
      'isRetryable 2, after 1 waits',
      'onRetry 2, after 1 waits',
    ]);
    expect(clock.delays).toHaveLength(2);
  });

  test('isRetryable gets a delay of 0, onRetry the actual one', async () => {
    const { infos, clock } = await follow(() => always503, { random: () => 0.5 });
    expect(infos.map(({ delayMs }) => delayMs)).toEqual([0, 250, 0, 500]);
    expect(clock.delays).toEqual([250, 500]);
    expect(infos[1]).toEqual({
      attempt: 1,
      maxAttempts: 3,
      status: 503,
      delayMs: 250,
      reason: 'isRetryable returned true. Our wait: 250 ms, drawn from 0 to 500 ms.',
    });
  });

  test('both get the error and no status when there was no answer', async () => {
    const { infos } = await follow(() => (_, response) => response.socket?.destroy(), { maxAttempts: 2 });
    expect(infos).toHaveLength(2);
    for (const info of infos) {
      expect(info.error).toBeInstanceOf(Error);
      expect(info).not.toHaveProperty('status');
    }
  });

  test('isRetryable overrides the table and the headers, in both directions', async () => {
    const notFound: Answer = (_, response) => sendJson(response, 404, {});
    expect(await follow(() => notFound)).toMatchObject({ requests: 3, outcome: { attempts: 3 } });
    const quota: Answer = (_, response) =>
      sendJson(response, 429, { error: { code: 'insufficient_quota' } }, { 'x-should-retry': 'false' });
    expect(await follow(() => quota)).toMatchObject({ requests: 3 });
    expect(await follow(() => always503, { isRetryable: () => false })).toMatchObject({
      requests: 1,
      events: ['isRetryable 1, after 0 waits'],
      outcome: { ledger: [{ decision: 'stop', reason: 'isRetryable returned false.' }] },
    });
  });

  test('an abort during the attempt ends the call without calling either', async () => {
    const { events, outcome } = await follow((stop) => stop);
    expect(outcome).toMatchObject({
      code: 'aborted',
      attempts: 1,
      ledger: [{ endedBy: 'caller', decision: 'stop' }],
    });
    expect(events).toEqual([]);
  });

  test('an abort in onRetry ends the call before the wait', async () => {
    const controller = new AbortController();
    await using server = await startServer(always503);
    const clock = new FakeClock(); // an actual wait would never end with this clock
    const retry = { onRetry: () => controller.abort() };
    const provider = new ProbeProvider(server.url, { retry });
    const error = await failure(
      clock.run(() => provider.chat({ messages: HELLO, signal: controller.signal })),
    );
    expect(error).toMatchObject({ code: 'aborted', attempts: 1 });
    expect(clock.pending).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('an abort is the recorded reason on the last attempt, too', async () => {
    const { outcome } = await follow((stop) => stop, { maxAttempts: 1 });
    expect(outcome).toMatchObject({ ledger: [{ reason: 'It was stopped.' }] });
  });

  test('there is no retry once output was emitted, and neither callback runs', async () => {
    await using server = await startServer((_, response) =>
      response.write('{"message":{"content":"Hel"},"done":false}\n', () =>
        setTimeout(() => response.destroy(), 10),
      ),
    );
    const asked: unknown[] = [];
    const ask = (info: RetryAttempt): boolean => asked.push(info) > 0;
    const retry = { isRetryable: ask, onRetry: ask };
    const provider = new LocalHostProvider({ host: server.url, model: 'm', retry });
    const error = await failure(provider.chat({ messages: HELLO, onDelta: () => undefined }));
    expect(error).toMatchObject({ code: 'truncated-stream', attempts: 1, partial: { content: 'Hel' } });
    expect(asked).toEqual([]);
  });

  test('a broken stream that only raw requested is retried, because no output was emitted', async () => {
    await using server = await startServer((_, response, count) => {
      response.write('{"message":{"content":"Hel"},"done":false}\n', () => {
        if (count === 1) setTimeout(() => response.destroy(), 10);
        else response.end('{"message":{"content":"lo"},"done":true}\n');
      });
    });
    const provider = new LocalHostProvider({ host: server.url, model: 'm', raw: { stream: true } });
    const clock = new FakeClock({ isSkipping: true });
    const turn = await clock.run(() => provider.chat({ messages: HELLO }));
    expect(turn).toMatchObject({ attempts: 2, raw: { content: 'Hello' } });
  });
});

describe('a callback', () => {
  const broken = (): never => {
    throw new Error('broken');
  };
  const rejecting = (() => Promise.reject(new Error('rejected'))) as () => never;
  const flaky =
    (status: number): Answer =>
    (_, response, count) =>
      sendJson(response, count === 1 ? status : 200, { text: 'fine' });

  test.each([
    ['throws', broken],
    ['rejects', rejecting],
  ])('isRetryable that %s counts as absent: the table decides', async (_, isRetryable) => {
    for (const [status, attempts] of [
      [503, 2],
      [404, 1],
    ] as const) {
      await using server = await startServer(flaky(status));
      const clock = new FakeClock({ isSkipping: true });
      const provider = new ProbeProvider(server.url, { retry: { isRetryable } });
      expect((await clock.run(() => provider.chat({ messages: HELLO }))).attempts).toBe(attempts);
    }
  });

  test.each([
    ['throws', broken],
    ['rejects', rejecting],
  ])('onRetry, onProgress or random that %s does not end the call', async (_, callback) => {
    await using server = await startServer(flaky(503));
    const clock = new FakeClock({ isSkipping: true });
    const provider = new ProbeProvider(server.url, { retry: { onRetry: callback, random: callback } });
    const turn = await clock.run(() => provider.chat({ messages: HELLO, onProgress: callback }));
    expect(turn).toMatchObject({ attempts: 2, raw: { content: 'fine' } });
    expect(clock.delays[0]).toBeLessThanOrEqual(500);
  });
});
