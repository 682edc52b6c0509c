// What ends a call that takes too long, and what does not. Real sockets, manually advanced clocks.
import { createRequire } from 'node:module';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallProgress, RetryPolicy } from '../../../src/library';
import { closeConnections, CONNECT_TIMEOUT_MS, RequestTimeoutError } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import { failure } from '../../support/failure';
import { startFaultServer } from '../../support/servers/fault-server';
import type { Answer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';
import { advanceClientTimers } from '../../support/undici-timers';

afterAll(closeConnections);

/** Starts a call with a clock that stands still. */
function startCall(url: string, retry: RetryPolicy | boolean, signal?: AbortSignal) {
  const clock = new FakeClock();
  const phases: string[] = [];
  const onProgress = ({ phase }: CallProgress): void => void phases.push(phase);
  const provider = new ProbeProvider(url, { retry });
  const call = clock.run(() => provider.chat({ messages: HELLO, onProgress, signal }));
  call.catch(() => undefined); // awaited later
  return { clock, call, phases };
}

const silent: Answer = () => undefined;
const half: Answer = (_, response) => void response.writeHead(200).write('{"text":');
const soon = { timeout: 60_000, interval: 2 };

describe('timeoutMs', () => {
  test.each([
    ['the headers', silent, 'waiting-for-headers'],
    ['the body', half, 'reading'],
  ])('covers %s: the call ends exactly at the last millisecond', async (_, answer, phase) => {
    await using server = await startServer(answer);
    const { clock, call, phases } = startCall(server.url, { timeoutMs: 90_000, maxAttempts: 1 });
    await expect.poll(() => server.requests.length, soon).toBe(1);
    await expect.poll(() => phases.at(-1), soon).toBe(phase);
    clock.advance(89_999);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await server.openConnections()).toBe(1);
    clock.advance(1);
    const error = await failure(call);
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(error).toMatchObject({ code: 'timeout', timeoutMs: 90_000 });
    expect(error.ledger).toMatchObject([{ endedBy: 'timeout', endMs: 90_000, decision: 'stop' }]);
    await expect.poll(server.openConnections, soon).toBe(0);
  });

  test('covers the connection setup', async () => {
    await using server = await startFaultServer('connection', () => undefined);
    const { clock, call } = startCall(`https://127.0.0.1:${server.port}`, {
      timeoutMs: 2000,
      maxAttempts: 1,
    });
    await expect.poll(server.openConnections, soon).toBe(1);
    clock.advance(2000);
    expect(await failure(call)).toMatchObject({ code: 'timeout', ledger: [{ endMs: 2000 }] });
    await expect.poll(server.openConnections, soon).toBe(0);
  });

  test('applies to each attempt, without the waits between them', async () => {
    await using server = await startServer((_, response, count) => {
      if (count === 2) sendJson(response, 503, {}, { 'retry-after': '30' });
    });
    const { clock, call } = startCall(server.url, { timeoutMs: 100, maxAttempts: 3, random: () => 1 });
    await expect.poll(() => server.requests.length, soon).toBe(1);
    clock.advance(100); // ends the first attempt
    await clock.asked(2);
    clock.advance(500); // ends the wait after it
    await clock.asked(4); // the timeout of the second attempt, and the wait of 30 s after its answer
    clock.advance(30_000);
    await expect.poll(() => server.requests.length, soon).toBe(3);
    clock.advance(100);
    const error = await failure(call);
    expect(clock.delays).toEqual([100, 500, 100, 30_000, 100]);
    expect(error.ledger.map(({ endedBy, delayMs }) => [endedBy, delayMs])).toEqual([
      ['timeout', 500],
      ['server', 30_000],
      ['timeout', undefined],
    ]);
    expect(error.message).toContain('took too long, 3 attempts in 30.7 s');
  });

  test('leaves no timer behind when the answer comes in time', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, { text: 'fine' }));
    const { clock, call } = startCall(server.url, { timeoutMs: 1000 });
    expect((await call).raw.content).toBe('fine');
    expect([clock.delays, clock.pending]).toEqual([[1000], 0]);
  });
});

