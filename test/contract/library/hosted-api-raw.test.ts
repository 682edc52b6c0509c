// How `raw` changes a hosted request, over real sockets, and what the exchange reports.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatOptions, HostedApiCredentials } from '../../../src/library';
import { closeConnections, HostedApiProvider } from '../../../src/library';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';

afterAll(closeConnections);

/** @returns the body that was sent, and its exchange. */
async function chatWith(credentials: Partial<HostedApiCredentials>, options: Partial<ChatOptions> = {}) {
  const reply = { choices: [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }] };
  await using server = await startServer((_, response) => sendJson(response, 200, reply));
  const provider = new HostedApiProvider({ apiKey: 'k', host: server.url, ...credentials });
  const { raw, exchange } = await provider.chat({ messages: HELLO, ...options });
  expect(raw.content).toBe('x');
  return { body: JSON.parse(server.requests[0]?.body ?? '') as Record<string, unknown>, exchange };
}

describe('raw of a hosted request', () => {
  test('removes a key whose value is undefined, which then does not count as sent', async () => {
    const raw = { temperature: undefined };
    const { body, exchange } = await chatWith({ sampling: { temperature: 0, seed: 1 }, raw });
    expect(body).not.toHaveProperty('temperature');
    expect(exchange).toMatchObject({ sent: { seed: 'seed' }, overridden: ['temperature'] });
    expect(exchange.sent).not.toHaveProperty('temperature');
  });

  test.each([
    [{ stream: false }, undefined],
    [{ stream: false, stream_options: { mine: true } }, { mine: true }],
    [{}, { include_usage: true }],
  ])(
    '%j, observed: stream_options are sent with a stream only, unless the caller sets them',
    async (raw, sent) => {
      const { body } = await chatWith({ raw }, { onDelta: () => undefined });
      expect(body['stream_options']).toEqual(sent);
    },
  );

  test('may request a stream without an observer; its usage is requested and returned', async () => {
    const stream = [
      { choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } },
    ];
    let asked: unknown;
    await using server = await startServer(({ body }, response) => {
      asked = (JSON.parse(body) as { stream_options?: { include_usage?: boolean } }).stream_options;
      const pieces = stream.slice(0, asked ? 2 : 1).map((event) => `data: ${JSON.stringify(event)}\n\n`);
      response.end(`${pieces.join('')}data: [DONE]\n\n`);
    });
    const provider = new HostedApiProvider({ apiKey: 'k', host: server.url, raw: { stream: true } });
    const { usage } = await provider.chat({ messages: HELLO });
    expect([asked, usage]).toEqual([{ include_usage: true }, { promptTokens: 3, completionTokens: 1 }]);
  });

  test('lists only keys of the request as overridden, not those that every object inherits', async () => {
    expect((await chatWith({ raw: { toString: 'x' } })).exchange.overridden).toEqual([]);
  });
});
