// A response whose body the provider reads itself (`stream: true`): timeouts and aborts still apply after the headers.
import { EventEmitter, getEventListeners, once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import type { CallProgress, ChatTurn, RawAssistant } from '../../../src/library';
import { closeConnections, RequestTimeoutError } from '../../../src/library';
import { FakeClock } from '../../support/fake-clock';
import { failure } from '../../support/failure';
import type { Answer } from '../../support/servers/http-server';
import { startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const soon = { timeout: 60_000, interval: 2 };

describe('a body that is passed on unread', () => {
  class Reader extends ProbeProvider {
    readonly #url: string;
    constructor(url: string, timeoutMs: number | undefined) {
      super(url, { retry: { timeoutMs, maxAttempts: 1 } });
      this.#url = url;
    }
    protected override async chatInternal(): Promise<RawAssistant> {
      const { response, attempts } = await this.request(this.#url, { stream: true });
      let content = '';
      for await (const piece of response.body ?? []) content += String(piece);
      return { content, toolCalls: [], usage: {}, attempts };
    }
  }
  const part: Answer = (_, response) => void response.writeHead(200).write('part');

  test('is covered by timeoutMs, too', async () => {
    await using server = await startServer(part);
    const clock = new FakeClock();
    const phases: string[] = [];
    const onProgress = ({ phase }: CallProgress): void => void phases.push(phase);
    const call = clock.run(() => new Reader(server.url, 5000).chat({ messages: HELLO, onProgress }));
    call.catch(() => undefined);
    await expect.poll(() => phases.at(-1), soon).toBe('reading');
    clock.advance(5000);
    const error = await failure(call);
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(error).toMatchObject({ timeoutMs: 5000, attempts: 1 });
    expect(error.ledger).toMatchObject([{ status: 200, endedBy: 'timeout', decision: 'stop', endMs: 5000 }]);
    await expect.poll(server.openConnections, soon).toBe(0);
  });

  test.each([undefined, 60_000])('ends with the caller’s abort (timeoutMs: %s)', async (timeoutMs) => {
    await using server = await startServer(part);
    const controller = new AbortController();
    const onProgress = ({ phase }: CallProgress): void => {
      if (phase === 'reading') controller.abort();
    };
    const { signal } = controller;
    const call = new Reader(server.url, timeoutMs).chat({ messages: HELLO, onProgress, signal });
    const error = await failure(call);
    expect(error.code).toBe('aborted');
    expect(error.ledger).toMatchObject([{ status: 200, endedBy: 'caller', decision: 'stop' }]);
    await expect.poll(server.openConnections, soon).toBe(0);
  });

  test('is a stream that broke off if the connection is reset', async () => {
    await using server = await startServer((_, response) => {
      response.writeHead(200).write('part', () => response.socket?.resetAndDestroy());
    });
    const error = await failure(new Reader(server.url, undefined).chat({ messages: HELLO }));
    expect(error.code).toBe('truncated-stream');
    expect(error.message).toMatch(
      /broke off in the middle of its answer.* without its end mark \(\w+\)\. Check/,
    );
    expect(error.ledger).toMatchObject([{ status: 200, endedBy: 'network', decision: 'stop' }]);
  });

  test('leaves an abort after its end out of the ledger', async () => {
    await using server = await startServer((_, response) => response.end('all'));
    const controller = new AbortController();
    class Late extends Reader {
      protected override async chatInternal(): Promise<RawAssistant> {
        const reply = await super.chatInternal();
        controller.abort();
        throw new Error(reply.content);
      }
    }
    const { signal } = controller;
    const error = await failure(new Late(server.url, undefined).chat({ messages: HELLO, signal }));
    expect(error.code).toBe('aborted');
    expect(error.ledger).toMatchObject([{ endedBy: 'server', decision: 'done' }]);
  });

  test('is read from the connection no faster than the provider reads it', async () => {
    const PIECES = 300;
    const piece = Buffer.alloc(65_536, 'x');
    let sent = 0;
    await using server = await startServer((_, response) => {
      const send = (): void => {
        while (sent++ < PIECES) if (!response.write(piece)) return void response.once('drain', send);
        response.end();
      };
      send();
    });
    const reading = new EventEmitter();
    class Waiting extends ProbeProvider {
      protected override async chatInternal(): Promise<RawAssistant> {
        const { response, attempts } = await this.request(server.url, { stream: true });
        await once(reading, 'start');
        return { content: await response.text(), toolCalls: [], usage: {}, attempts };
      }
    }
    const call = new Waiting(server.url).chat({ messages: HELLO });
    const seen: number[] = [];
    const isAtRest = (): boolean => {
      seen.push(sent);
      return sent > 0 && seen.length > 20 && seen.slice(-20).every((count) => count === sent);
    };
    await expect.poll(isAtRest, { timeout: 20_000, interval: 5 }).toBe(true);
    expect(sent).toBeLessThan(PIECES / 2);
    reading.emit('start');
    expect((await call).raw.content).toHaveLength(PIECES * piece.length);
  });

  test('leaves neither timers nor listeners behind after its end', async () => {
    await using server = await startServer((_, response) => response.end('whole'));
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const chat = (): Promise<ChatTurn> => new Reader(server.url, 5000).chat({ messages: HELLO, signal });
    expect((await clock.run(chat)).raw.content).toBe('whole');
    await expect.poll(() => getEventListeners(signal, 'abort'), soon).toEqual([]);
  });
});
