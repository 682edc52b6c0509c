// How the code of a provider finds the call that it runs in.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { RawAssistant } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

const HOSTED_REPLY = { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] };
const LOCAL_REPLY = { message: { content: 'hi' }, done: true };

/** @returns a function that counts the calls put into an async storage since then. */
function watchStorage(): () => number {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run');
  const isCall = (store: unknown): boolean =>
    typeof store === 'object' && store !== null && 'ledger' in store;
  return () => run.mock.calls.filter(([store]) => isCall(store)).length;
}

/** Sends its request only when `open` is called, even if its call has ended by then. */
class Waiting extends ProbeProvider {
  #open: () => void = () => undefined;
  readonly #gate = new Promise<void>((resolve) => (this.#open = resolve));
  reply: Promise<RawAssistant> | undefined;
  open(): Promise<void> {
    this.#open();
    return this.#gate;
  }
  protected override async chatInternal(): Promise<RawAssistant> {
    await this.#gate;
    this.reply = super.chatInternal([], HELLO);
    return this.reply;
  }
}

afterEach(() => void vi.restoreAllMocks());
afterAll(closeConnections);

describe('a call', () => {
  test.each([
    ['hosted', HOSTED_REPLY, (host: string) => new HostedApiProvider({ host, apiKey: '', auth: 'none' })],
    ['local', LOCAL_REPLY, (host: string) => new LocalHostProvider({ host, model: 'm' })],
  ])('of the %s provider does not use async storage', async (_, reply, create) => {
    await using server = await startServer((_request, response) => sendJson(response, 200, reply));
    const provider = create(server.url);
    const callsInStorage = watchStorage();
    for (const onDelta of [undefined, () => undefined])
      expect(await provider.chat({ messages: HELLO, onDelta })).toMatchObject({
        raw: { content: 'hi' },
        ledger: [{ status: 200 }],
      });
    expect(callsInStorage()).toBe(0);
  });

  test('of a class that extends a built-in provider is found by the code of that class', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, LOCAL_REPLY));
    class Twice extends LocalHostProvider {
      protected override async chatInternal(
        ...asked: Parameters<LocalHostProvider['chatInternal']>
      ): Promise<RawAssistant> {
        await super.chatInternal(...asked);
        return super.chatInternal(...asked);
      }
    }
    const callsInStorage = watchStorage();
    const { ledger } = await new Twice({ host: server.url, model: 'm' }).chat({ messages: HELLO });
    expect(ledger).toHaveLength(2);
    expect(callsInStorage()).toBe(1);
  });

  test('that was aborted still applies to code that continues, whose requests are not sent', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, {}));
    const stop = new AbortController();
    const provider = new Waiting(server.url);
    const call = provider.chat({ messages: HELLO, signal: stop.signal });
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    await provider.open();
    await expect(provider.reply).rejects.toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(0);
  });
});
