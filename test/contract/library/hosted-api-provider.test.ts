// HostedApiProvider compared with what llama-server and the OpenAI-compatible API of Ollama returned and accepted.
import { afterAll, describe, expect, test } from 'vitest';
import type { HostedApiCredentials, Message, ProviderError, ToolType } from '../../../src/library';
import { closeConnections, HostedApiProvider, HttpError, LocalHostProvider } from '../../../src/library';
import { sendJson, startServer } from '../../support/servers/http-server';
import { readRecorded } from '../../support/messages/recorded';
import { WEATHER } from '../../support/messages/recorded-tools';
import { startReplay } from '../../support/servers/replay-server';

const ASK: Message[] = [{ role: 'user', content: 'weather' }];

async function chatWith(
  server: { url: string },
  options: { messages?: Message[]; tools?: ToolType[]; credentials?: Partial<HostedApiCredentials> },
) {
  const provider = new HostedApiProvider({
    apiKey: 'key-of-the-test',
    host: `${server.url}/v1/`,
    model: 'tiny',
    retry: false,
    ...options.credentials,
  });
  return provider.chat({ messages: options.messages ?? ASK, tools: options.tools ?? [] }).then(
    (turn) => ({ turn, error: undefined }),
    (error: ProviderError) => ({ turn: undefined, error }),
  );
}

async function replay(name: string, options: Parameters<typeof chatWith>[1] = {}) {
  const recorded = readRecorded(name);
  await using server = await startReplay(recorded);
  const result = await chatWith(server, options);
  const [request] = server.requests;
  return { ...result, recorded, request, body: JSON.parse(request?.body ?? 'null') as unknown };
}

async function answer(document: unknown, options: Parameters<typeof chatWith>[1] = {}) {
  await using server = await startServer((_, response) => sendJson(response, 200, document));
  return { ...(await chatWith(server, options)), request: server.requests[0] };
}
const message = (fields: object, more: object = {}): object => ({
  choices: [{ index: 0, message: { role: 'assistant', ...fields }, finish_reason: 'stop' }],
  ...more,
});

afterAll(closeConnections);

