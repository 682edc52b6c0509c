// The transport over real sockets, seen through a custom provider.
import { afterAll, describe, expect, test } from 'vitest';
import {
  closeConnections,
  LocalHostProvider,
  NetworkError,
  Providers,
  RequestTimeoutError,
} from '../../../src/library';
import type { RawAssistant, RetryAttempt } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/http-server';
import { HELLO, ProbeProvider } from '../../support/probe-provider';

const fast = { initialDelayMs: 1, maxDelayMs: 2 };

afterAll(closeConnections);

describe('request', () => {
  test('retries 503 and reports every attempt', async () => {
    await using server = await startServer((_, response, count) =>
      count < 3 ? sendJson(response, 503, { error: 'busy' }) : sendJson(response, 200, { text: 'hi' }),
    );
    const events: RetryAttempt[] = [];
    const provider = new ProbeProvider(server.url, {
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

  test('waits as long as Retry-After says, and says so', async () => {
    await using server = await startServer((_, response, count) =>
      count === 1 ? sendJson(response, 429, {}, { 'retry-after-ms': '5' }) : sendJson(response, 200, {}),
    );
    const { ledger } = await new ProbeProvider(server.url).chat({ messages: HELLO });
    expect(ledger[0]).toMatchObject({ delayMs: 5, delaySource: 'retry-after' });
  });

  test('returns a final answer that is not 2xx to the provider', async () => {
    await using server = await startServer((_, response) => sendJson(response, 404, {}));
    const turn = await new ProbeProvider(server.url).chat({ messages: HELLO });
    expect(turn.raw.content).toBe('status 404');
    expect(turn.ledger).toMatchObject([{ decision: 'stop', reason: '404 is not retried.' }]);
  });

  test('a refused connection is an error that names the address, the code, the tries and the next step', async () => {
    const gone = await startServer(() => undefined);
    await gone[Symbol.asyncDispose]();
    const error = await failure(new ProbeProvider(gone.url, { retry: fast }).chat({ messages: HELLO }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'network', errorCode: 'ECONNREFUSED', attempts: 3 });
    expect(error.message).toContain(`ProbeProvider: POST ${gone.url}/ failed, 3 tries in`);
    expect(error.message).toContain('Nothing listens at that address. (ECONNREFUSED)');
    expect(error.ledger.map(({ decision, endedBy }) => [decision, endedBy])).toEqual([
      ['retry', 'network'],
      ['retry', 'network'],
      ['stop', 'network'],
    ]);
  });

  test('timeoutMs covers the headers, and each attempt has it', async () => {
    await using server = await startServer(() => undefined);
    const retry = { ...fast, timeoutMs: 30, maxAttempts: 2 };
    const error = await failure(new ProbeProvider(server.url, { retry }).chat({ messages: HELLO }));
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(error).toMatchObject({ code: 'timeout', timeoutMs: 30, attempts: 2 });
    expect(error.ledger.map(({ endedBy }) => endedBy)).toEqual(['timeout', 'timeout']);
  });

  test('timeoutMs covers the body, and a stall in it is a failed attempt', async () => {
    await using server = await startServer((_, response, count) => {
      if (count > 1) return sendJson(response, 200, { text: 'whole' });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"text":');
    });
    const turn = await new ProbeProvider(server.url, { retry: { ...fast, timeoutMs: 200 } }).chat({
      messages: HELLO,
    });
    expect(turn.raw).toMatchObject({ content: 'whole', attempts: 2 });
    expect(turn.ledger[0]).toMatchObject({
      endedBy: 'timeout',
      decision: 'retry',
      headersMs: expect.any(Number),
    });
  });

  test('a body that breaks off is a failed attempt', async () => {
    await using server = await startServer((_, response, count) => {
      if (count > 1) return sendJson(response, 200, { text: 'whole' });
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"text":', () => response.destroy());
    });
    const turn = await new ProbeProvider(server.url, { retry: fast }).chat({ messages: HELLO });
    expect(turn.ledger).toMatchObject([{ endedBy: 'network', decision: 'retry' }, { decision: 'done' }]);
  });

  test('callbacks that throw or reject never end the call', async () => {
    await using server = await startServer((_, response, count) =>
      sendJson(response, count < 3 ? 500 : 200, {}),
    );
    const onRetry = (({ attempt }: RetryAttempt): unknown => {
      if (attempt === 1) throw new Error('thrown');
      return Promise.reject(new Error('rejected'));
    }) as (info: RetryAttempt) => void;
    const onProgress = (): void => {
      throw new Error('thrown');
    };
    const turn = await new ProbeProvider(server.url, { retry: { ...fast, onRetry } }).chat({
      messages: HELLO,
      onProgress,
    });
    expect(turn.attempts).toBe(3);
  });

  test('a kept-alive socket that the server closed is reconnected at once, also without retries', async () => {
    await using server = await startServer((_, response, count) => {
      if (count === 2) return void response.socket?.destroy();
      sendJson(response, 200, { text: `answer ${count}` });
    });
    const events: RetryAttempt[] = [];
    const provider = new ProbeProvider(server.url, {
      retry: { maxAttempts: 1, onRetry: (info) => events.push(info) },
    });
    await provider.chat({ messages: HELLO });
    await new Promise((resolve) => setImmediate(resolve)); // the socket goes back to the pool
    const turn = await provider.chat({ messages: HELLO });
    expect(turn).toMatchObject({ attempts: 1, raw: { content: 'answer 3' } });
    expect(turn.ledger.map(({ attempt, decision }) => [attempt, decision])).toEqual([
      [1, 'reconnect'],
      [1, 'done'],
    ]);
    expect(events).toEqual([]);
  });

  test('a fresh socket that breaks is not taken for a stale one', async () => {
    await using server = await startServer((_, response) => void response.socket?.destroy());
    const error = await failure(new ProbeProvider(server.url, { retry: false }).chat({ messages: HELLO }));
    expect(error).toMatchObject({ code: 'network', attempts: 1 });
    expect(error.ledger).toHaveLength(1);
  });

  test('two calls of one provider at once keep their own ledger and progress', async () => {
    await using server = await startServer((request, response) =>
      sendJson(response, request.body.includes('fail') ? 400 : 200, { text: 'ok' }),
    );
    const provider = new ProbeProvider(server.url);
    const phases: string[][] = [[], []];
    const [good, bad] = await Promise.all(
      ['good', 'fail'].map((content, index) =>
        provider.chat({
          messages: [{ role: 'user', content }],
          onProgress: ({ phase }) => phases[index]?.push(phase),
        }),
      ),
    );
    expect(good?.ledger).toMatchObject([{ status: 200 }]);
    expect(bad?.ledger).toMatchObject([{ status: 400 }]);
    expect(phases).toEqual([
      ['waiting-for-headers', 'reading'],
      ['waiting-for-headers', 'reading'],
    ]);
  });

  test('an isRetryable that answers later counts as absent, and its rejection harms nobody', async () => {
    await using server = await startServer((_, response) => sendJson(response, 404, {}));
    const isRetryable = (() => Promise.reject(new Error('later'))) as unknown as () => boolean;
    const turn = await new ProbeProvider(server.url, { retry: { isRetryable } }).chat({ messages: HELLO });
    expect(turn.attempts).toBe(1);
  });

  test.each([
    ['a line break', { 'x-a': 'b\r\nx-evil: 1' }],
    ['a character beyond Latin-1', { 'x-a': '☕' }],
    ['a blank in its name', { 'x a': 'b' }],
    ['a length that is not the body’s', { 'content-length': '5' }],
    ['another encoding of the transfer', { 'transfer-encoding': 'chunked' }],
  ])('a header with %s is a bad option, not a failed connection', (_, headers) => {
    expect(() => new ProbeProvider('http://127.0.0.1', { headers })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
  });

  test('headers are one field in whatever case they are written', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    await new ProbeProvider(server.url, { headers: { AUTHORIZATION: 'Bearer mine', 'X-Title': 'me' } }).chat({
      messages: HELLO,
    });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer no-key', 'x-title': 'me' });
  });

  test('a provider that calls another one stops with it, and keeps the other’s trace in its error', async () => {
    await using server = await startServer((_, response) => sendJson(response, 401, { error: 'no' }));
    const inner = new LocalHostProvider({ host: server.url, model: 'm', retry: false });
    class Outer extends Providers {
      protected async chatInternal(): Promise<RawAssistant> {
        return (await inner.chat({ messages: HELLO })).raw;
      }
    }
    const error = await failure(new Outer().chat({ messages: HELLO }));
    expect(error).toMatchObject({
      code: 'http',
      ledger: [{ status: 401 }],
      exchange: { response: { status: 401 } },
    });
    const stopped = await failure(new Outer().chat({ messages: HELLO, signal: AbortSignal.abort() }));
    expect(stopped.code).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  });
});
