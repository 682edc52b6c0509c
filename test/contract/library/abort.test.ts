// The caller's abort at every moment of a call, with every kind of provider, over real sockets.
import { afterAll, describe, expect, test } from 'vitest';
import type { ProviderErrorCode, RetryAttempt } from '../../../src/library';
import { closeConnections, ProviderError, Providers } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';
import { PROVIDER_KINDS } from '../../support/connections/provider-kinds';

afterAll(closeConnections);

describe.each(PROVIDER_KINDS)('an abort of $name', ({ make }) => {
  const stops: [string, (stop: () => void) => Parameters<typeof startServer>[0]][] = [
    ['before the headers', (stop) => stop],
    ['in the body', (stop) => (_, response) => void response.writeHead(200).write('{', stop)],
    [
      'in the wait between attempts',
      (stop) => (_, response) => {
        sendJson(response, 503, {}, { 'retry-after': '30' });
        response.on('close', () => setTimeout(stop, 20));
      },
    ],
  ];
  test.each(stops)('%s ends the call at once and closes the socket', async (_, script) => {
    const controller = new AbortController();
    await using server = await startServer(script(() => controller.abort()));
    const provider = make(server.url, { retry: { maxAttempts: 5 } });
    const error = await failure(provider.chat({ messages: HELLO, signal: controller.signal }));
    expect(error.code satisfies ProviderErrorCode).toBe('aborted');
    expect(error.ledger).toMatchObject([{ decision: 'stop', reason: 'It was stopped.' }]);
    expect(error.ledger[0]).not.toHaveProperty('delayMs');
    server.closeIdle();
    await expect.poll(server.openConnections).toBe(0);
  });

  test('before the start sends nothing', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    const error = await failure(make(server.url).chat({ messages: HELLO, signal: AbortSignal.abort() }));
    expect(error.code).toBe('aborted');
    expect(server.requests).toEqual([]);
  });

  test('that options give by a getter of their class ends a streamed call, too', async () => {
    class Options {
      readonly messages = HELLO;
      readonly onDelta = (): void => undefined;
      get signal(): AbortSignal {
        return AbortSignal.abort();
      }
    }
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    expect((await failure(make(server.url).chat(new Options()))).code).toBe('aborted');
    expect(server.requests).toEqual([]);
  });

  const circle = new Error('enough');
  circle.cause = circle;
  test.each([
    ['an object without a prototype', Object.create(null)],
    ['a symbol', Symbol('enough')],
    ['an error that is its own cause', circle],
  ])('with %s as its reason ends the call', async (_, reason) => {
    const controller = new AbortController();
    await using server = await startServer(() => controller.abort(reason));
    const error = await failure(make(server.url).chat({ messages: HELLO, signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', attempts: 1 });
  });

  test('inside isRetryable ends the call without calling onRetry', async () => {
    const controller = new AbortController();
    const events: RetryAttempt[] = [];
    await using server = await startServer((_, response) => sendJson(response, 503, {}));
    const isRetryable = (): boolean => {
      controller.abort();
      return true;
    };
    const retry = { isRetryable, onRetry: (info: RetryAttempt) => events.push(info) };
    const provider = make(server.url, { retry });
    const error = await failure(provider.chat({ messages: HELLO, signal: controller.signal }));
    expect(error.code).toBe('aborted');
    expect(events).toEqual([]);
    expect(error.ledger).toMatchObject([{ status: 503, decision: 'stop', reason: 'It was stopped.' }]);
  });
});

describe('an abort of a provider whose own code ignores the signal', () => {
  class IgnoresSignal extends Providers {
    begun = 0;
    constructor() {
      super();
      this.configure({});
    }
    #hang(): Promise<never> {
      this.begun += 1;
      return new Promise(() => undefined);
    }
    protected chatInternal(): Promise<never> {
      return this.#hang();
    }
    protected override embedInternal(): Promise<never> {
      return this.#hang();
    }
    protected override listModelsInternal(): Promise<never> {
      return this.#hang();
    }
  }
  const calls: [string, (provider: Providers, signal: AbortSignal) => Promise<unknown>][] = [
    ['chat', (provider, signal) => provider.chat({ messages: HELLO, signal })],
    ['embed', (provider, signal) => provider.embed('text', { signal })],
    ['listModels', (provider, signal) => provider.listModels({ signal })],
  ];

  test.each(calls)('ends %s nevertheless', async (_, call) => {
    const controller = new AbortController();
    const provider = new IgnoresSignal();
    const ended = failure(call(provider, controller.signal));
    await expect.poll(() => provider.begun).toBe(1);
    controller.abort(new ProviderError('http', { what: 'a', why: 'b', next: 'c' }));
    expect(await ended).toMatchObject({ code: 'aborted', attempts: 0 });
  });

  test.each(calls)('before the start of %s never calls the provider’s code', async (_, call) => {
    const provider = new IgnoresSignal();
    expect((await failure(call(provider, AbortSignal.abort()))).code).toBe('aborted');
    expect(provider.begun).toBe(0);
  });
});
