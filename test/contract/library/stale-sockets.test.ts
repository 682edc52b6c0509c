// Kept-alive connections, and what happens to a request whose connection turns out to be closed. Raw sockets and TLS.
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatTurn, RetryAttempt, RetryPolicy } from '../../../src/library';
import { closeConnections } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import { failure } from '../../support/failure';
import { startFaultServer } from '../../support/servers/fault-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

afterEach(closeConnections);

const answer = (text: string): string => {
  const body = JSON.stringify({ text });
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};
const reset = (socket: Socket): void => void socket.resetAndDestroy();
const close = (socket: Socket): void => socket.destroySoon();

/** Makes two calls over one kept-alive connection; the script decides what happens to the second. */
async function callTwice(second: (socket: Socket) => void, policy: RetryPolicy | false = {}) {
  await using server = await startFaultServer('request', (socket, count) => {
    if (count === 2) second(socket);
    else socket.write(answer(`answer ${count}`));
  });
  const reportedRetries: RetryAttempt[] = [];
  const reportRetry = (info: RetryAttempt): boolean => reportedRetries.push(info) > 0;
  const retry = policy && { ...policy, onRetry: reportRetry, isRetryable: reportRetry };
  const provider = new ProbeProvider(`http://127.0.0.1:${server.port}`, { retry });
  const clock = new FakeClock({ isSkipping: true });
  const chat = (): Promise<ChatTurn> => clock.run(() => provider.chat({ messages: HELLO }));
  await chat();
  await nextTurn(); // lets the socket return to the pool
  const outcome: unknown = await chat().catch((error: unknown) => error);
  return { outcome, reportedRetries, runs: server.runs(), delays: clock.delays };
}

