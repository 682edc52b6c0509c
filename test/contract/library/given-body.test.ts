// A request body given by the caller replaces the provider's own, byte for byte.
import { afterAll, describe, expect, test } from 'vitest';
import type { RawAssistant } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider, Providers } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO } from '../../support/connections/probe-provider';

afterAll(closeConnections);

const retry = { initialDelayMs: 1 };
const CALL = '<tool_call>{"name":"get_weather","arguments":{}}</tool_call>';
const TOOLS = [{ name: 'get_weather', parameters: { type: 'object' } }];

class Custom extends Providers {
  asked = 0;

  constructor() {
    super();
    this.configure({});
  }

  protected chatInternal(): Promise<RawAssistant> {
    this.asked++;
    return Promise.resolve({ content: '', toolCalls: [], usage: {}, attempts: 1 });
  }
}

describe('a given request body', () => {
  test.each(['{ "model" : "other",\n "x":"\\u00e9 é 🌧" , "n":1.0}', 'not JSON at all'])(
    'is sent unchanged with each attempt: %j',
    async (body) => {
      await using server = await startServer((_, response, count) =>
        sendJson(response, count === 1 ? 503 : 200, { message: { content: CALL }, done: true }),
      );
      const provider = new LocalHostProvider({ host: server.url, model: 'm', retry });
      const turn = await provider.chat({ body, messages: HELLO, tools: TOOLS });
      expect(server.requests.map((request) => request.body)).toEqual([body, body]);
      expect(turn.exchange.request.body).toBe(body);
      // The tools determine how the reply is read.
      expect(turn.toolCalls).toMatchObject([{ name: 'get_weather', source: 'rescued' }]);
    },
  );

  test('determines whether the reply is read as a stream, even if the caller observes the call', async () => {
    await using server = await startServer(({ body }, response) => {
      if (!body.includes('stream')) {
        return sendJson(response, 200, {
          choices: [{ index: 0, message: { role: 'assistant', content: 'ab' } }],
        });
      }
      const chunk = (content: string) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: content === 'b' ? 'stop' : null }] })}\n\n`;
      response.setHeader('content-type', 'text/event-stream');
      return response.end(`${chunk('a')}${chunk('b')}data: [DONE]\n\n`);
    });
    const provider = new HostedApiProvider({ host: server.url, model: 'm', apiKey: 'k', retry });
    for (const [body, pieces] of [
      ['{"stream":true}', ['a', 'b']],
      ['{"a":1}', []],
    ] as const) {
      const heard: unknown[] = [];
      const turn = await provider.chat({
        body,
        messages: [],
        onDelta: ({ content }) => void heard.push(content),
      });
      expect([turn.raw.content, heard.filter(Boolean)]).toEqual(['ab', pieces]);
    }
  });

  test.each(['{"messages":[]}', '{"stream":null}', '{"stream":true}', '{"stream":false}'])(
    'without a word about streams is read as the stream that a local server sends by default: %s',
    async (body) => {
      await using server = await startServer(({ body: sent }, response) => {
        if (sent.includes('false'))
          return sendJson(response, 200, { message: { content: 'ab' }, done: true });
        const line = (content: string, done: boolean) =>
          `${JSON.stringify({ message: { content }, done })}\n`;
        return response.end(`${line('a', false)}${line('b', true)}`);
      });
      const provider = new LocalHostProvider({ host: server.url, model: 'm', retry });
      expect((await provider.chat({ body, messages: [] })).raw.content).toBe('ab');
      const { stream } = JSON.parse(body) as { stream?: unknown };
      const raw = new LocalHostProvider({ host: server.url, model: 'm', retry, raw: { stream } });
      expect((await raw.chat({ messages: HELLO })).raw.content).toBe('ab');
    },
  );

  test('is refused by a provider with its own requests before anything is sent, and also when it is empty or not a text', async () => {
    const custom = new Custom();
    expect(await failure(custom.chat({ body: '{}', messages: HELLO }))).toMatchObject({
      code: 'unsupported',
    });
    expect(custom.asked).toBe(0);
    const provider = new LocalHostProvider({ host: 'http://127.0.0.1:9', model: 'm' });
    for (const body of [7 as never, '']) {
      expect(await failure(provider.chat({ body, messages: HELLO }))).toMatchObject({
        code: 'invalid-options',
      });
    }
  });
});