describe('HostedApiProvider', () => {
  test('sends what llama-server accepted for a chat with tools, and reads the native call', async () => {
    const { turn, request, body, recorded } = await replay('llamacpp-chat-tools', { tools: [WEATHER] });
    expect(request?.url).toBe('/v1/chat/completions');
    expect(request?.headers.authorization).toBe('Bearer key-of-the-test');
    expect(body).toEqual(recorded.request.body);
    expect(turn?.raw).toMatchObject({
      content: '',
      toolCalls: [{ name: 'get_weather', arguments: { city: 'Paris' }, source: 'native' }],
      usage: { promptTokens: 386, completionTokens: 9, cachedTokens: 135 },
      finishReason: 'tool_calls',
    });
    expect(turn?.exchange.toolCalls).toEqual([{ rawArguments: '{"city": "Paris"}' }]);
  });

  test('sends a history with a tool result as llama-server accepted it, except for content "" instead of null', async () => {
    const call = {
      id: 'call_1',
      name: 'get_weather',
      arguments: { city: 'Paris' },
      source: 'native' as const,
    };
    const { turn, body, recorded } = await replay('llamacpp-chat-tool-result', {
      tools: [WEATHER],
      messages: [
        ...ASK,
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', content: 'sunny', toolName: 'get_weather', toolCallId: 'call_1' },
      ],
    });
    const accepted = JSON.stringify(recorded.request.body).replace('"content":null', '"content":""');
    expect(body).toEqual(JSON.parse(accepted));
    expect(turn?.assistant.content).toBe('It is sunny in Paris.');
  });

  test.each([['llamacpp-chat-reasoning'], ['ollama-v1-chat-think']])(
    'reads the reasoning of %s',
    async (name) => {
      const { turn } = await replay(name);
      expect(turn?.raw).toMatchObject({
        content: 'Hello from the tiny model.',
        reasoning: 'Let me ponder this.\n',
      });
    },
  );

  test('truncated arguments stay text, and the exchange says where they break off', async () => {
    const { turn } = await replay('llamacpp-chat-tools-truncated', { tools: [WEATHER] });
    expect(turn?.toolCalls[0]?.arguments).toBe('{"city": "Paris"');
    expect(turn?.raw.finishReason).toBe('length');
    expect(turn?.exchange.toolCalls[0]?.parseError).toMatch(/JSON/);
  });

  test('a missing key is an error with the server’s message', async () => {
    const { error } = await replay('llamacpp-auth-none');
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ status: 401, serverMessage: 'Invalid API Key' });
    expect(error?.explanation.next).toContain('API key');
  });

  test.each([
    ['an empty string', '', {}],
    ['null', null, {}],
    ['an object, as some relays send it', { city: 'Oslo' }, { city: 'Oslo' }],
  ])('arguments that are %s are read', async (_, args, expected) => {
    const { turn } = await answer(
      message({ content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: args } }] }),
    );
    expect(turn?.toolCalls).toEqual([{ id: 'a', name: 'f', arguments: expected, source: 'native' }]);
  });

  test('missing ids are created, and duplicate ids are made unique', async () => {
    const call = { function: { name: 'f', arguments: '{}' } };
    const { turn } = await answer(
      message({ tool_calls: [{ ...call, id: 'x' }, { ...call, id: 'x' }, call, { ...call, id: '' }] }),
    );
    const ids = turn?.toolCalls.map(({ id }) => id) ?? [];
    expect(ids.slice(0, 2)).toEqual(['x', 'x_2']);
    expect(ids.slice(2)).toEqual([
      expect.stringMatching(/^[0-9A-Za-z]{9}$/),
      expect.stringMatching(/^[0-9A-Za-z]{9}$/),
    ]);
    expect(new Set(ids).size).toBe(4);
    const repeated = turn?.exchange.toolCalls.map(({ repeatedId }) => repeatedId);
    expect(repeated).toEqual([undefined, 'x', undefined, undefined]);
  });

  test('a thousand calls with the same id get unique ids', async () => {
    const calls = Array.from({ length: 1_000 }, () => ({ id: 'x', function: { name: 'f' } }));
    const { turn } = await answer(message({ tool_calls: calls }));
    expect(new Set(turn?.toolCalls.map(({ id }) => id)).size).toBe(1_000);
  });

  test('an id that is too long to send back is replaced', async () => {
    const { turn } = await answer(
      message({ tool_calls: [{ id: 'i'.repeat(201), function: { name: 'f' } }] }),
    );
    expect(turn?.toolCalls[0]?.id).toMatch(/^[0-9A-Za-z]{9}$/);
  });

  test('a call without the level `function` is read, in both protocols, streamed or not', async () => {
    const call = { id: 'x', name: 'f', arguments: { a: 1 } };
    const said = { role: 'assistant', content: '', tool_calls: [call] };
    await using server = await startServer(({ url, body }, response) => {
      const isStream = (JSON.parse(body) as { stream?: boolean }).stream === true;
      if (url === '/api/chat') response.end(`${JSON.stringify({ message: said, done: true })}\n`);
      else if (!isStream) sendJson(response, 200, { choices: [{ message: said }] });
      else response.end(`data: ${JSON.stringify({ choices: [{ delta: said, finish_reason: 'stop' }] })}\n\n`);
    });
    for (const provider of [
      new HostedApiProvider({ host: server.url, apiKey: '', auth: 'none' }),
      new LocalHostProvider({ host: server.url, model: 'm' }),
    ]) {
      for (const onDelta of [undefined, () => undefined]) {
        const { raw, exchange } = await provider.chat({
          messages: [{ role: 'user', content: 'hi' }],
          onDelta,
        });
        expect(raw.toolCalls).toEqual([{ ...call, source: 'native' }]);
        expect(exchange.toolCalls).toEqual([{ rawArguments: '{"a":1}' }]);
      }
    }
  });

  test('of several choices in any order, the one with the index 0 is the reply, streamed or not', async () => {
    const choice = (index: number, content: string) => ({ index, finish_reason: 'stop', content });
    const all = [choice(1, 'second'), choice(0, 'first')];
    await using server = await startServer((_, response, count) => {
      const choices = all.map(({ content, ...rest }) => ({
        ...rest,
        [count === 1 ? 'message' : 'delta']: { content, tool_calls: [{ function: { name: content } }] },
      }));
      if (count === 1) sendJson(response, 200, { choices });
      else response.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
    });
    const provider = new HostedApiProvider({ host: server.url, apiKey: '', auth: 'none' });
    for (const onDelta of [undefined, () => undefined]) {
      const { raw, exchange } = await provider.chat({ messages: [{ role: 'user', content: 'hi' }], onDelta });
      expect(raw).toMatchObject({ content: 'first', toolCalls: [{ name: 'first' }] });
      expect(exchange.toolCalls).toHaveLength(1);
    }
  });

  test('content that is a list of parts is joined, and its thinking parts become the reasoning', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Hello' },
    ];
    const { turn } = await answer(message({ content }));
    expect(turn?.raw).toMatchObject({ content: 'Hello', reasoning: 'hm' });
  });

  test.each([
    ['a reply without choices', {}, 'response-format', 'no choices'],
    [
      'an error document with status 200',
      { error: { message: 'out of credits', code: 402 } },
      'http',
      'out of credits',
    ],
  ])('%s is an error', async (_, document, code, words) => {
    const { error } = await answer(document);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(words);
  });

  test('a page instead of JSON is an error that quotes its beginning', async () => {
    await using server = await startServer((_, response) => response.end('<html><title>Login</title>'));
    const { error } = await chatWith(server, {});
    expect(error?.message).toContain('The body is not JSON; it begins: <html><title>Login');
  });

  test('a redirect is not followed; the error names its target', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(307, { location: 'https://elsewhere.example/v1' }).end(),
    );
    const { error } = await chatWith(server, {});
    expect(error?.message).toContain(
      'It points to https://elsewhere.example/v1; redirects are never followed.',
    );
    expect(server.requests).toHaveLength(1);
  });

  test('the call that the server could not parse and quotes in its error becomes the turn, and rescue reads it', async () => {
    const failed = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
    await using server = await startServer((_, response) =>
      sendJson(response, 400, {
        error: { message: 'Failed to call a function.', code: 'tool_use_failed', failed_generation: failed },
      }),
    );
    const { turn } = await chatWith(server, { tools: [WEATHER] });
    expect(turn?.raw.content).toBe(failed);
    expect(turn?.toolCalls).toMatchObject([
      { name: 'get_weather', arguments: { city: 'Oslo' }, source: 'rescued' },
    ]);
  });

  test('whether a tool is strict is sent as it says, and not at all without a word', async () => {
    const tools = [
      { ...WEATHER, strict: true },
      { ...WEATHER, name: 'other' },
    ];
    const { request } = await answer(message({ content: 'x' }), { tools });
    const sent = JSON.parse(request?.body ?? '') as { tools: { function: object }[] };
    expect(sent.tools[0]?.function).toMatchObject({ name: WEATHER.name, strict: true });
    expect(sent.tools[1]?.function).not.toHaveProperty('strict');
  });

  test('auth none sends no key, and auth api-key sends the header api-key', async () => {
    const none = await answer(message({ content: 'x' }), { credentials: { auth: 'none', apiKey: '' } });
    expect(none.request?.headers).not.toHaveProperty('authorization');
    const own = await answer(message({ content: 'x' }), {
      credentials: { auth: 'api-key', apiKey: 'azure-key' },
    });
    expect(own.request?.headers).toMatchObject({ 'api-key': 'azure-key' });
    expect(own.request?.headers).not.toHaveProperty('authorization');
  });

  test('sampling keys that the API does not have are listed as dropped, keys that raw replaces as overridden', async () => {
    const { turn, request } = await answer(message({ content: 'x' }), {
      credentials: {
        sampling: { temperature: 0, topK: 40, maxTokens: 9 },
        tokenLimitKey: 'max_completion_tokens',
        raw: { temperature: 1, user: 'me' },
      },
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      temperature: 1,
      max_completion_tokens: 9,
      user: 'me',
    });
    expect(JSON.parse(request?.body ?? '')).not.toHaveProperty('top_k');
    expect(turn?.exchange).toMatchObject({
      sent: { temperature: 'temperature', maxTokens: 'max_completion_tokens' },
      dropped: ['topK'],
      overridden: ['temperature'],
    });
  });

  test('lists the models of the server', async () => {
    const recorded = readRecorded('llamacpp-models');
    await using server = await startReplay(recorded);
    const provider = new HostedApiProvider({ apiKey: '', auth: 'none', host: `${server.url}/v1` });
    expect(await provider.listModels()).toEqual([expect.any(String)]);
  });
});
