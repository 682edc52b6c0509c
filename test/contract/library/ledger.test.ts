// The ledger of every result and every error, and the message of an error. Real sockets, and a clock that skips the waits.
import { afterAll, describe, expect, test } from 'vitest';
import type { AttemptRecord, ProviderError } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import type { Clock } from '../../../src/library/util/clock';
import { runWithClock } from '../../../src/library/util/clock';
import { FakeClock } from '../../support/fake-clock';
import { failure } from '../../support/failure';
import type { Answer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const NOW = Date.parse('2026-01-01T00:00:00Z');
const reply = { message: { content: 'fine' }, done: true };
const cut: Answer = (_, response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"mess', () => response.destroy());
};

describe('the ledger', () => {
  test('of a turn has every field of every attempt, without those that do not apply', async () => {
    await using server = await startServer((request, response, count) => {
      if (count === 1) response.socket?.destroy();
      else if (count === 2) sendJson(response, 429, { error: 'slow down' }, { 'retry-after': '2' });
      else if (count === 3) cut(request, response, count);
      else sendJson(response, 200, reply);
    });
    const retry = { maxAttempts: 4, random: () => 1 };
    const provider = new LocalHostProvider({ host: server.url, model: 'm', retry });
    const clock = new FakeClock({ isSkipping: true });
    const { ledger, attempts, raw } = await clock.run(() => provider.chat({ messages: HELLO }));
    expect([attempts, raw.attempts]).toEqual([4, 4]);
    const expected: AttemptRecord[] = [
      {
        attempt: 1,
        startedAt: NOW,
        endMs: 0,
        errorCode: expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/),
        endedBy: 'network',
        decision: 'retry',
        reason: 'A network failure is retried. Our wait: 500 ms, drawn from 0 to 500 ms.',
        delayMs: 500,
        delaySource: 'backoff',
      },
      {
        attempt: 2,
        startedAt: NOW + 500,
        headersMs: 0,
        endMs: 0,
        status: 429,
        endedBy: 'server',
        decision: 'retry',
        reason: '429 is retried. The server asked for a wait of 2 s (Retry-After).',
        delayMs: 2000,
        delaySource: 'retry-after',
      },
      {
        attempt: 3,
        startedAt: NOW + 2500,
        headersMs: 0,
        endMs: 0,
        status: 200,
        errorCode: 'UND_ERR_SOCKET',
        endedBy: 'network',
        decision: 'retry',
        reason: 'A network failure is retried. Our wait: 2 s, drawn from 0 to 2 s.',
        delayMs: 2000,
        delaySource: 'backoff',
      },
      {
        attempt: 4,
        startedAt: NOW + 4500,
        headersMs: 0,
        endMs: 0,
        status: 200,
        endedBy: 'server',
        decision: 'done',
        reason: '200, ended by the server.',
      },
    ];
    expect(ledger).toEqual(expected);
  });

  test('has the time until the headers and until the end, by the clock', async () => {
    const clock = new FakeClock();
    await using server = await startServer((_, response) => {
      clock.advance(1200);
      response.writeHead(200).write('{');
    });
    const provider = new ProbeProvider(server.url, { retry: { timeoutMs: 2000, maxAttempts: 1 } });
    const onProgress = ({ phase }: { phase: string }): void =>
      void (phase === 'reading' && clock.advance(800));
    const error = await failure(clock.run(() => provider.chat({ messages: HELLO, onProgress })));
    expect(error.ledger).toMatchObject([{ headersMs: 1200, endMs: 2000, status: 200, endedBy: 'timeout' }]);
  });

  test('has correct times when the system clock is set back during a call', async () => {
    const clock = new FakeClock({ isSkipping: true });
    let isSetBack = false;
    await using server = await startServer((_, response) => {
      isSetBack = true;
      sendJson(response, 503, {});
    });
    const { elapsed, after, limit } = clock;
    const now = (): number => clock.now() - (isSetBack ? 3_600_000 : 0);
    const setBack: Clock = { now, elapsed, after, limit };
    const provider = new LocalHostProvider({ host: server.url, model: 'm', retry: { random: () => 1 } });
    const error = await failure(runWithClock(setBack, () => provider.chat({ messages: HELLO })));
    expect(error.ledger.map(({ startedAt }) => startedAt)).toEqual([NOW, NOW + 500, NOW + 1500]);
    expect(error.message).toContain('3 attempts in 1.5 s');
  });

  test('is part of the errors of embeddings and lists of models, too', async () => {
    await using server = await startServer((_, response) => sendJson(response, 500, { error: 'broken' }));
    const clock = new FakeClock({ isSkipping: true });
    const provider = new HostedApiProvider({ host: server.url, apiKey: 'k' });
    for (const work of [() => provider.embed('x'), () => provider.listModels()]) {
      const error = await failure(clock.run<Promise<unknown>>(work));
      expect(error).toMatchObject({ code: 'http', attempts: 3 });
      expect(error.ledger.map(({ status, decision }) => [status, decision])).toEqual([
        [500, 'retry'],
        [500, 'retry'],
        [500, 'stop'],
      ]);
    }
  });
});

