// Retries, timeouts and broken connections with every kind of provider, over real sockets.
import { afterAll, describe, expect, test } from 'vitest';
import type { CallProgress, RetryAttempt } from '../../../src/library';
import { closeConnections, NetworkError, RequestTimeoutError } from '../../../src/library';
import { WireProvider } from '../../../src/library/providers/wire-provider';
import { FakeClock } from '../../support/fake-clock';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';
import { PROVIDER_KINDS } from '../../support/connections/provider-kinds';

const fast = { initialDelayMs: 1, maxDelayMs: 2 };

afterAll(closeConnections);

describe.each(PROVIDER_KINDS.filter(({ make }) => make('http://127.0.0.1') instanceof WireProvider))(
  'an error of $name under status 200',
  ({ make, reply }) => {
    const limited = { error: { code: 429, message: 'Rate limit exceeded' } };

    test('fails the attempt, as it does in a stream', async () => {
      await using server = await startServer((_, response) => sendJson(response, 200, limited));
      const error = await failure(make(server.url, { retry: fast }).chat({ messages: HELLO }));
      expect(error).toMatchObject({ code: 'http', status: 200, attempts: 1 });
      expect(error.message).toContain('answered with an error under status 200 (429)');
      expect(error.message).toContain('The server says: Rate limit exceeded.');
      expect(error.ledger).toMatchObject([{ status: 200, decision: 'stop', endedBy: 'server' }]);
    });

    test('is retried if the caller wants it', async () => {
      await using server = await startServer((_, response, count) =>
        sendJson(response, 200, count === 1 ? limited : reply('hi')),
      );
      const provider = make(server.url, { retry: { ...fast, isRetryable: () => true } });
      expect(await provider.chat({ messages: HELLO })).toMatchObject({ attempts: 2, raw: { content: 'hi' } });
    });
  },
);

