// The count of a prompt's tokens: on the demo server, which checks the fields of these requests as the services do, and on
// servers that lack the route, or answer something else.
import { afterAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../src/demo';
import type { RawAssistant, ToolType } from '../../../src/library';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  Providers,
  ResponsesApiProvider,
} from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';

afterAll(closeConnections);

const weather: ToolType = {
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const messages = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Weather in Oslo?' },
];
const asked = { tools: [weather], messages };
const KEY = 'sk-secret-secret-1';

const PROVIDERS = [
  ['Messages', MessagesApiProvider, '/v1/messages/count_tokens'],
  ['Responses', ResponsesApiProvider, '/v1/responses/input_tokens'],
] as const;

const open = (
  Provider: (typeof PROVIDERS)[number][1],
  host: string,
  more: object = {},
): MessagesApiProvider | ResponsesApiProvider =>
  new Provider({ host, apiKey: KEY, model: 'native-call', retry: false, ...more });

describe.each(PROVIDERS)('countTokens of the %s API', (_name, Provider, path) => {
  test('is what the reply to the same request reports', async () => {
    const demo = await startDemoServer();
    try {
      const provider = open(Provider, demo.localHost, { sampling: { temperature: 0.5, maxTokens: 64 } });
      const count = await provider.countTokens({ ...asked, toolChoice: 'auto' });
      const { usage } = await provider.chat({ ...asked, toolChoice: 'auto' });
      expect(count).toBe(usage.promptTokens);
      expect(count).toBeGreaterThan(await provider.countTokens({ messages }));
    } finally {
      await demo.close();
    }
  });

  test('sends what the prompt depends on, of a given body too, and nothing else', async () => {
    await using server = await startServer((_request, response) =>
      sendJson(response, 200, { input_tokens: 12 }),
    );
    const provider = open(Provider, server.url, {
      sampling: { temperature: 0.5, topP: 0.9, maxTokens: 64, stop: ['x'] },
      raw: { metadata: { user_id: 'u' } },
    });
    expect(await provider.countTokens({ ...asked, toolChoice: 'required' })).toBe(12);
    const body = JSON.stringify({ model: 'other', messages: [], input: [], stream: true, max_tokens: 1 });
    expect(await provider.countTokens({ messages, body })).toBe(12);
    const [first, second] = server.requests.map((request) => ({
      url: request.url,
      body: JSON.parse(request.body) as object,
    }));
    expect(first?.url).toBe(path);
    expect(Object.keys(first?.body ?? {}).toSorted()).toEqual(
      Provider === MessagesApiProvider
        ? ['messages', 'model', 'system', 'tool_choice', 'tools']
        : ['input', 'model', 'tool_choice', 'tools'],
    );
    expect(second?.body).toMatchObject({ model: 'other' });
    expect(second?.body).not.toHaveProperty('stream');
    expect(second?.body).not.toHaveProperty('max_tokens');
  });

  test.each([
    [404, '404 page not found'],
    [404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'],
    [405, '{"detail":"Method Not Allowed"}'],
  ])('says of a server without the route (%i %s) that it does not count', async (status, text) => {
    await using server = await startServer((_request, response) => response.writeHead(status).end(text));
    const error = await failure(open(Provider, server.url).countTokens(asked));
    expect(error).toMatchObject({ code: 'unsupported' });
    expect(error.message).toContain(`cannot count tokens. It has no \`${path.replace('/v1', '')}\``);
  });

  test.each<[string, number, object, string]>([
    ['a model that is not there', 404, { error: { message: 'model: native-call' } }, 'http'],
    ['a key that is refused', 401, { error: { message: `bad key ${KEY}` } }, 'http'],
    ['an answer without a number', 200, { tokens: 7 }, 'response-format'],
    ['a number that is none', 200, { input_tokens: '7' }, 'response-format'],
  ])('fails for %s', async (_case, status, document, code) => {
    await using server = await startServer((_request, response) => sendJson(response, status, document));
    const error = await failure(open(Provider, server.url).countTokens(asked));
    expect(error).toMatchObject({ code });
    expect(JSON.stringify([error, error.message])).not.toContain(KEY);
  });
});

test('the other providers say that they cannot, and where the count is, and ask nothing', async () => {
  class Plain extends Providers {
    protected chatInternal(): Promise<RawAssistant> {
      return Promise.reject(new Error('not asked'));
    }
  }
  const host = 'http://127.0.0.1:9';
  for (const provider of [
    new HostedApiProvider({ host, apiKey: '', auth: 'none' }),
    new LocalHostProvider({ host, model: 'm' }),
  ]) {
    const error = await failure(provider.countTokens(asked));
    expect([error.code, error.exchange]).toEqual(['unsupported', undefined]);
    expect(error.message).toContain('Its protocol has no route for it.');
  }
  expect(await failure(new Plain().countTokens(asked))).toMatchObject({ code: 'unsupported' });
  const wrong = new Plain().countTokens({ messages: 'hi' } as never);
  expect(await failure(wrong)).toMatchObject({ code: 'invalid-options', field: 'messages' });
});