describe('a kept-alive connection that closes before a byte of the answer', () => {
  const ways: [string, (socket: Socket) => void][] = [
    ['reset', reset],
    ['closed', close],
  ];

  test.each(ways)('by being %s is reopened at once, which does not count as an attempt', async (_, end) => {
    const { outcome, reportedRetries, delays, runs } = await callTwice(end);
    expect(outcome).toMatchObject({ attempts: 1, raw: { content: 'answer 3', attempts: 1 } });
    const [first, second, ...more] = (outcome as ChatTurn).ledger;
    expect(first).toEqual({
      attempt: 1,
      startedAt: expect.any(Number),
      endMs: 0,
      errorCode: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET|EPIPE)$/),
      endedBy: 'network',
      decision: 'reconnect',
      reason: 'The server had closed a connection that was kept open; a new one is opened at once.',
    });
    expect(second).toMatchObject({ attempt: 1, status: 200, decision: 'done' });
    expect([more, reportedRetries, delays, runs]).toEqual([[], [], [], 3]);
  });

  test.each(ways)('by being %s is reopened with retry: false, too', async (_, end) => {
    const { outcome, runs } = await callTwice(end, false);
    expect(outcome).toMatchObject({ attempts: 1, raw: { content: 'answer 3' } });
    expect(runs).toBe(3);
  });

  test('is reopened over TLS, too', async () => {
    const pem = (name: string): string =>
      readFileSync(new URL(`../../fixtures/tls/localhost-${name}.pem`, import.meta.url), 'utf8');
    let count = 0;
    const server = https.createServer({ key: pem('key'), cert: pem('cert') }, (request, response) => {
      count += 1;
      if (count === 2) request.socket.destroy();
      else response.end(JSON.stringify({ text: `answer ${count}` }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const provider = new ProbeProvider(url, { retry: false, network: { ca: [pem('cert')] } });
    await provider.chat({ messages: HELLO });
    await nextTurn();
    const turn = await provider.chat({ messages: HELLO });
    expect(turn.raw.content).toBe('answer 3');
    expect(turn.ledger.map(({ decision }) => decision)).toEqual(['reconnect', 'done']);
    server.close();
    server.closeAllConnections();
  });

  test('is replaced by a new connection, even if many other kept-alive ones are closed, too', async () => {
    const used = new Map<Socket, number>();
    const waiting: Socket[] = [];
    await using server = await startFaultServer('request', (socket, count) => {
      used.set(socket, (used.get(socket) ?? 0) + 1);
      if (used.get(socket) === 2) return reset(socket);
      // The first six are answered together, so that each needs a connection of its own.
      if (waiting.push(socket) === 6 || count > 6)
        for (const each of waiting.splice(0)) each.write(answer('fine'));
    });
    const clock = new FakeClock({ isSkipping: true });
    const provider = new ProbeProvider(`http://127.0.0.1:${server.port}`, { retry: { random: () => 1 } });
    const chat = (): Promise<ChatTurn> => clock.run(() => provider.chat({ messages: HELLO }));
    await Promise.all(Array.from({ length: 6 }, chat));
    const decisions: string[][] = [];
    for (let count = 0; count < 6; count += 1) {
      await nextTurn();
      decisions.push((await chat()).ledger.map(({ decision }) => decision));
    }
    expect(decisions).toEqual(Array.from({ length: 6 }, () => ['reconnect', 'done']));
    expect([clock.delays, used.size]).toEqual([[], 12]);
    // The earlier ones are closed, and the last one is kept alive.
    await expect.poll(server.openConnections).toBe(1);
  });

  test.each([
    ['4 s after the request is reopened', 4000, 'reconnect'],
    [
      'a minute after the request is a failed attempt, because the server may have worked on it',
      60_000,
      'retry',
    ],
  ])('%s', async (_, silenceMs, decision) => {
    const held: Socket[] = [];
    await using server = await startFaultServer('request', (socket, count) => {
      if (count === 2) held.push(socket);
      else socket.write(answer(`answer ${count}`));
    });
    const clock = new FakeClock();
    const retry = { initialDelayMs: 0 };
    const provider = new ProbeProvider(`http://127.0.0.1:${server.port}`, { retry });
    const chat = (): Promise<ChatTurn> => clock.run(() => provider.chat({ messages: HELLO }));
    await chat();
    await nextTurn();
    const second = chat();
    await expect.poll(() => held.length).toBe(1);
    clock.advance(silenceMs);
    for (const socket of held) reset(socket);
    if (decision === 'retry') await clock.asked(1).then(() => clock.advance(0));
    const { ledger } = await second;
    expect(ledger.map((record) => record.decision)).toEqual([decision, 'done']);
  });

  test('is reopened once per attempt: a new connection that closes too is a failed attempt', async () => {
    let isClosing = false;
    await using server = await startFaultServer('request', (socket, count) => {
      if (isClosing && count <= 4) reset(socket);
      // Both are answered together, so that both need a connection of their own.
      else if (count !== 1) for (const each of [...waiting.splice(0), socket]) each.write(answer('fine'));
      else waiting.push(socket);
    });
    const waiting: Socket[] = [];
    const clock = new FakeClock({ isSkipping: true });
    const retry = { random: () => 1 };
    const provider = new ProbeProvider(`http://127.0.0.1:${server.port}`, { retry });
    const chat = (): Promise<ChatTurn> => clock.run(() => provider.chat({ messages: HELLO }));
    await Promise.all([chat(), chat()]);
    await nextTurn();
    isClosing = true;
    const { attempts, ledger } = await chat();
    expect(ledger.map(({ attempt, decision }) => [attempt, decision])).toEqual([
      [1, 'reconnect'],
      [1, 'retry'],
      [2, 'done'],
    ]);
    expect([attempts, clock.delays, server.runs()]).toEqual([2, [500], 5]);
  });
});

describe('a kept-alive connection that breaks after the first byte of the answer', () => {
  const begun: [string, string][] = [
    ['in the status line', 'HTTP/1.1 2'],
    ['in the headers', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['after an early hint', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
  ];

  test.each(begun)('%s is a failed attempt, which is retried after a wait', async (_, bytes) => {
    for (const end of [reset, close]) {
      const { outcome, reportedRetries, delays } = await callTwice(
        (socket) => socket.write(bytes, () => end(socket)),
        {
          random: () => 1,
        },
      );
      expect(outcome).toMatchObject({
        attempts: 2,
        raw: { content: 'answer 3' },
        ledger: [{ attempt: 1, decision: 'retry', endedBy: 'network' }, { attempt: 2 }],
      });
      expect([reportedRetries.length, delays]).toEqual([2, [500]]);
    }
  });

  test.each(begun)(
    '%s is an error with retry: false, and the request is not sent again',
    async (_, bytes) => {
      const { outcome, runs } = await callTwice((socket) => socket.write(bytes, () => reset(socket)), false);
      expect(outcome).toMatchObject({ code: 'network', attempts: 1, ledger: [{ decision: 'stop' }] });
      expect(runs).toBe(2);
    },
  );

  test.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
  ])('by answering with %s, which is not supported, is an error, too', async (_, bytes) => {
    const { outcome, runs } = await callTwice((socket) => void socket.write(bytes), false);
    expect(outcome).toMatchObject({ code: 'network', attempts: 1 });
    expect(runs).toBe(2);
  });
});

describe('a new connection', () => {
  test('that is reset before the first byte does not count as stale', async () => {
    await using server = await startFaultServer('request', reset);
    const provider = new ProbeProvider(`http://127.0.0.1:${server.port}`, { retry: false });
    const error = await failure(provider.chat({ messages: HELLO }));
    expect(error.ledger).toMatchObject([{ attempt: 1, decision: 'stop', errorCode: 'ECONNRESET' }]);
    expect(server.runs()).toBe(1);
  });
});