describe.each(PROVIDER_KINDS)('a request of $name', ({ make, reply }) => {
  test('retries 503 and reports every attempt', async () => {
    await using server = await startServer((_, response, count) =>
      count < 3 ? sendJson(response, 503, { error: 'busy' }) : sendJson(response, 200, reply('hi')),
    );
    const events: RetryAttempt[] = [];
    const provider = make(server.url, {
      retry: { ...fast, onRetry: (info) => events.push(info) },
    });
    const turn = await provider.chat({ messages: HELLO });
    expect(turn.attempts).toBe(3);
    expect(turn.raw).toMatchObject({ content: 'hi', attempts: 3 });
    expect(
      turn.ledger.map(({ attempt, status, decision, endedBy }) => [attempt, status, decision, endedBy]),
    ).toEqual([
      [1, 503, 'retry', 'server'],
      [2, 503, 'retry', 'server'],
      [3, 200, 'done', 'server'],
    ]);
    expect(events).toMatchObject([
      { attempt: 1, maxAttempts: 3, status: 503 },
      { attempt: 2, maxAttempts: 3, status: 503 },
    ]);
    expect(turn.ledger.slice(0, 2).map(({ delayMs }) => delayMs)).toEqual(
      events.map(({ delayMs }) => delayMs),
    );
  });

  test('waits as long as Retry-After says, and reports the wait', async () => {
    await using server = await startServer((_, response, count) =>
      count === 1
        ? sendJson(response, 429, {}, { 'retry-after-ms': '5' })
        : sendJson(response, 200, reply('hi')),
    );
    const { ledger } = await make(server.url).chat({ messages: HELLO });
    expect(ledger[0]).toMatchObject({ delayMs: 5, delaySource: 'retry-after' });
  });

  test('a refused connection is an error that names the address, the code, the attempts and the next step', async () => {
    const gone = await startServer(() => undefined);
    await gone[Symbol.asyncDispose]();
    const error = await failure(make(gone.url, { retry: fast }).chat({ messages: HELLO }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'network', errorCode: 'ECONNREFUSED', attempts: 3 });
    expect(error.message).toMatch(/^\w+: POST http:\S+ failed, 3 attempts in/);
    expect(error.message).toContain(`POST ${gone.url}/`);
    expect(error.message).toContain('Nothing listens at that address. (ECONNREFUSED)');
    expect(error.ledger.map(({ decision, endedBy }) => [decision, endedBy])).toEqual([
      ['retry', 'network'],
      ['retry', 'network'],
      ['stop', 'network'],
    ]);
  });

  test('timeoutMs covers the headers and applies to each attempt', async () => {
    await using server = await startServer(() => undefined);
    const retry = { ...fast, timeoutMs: 30, maxAttempts: 2 };
    const error = await failure(make(server.url, { retry }).chat({ messages: HELLO }));
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(error).toMatchObject({ code: 'timeout', timeoutMs: 30, attempts: 2 });
    expect(error.ledger.map(({ endedBy }) => endedBy)).toEqual(['timeout', 'timeout']);
  });

  test('timeoutMs covers the body, and a body that stalls is a failed attempt', async () => {
    await using server = await startServer((_, response, count) => {
      if (count > 1) return sendJson(response, 200, reply('whole'));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"text":');
    });
    const provider = make(server.url, { retry: { ...fast, timeoutMs: 90_000 } });
    const clock = new FakeClock();
    let phase: string | undefined;
    const onProgress = (progress: CallProgress): void => void (phase = progress.phase);
    const call = clock.run(() => provider.chat({ messages: HELLO, onProgress }));
    await expect.poll(() => phase).toBe('reading');
    clock.advance(90_000);
    // Lets the wait before the second attempt pass.
    const wait = (): number => {
      clock.advance(fast.maxDelayMs);
      return server.requests.length;
    };
    await expect.poll(wait).toBe(2);
    const turn = await call;
    expect(turn.raw).toMatchObject({ content: 'whole', attempts: 2 });
    expect(turn.ledger[0]).toMatchObject({
      endedBy: 'timeout',
      decision: 'retry',
      headersMs: expect.any(Number),
    });
  });

  test('a body that breaks off is a failed attempt', async () => {
    await using server = await startServer((_, response, count) => {
      if (count > 1) return sendJson(response, 200, reply('whole'));
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"text":', () => response.destroy());
    });
    const turn = await make(server.url, { retry: fast }).chat({ messages: HELLO });
    expect(turn.ledger).toMatchObject([{ endedBy: 'network', decision: 'retry' }, { decision: 'done' }]);
  });

  test('a body that breaks off on the last attempt is an error that names the status of the answer', async () => {
    await using server = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"text":', () => response.destroy());
    });
    const error = await failure(make(server.url, { retry: { maxAttempts: 1 } }).chat({ messages: HELLO }));
    expect(error).toMatchObject({ code: 'network', ledger: [{ status: 200, endedBy: 'network' }] });
    expect(error.message).toContain('was answered with 200, and the answer broke off, 1 attempt in');
  });

  test('callbacks that throw or reject do not end the call', async () => {
    await using server = await startServer((_, response, count) =>
      sendJson(response, count < 3 ? 500 : 200, reply('hi')),
    );
    const onRetry = (({ attempt }: RetryAttempt): unknown => {
      if (attempt === 1) throw new Error('thrown');
      return Promise.reject(new Error('rejected'));
    }) as (info: RetryAttempt) => void;
    const onProgress = (): void => {
      throw new Error('thrown');
    };
    const turn = await make(server.url, { retry: { ...fast, onRetry } }).chat({
      messages: HELLO,
      onProgress,
    });
    expect(turn.attempts).toBe(3);
  });

  test('retries once on a fresh connection when the kept-alive socket was closed, even without retries', async () => {
    await using server = await startServer((_, response, count) => {
      if (count === 2) return void response.socket?.destroy();
      sendJson(response, 200, reply(`answer ${count}`));
    });
    const events: RetryAttempt[] = [];
    const provider = make(server.url, {
      retry: { maxAttempts: 1, onRetry: (info) => events.push(info) },
    });
    await provider.chat({ messages: HELLO });
    await new Promise((resolve) => setImmediate(resolve)); // lets the socket return to the pool
    const turn = await provider.chat({ messages: HELLO });
    expect(turn).toMatchObject({ attempts: 1, raw: { content: 'answer 3' } });
    expect(turn.ledger.map(({ attempt, decision }) => [attempt, decision])).toEqual([
      [1, 'reconnect'],
      [1, 'done'],
    ]);
    expect(events).toEqual([]);
  });

  test('a new socket that breaks does not count as a stale one', async () => {
    await using server = await startServer((_, response) => void response.socket?.destroy());
    const error = await failure(make(server.url, { retry: false }).chat({ messages: HELLO }));
    expect(error).toMatchObject({ code: 'network', attempts: 1 });
    expect(error.ledger).toHaveLength(1);
  });

  test('two concurrent calls of one provider have separate ledgers and progress', async () => {
    const seen: string[] = [];
    await using server = await startServer(({ body }, response) => {
      const call = body.includes('second') ? 'second' : 'first';
      seen.push(call);
      const isBusy = call === 'second' && seen.filter((name) => name === call).length === 1;
      sendJson(response, isBusy ? 503 : 200, reply(call));
    });
    const provider = make(server.url, { retry: fast });
    const phases: string[][] = [[], []];
    const turns = await Promise.all(
      ['first', 'second'].map((content, index) =>
        provider.chat({
          messages: [{ role: 'user', content }],
          onProgress: ({ phase }) => phases[index]?.push(phase),
        }),
      ),
    );
    expect(turns.map(({ raw, ledger }) => [raw.content, ledger.map(({ status }) => status)])).toEqual([
      ['first', [200]],
      ['second', [503, 200]],
    ]);
    const [first, second] = turns.map(({ exchange }) => exchange.request.body);
    expect([first?.includes('second'), second?.includes('second')]).toEqual([false, true]);
    const once = ['waiting-for-headers', 'reading'];
    expect(phases).toEqual([once, [...once, 'waiting-to-retry', ...once]]);
  });

  test('an isRetryable that returns a promise counts as absent, and its rejection is handled', async () => {
    await using server = await startServer((_, response) => sendJson(response, 404, {}));
    const isRetryable = (() => Promise.reject(new Error('later'))) as unknown as () => boolean;
    const provider = make(server.url, { retry: { isRetryable } });
    // What a 404 results in depends on the provider.
    const ended = await provider.chat({ messages: HELLO }).catch((error: unknown) => error);
    expect(ended).toMatchObject({ attempts: 1 });
  });
});