describe('a signal beside timeoutMs', () => {
  test.each([
    ['before the headers', silent],
    ['in the body', half],
  ])('%s: whichever comes first ends the call', async (_, answer) => {
    for (const isStopped of [true, false]) {
      await using server = await startServer(answer);
      const controller = new AbortController();
      const policy = { timeoutMs: 5000, maxAttempts: 1 };
      const { clock, call } = startCall(server.url, policy, controller.signal);
      await expect.poll(() => server.requests.length, soon).toBe(1);
      if (isStopped) controller.abort();
      else clock.advance(5000);
      expect(await failure(call)).toMatchObject(
        isStopped
          ? { code: 'aborted', ledger: [{ endedBy: 'caller' }] }
          : { code: 'timeout', ledger: [{ endedBy: 'timeout' }] },
      );
      expect(clock.pending).toBe(0);
      await expect.poll(server.openConnections, soon).toBe(0);
    }
  });

  test('in the wait between attempts: an abort ends it at once, the timeout never does', async () => {
    await using server = await startServer((_, response) =>
      sendJson(response, 503, {}, { 'retry-after': '45' }),
    );
    const controller = new AbortController();
    const { clock, call, phases } = startCall(server.url, { timeoutMs: 1000 }, controller.signal);
    await clock.asked(2);
    clock.advance(44_999);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(phases.at(-1)).toBe('waiting-to-retry');
    controller.abort();
    const error = await failure(call);
    expect(error).toMatchObject({ code: 'aborted', attempts: 1 });
    expect(error.ledger).toMatchObject([{ status: 503, decision: 'stop', reason: 'It was stopped.' }]);
    expect([clock.pending, server.requests.length]).toEqual([0, 1]);
  });
});

describe('without timeoutMs', () => {
  const HOUR = 3_600_000;
  interface Undici {
    Agent: new () => object;
    request: (this: object, options: object) => Promise<unknown>;
  }
  const load = createRequire(import.meta.url);
  const undici: Undici = {
    Agent: load('undici/lib/dispatcher/agent.js') as Undici['Agent'],
    request: load('undici/lib/api/api-request.js') as Undici['request'],
  };
  beforeAll(async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    // Loads the HTTP client, which happens on first use.
    await new ProbeProvider(server.url).chat({ messages: HELLO });
  });

  test.each([
    ['before the headers', () => undefined],
    ['in the body', (response: ServerResponse) => void response.writeHead(200).write('{"text":')],
  ])('an hour of silence %s does not end the call', async (_, begin) => {
    const held: ServerResponse[] = [];
    await using server = await startServer((__, response) => {
      begin(response);
      held.push(response);
    });
    const { clock, call, phases } = startCall(server.url, false);
    await expect.poll(() => held.length, soon).toBe(1);
    if (held[0]?.headersSent) await expect.poll(() => phases.at(-1), soon).toBe('reading');
    clock.advance(HOUR);
    await advanceClientTimers(HOUR);
    expect(await server.openConnections()).toBe(1);
    held[0]?.end(held[0].headersSent ? '"late"}' : '{"text":"late"}');
    expect(await call).toMatchObject({ attempts: 1, raw: { content: 'late' } });
    expect(clock.delays).toEqual([]);
  });

  test('undici’s default timeout would end the call', async () => {
    await using server = await startServer(silent);
    const asked = undici.request.call(new undici.Agent(), { origin: server.url, path: '/', method: 'GET' });
    asked.catch(() => undefined);
    await expect.poll(() => server.requests.length, soon).toBe(1);
    await advanceClientTimers(HOUR);
    await expect(asked).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
  });

  test('a TLS handshake that is not answered within 10 s ends the call with an error that says so: the only default limit', async () => {
    expect(CONNECT_TIMEOUT_MS).toBe(10_000);
    await using server = await startFaultServer('connection', () => undefined);
    const { call } = startCall(`https://127.0.0.1:${server.port}`, false);
    let isSettled = false;
    call.finally(() => (isSettled = true)).catch(() => undefined);
    await expect.poll(server.openConnections, soon).toBe(1);
    await advanceClientTimers(9000);
    expect(isSettled).toBe(false);
    await advanceClientTimers(2000);
    const error = await failure(call);
    expect(error).toMatchObject({ code: 'network', errorCode: 'ERR_TLS_HANDSHAKE_TIMEOUT' });
    expect(error.message).toContain('the TLS handshake was not answered within 10 s.');
    expect(error.explanation.next).toContain('Use http://');
    await expect.poll(server.openConnections, soon).toBe(0);
  });
});