describe('an error', () => {
  const SECRET = 'canary-in-the-address';
  const chat = async (answer: Answer, isStreamed = false): Promise<ProviderError> => {
    await using server = await startServer(answer);
    const provider = new LocalHostProvider({
      host: `${server.url}/base?api_key=${SECRET}`,
      model: 'm',
      retry: { random: () => 1, ...(answer === silent && { timeoutMs: 250 }) },
    });
    const onDelta = isStreamed ? (): void => undefined : undefined;
    return await failure(
      new FakeClock({ isSkipping: true }).run(() => provider.chat({ messages: HELLO, onDelta })),
    );
  };
  const silent: Answer = () => undefined;

  test.each<[string, Answer, string, string]>([
    ['http', (_, response) => sendJson(response, 503, { error: 'busy' }), '503', '3 attempts in 1.5 s'],
    ['http', (_, response) => sendJson(response, 200, { error: 'no luck' }), '200', '1 attempt in 0 ms'],
    ['network', (_, response) => response.socket?.destroy(), 'UND_ERR_SOCKET', '3 attempts in 1.5 s'],
    ['network', cut, '200', '3 attempts in 1.5 s'],
    ['timeout', silent, 'timeoutMs', '3 attempts in 2.25 s'],
    ['response-format', (_, response) => sendJson(response, 200, { hello: 1 }), '200', '1 attempt in 0 ms'],
    ['response-format', (_, response) => response.end('hello'), '200', '1 attempt in 0 ms'],
  ])(
    'of code %s names the request, the answer, the attempts, the time and the next step',
    async (code, answer, came, tries) => {
      const error = await chat(answer);
      expect(error.code).toBe(code);
      expect(error.message).toMatch(
        /^LocalHostProvider: POST http:\/\/127\.0\.0\.1:\d+\/base\/api\/chat\?api_key=\*+ /,
      );
      expect(error.message).toContain(came);
      expect(error.message).toContain(tries);
      expect(error.message).not.toMatch(/fetch failed|terminated|canary/);
      expect(error.explanation.next).not.toBe('');
      expect(error.message).toBe(
        `${error.explanation.what} ${error.explanation.why} ${error.explanation.next}`,
      );
    },
  );

  test('of a stream that broke off says so, with the number of characters that had arrived', async () => {
    const error = await chat((_, response) => {
      response.write('{"message":{"content":"Hel"},"done":false}\n', () =>
        setTimeout(() => response.destroy(), 10),
      );
    }, true);
    expect(error).toMatchObject({ code: 'truncated-stream', partial: { content: 'Hel' } });
    expect(error.message).toContain('1 attempt in 0 ms');
    expect(error.message).toContain('(UND_ERR_SOCKET); 3 characters had arrived');
  });

  test('names the innermost code, and its chain of causes ends at the system’s own error', async () => {
    const gone = await startServer(silent);
    await gone[Symbol.asyncDispose]();
    const provider = new ProbeProvider(gone.url, { retry: false });
    const error = await failure(provider.chat({ messages: HELLO }));
    const chain: unknown[] = [];
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) chain.push(cause);
    expect(chain.at(-1)).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
    expect(error).toMatchObject({ errorCode: 'ECONNREFUSED', ledger: [{ errorCode: 'ECONNREFUSED' }] });
    // A host name with several addresses fails with an aggregate of their errors.
    const several = new ProbeProvider(gone.url.replace('127.0.0.1', 'localhost'), { retry: false });
    expect(await failure(several.chat({ messages: HELLO }))).toMatchObject({ errorCode: 'ECONNREFUSED' });
  });
});
