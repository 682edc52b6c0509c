// What stays in memory after a call, and what ends when it is aborted.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LocalHostProvider } from '../../../src/library';
import { sendJson, startServer } from '../../support/servers/http-server';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const REPLY = { message: { role: 'assistant', content: 'hello' }, done: true };

/** A separate function, so that nothing of the call stays on the stack of the test. */
async function callOnce(provider: LocalHostProvider): Promise<WeakRef<object>> {
  const { ledger } = await provider.chat({ messages: [{ role: 'user', content: 'x' }] });
  return new WeakRef(ledger);
}

describe('a connection that is kept alive', () => {
  it('does not keep the call that opened it in memory', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, REPLY));
    const call = await callOnce(new LocalHostProvider({ host: server.url, model: 'm' }));
    const isHeld = (): boolean => {
      collect();
      return call.deref() !== undefined;
    };
    await expect.poll(async () => [isHeld(), await server.openConnections()]).toEqual([false, 1]);
  });
});

describe('a streamed chat', () => {
  it('emits no further piece once the caller has aborted it, even of pieces that arrived together', async () => {
    const line = (content: string): string => `${JSON.stringify({ message: { content }, done: false })}\n`;
    await using server = await startServer((_, response) => response.end(line('one') + line('two')));
    const provider = new LocalHostProvider({ host: server.url, model: 'm' });
    const controller = new AbortController();
    const pieces: (string | undefined)[] = [];
    const call = provider.chat({
      messages: [{ role: 'user', content: 'x' }],
      signal: controller.signal,
      onDelta: ({ content }) => {
        pieces.push(content);
        controller.abort();
      },
    });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(pieces).toEqual(['one']);
  });
});
