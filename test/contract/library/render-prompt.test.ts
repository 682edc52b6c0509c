// The prompt that a server renders for a request: the routes that are asked, what of the answers counts, and servers that
// cannot. Answers have the forms that the servers' sources and recordings show.
import { afterAll, describe, expect, test } from 'vitest';
import { closeConnections, HostedApiProvider, LocalHostProvider, Providers } from '../../../src/library';
import type { RawAssistant, ToolType } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import type { TestServer } from '../../support/servers/http-server';
import { readRecorded } from '../../support/messages/recorded';

afterAll(closeConnections);

const weather: ToolType = {
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const messages = [{ role: 'user' as const, content: 'weather' }];
const asked = { tools: [weather], messages };
const LLAMA = { data: [{ id: 'tiny', owned_by: 'llamacpp' }] };
const VLLM = { data: [{ id: 'tiny', owned_by: 'vllm' }] };
const PROPS = { default_generation_settings: { n_ctx: 2048 } };

/** Documents by path; a number is a status. Any other path is a 404, and one that is `null` is never answered. */
function serve(routes: Record<string, object | number | null>): Promise<TestServer> {
  return startServer(({ url }, response) => {
    const route = routes[url];
    if (route === null) return;
    const status = typeof route === 'number' ? route : 200;
    sendJson(
      response,
      route === undefined ? 404 : status,
      typeof route === 'object' ? route : { error: 'no' },
    );
  });
}

const hosted = (server: TestServer, given: object = { apiKey: '', auth: 'none' }): HostedApiProvider =>
  new HostedApiProvider({ host: `${server.url}/v1`, model: 'tiny', retry: false, apiKey: '', ...given });
const local = (server: TestServer): LocalHostProvider =>
  new LocalHostProvider({ host: server.url, model: 'tiny', retry: false });
const bodyOf = (server: TestServer, url: string): unknown =>
  JSON.parse(server.requests.find((request) => request.url === url)?.body ?? 'null');
const pathsOf = ({ requests }: TestServer): string[] => requests.map(({ method, url }) => `${method} ${url}`);

describe('HostedApiProvider.renderPrompt', () => {
  const prompt = '<|im_start|>system\nget_weather <b>\n<|im_start|>user\nweather<|im_end|>\n';
  const pieces = ['<s>', '<|im_start|>', 'system', '\n', '<', 'b', '>', [195], [169], '<|im_end|>'];
  const tokens = pieces.map((piece, id) => ({ id, piece }));

  test('asks llama-server to apply the template and to count the tokens, and generates nothing', async () => {
    await using server = await serve({
      '/v1/models': LLAMA,
      '/props': PROPS,
      '/apply-template': { prompt },
      '/tokenize': { tokens },
    });
    const rendered = await hosted(server).renderPrompt({ ...asked, sampling: { temperature: 0 } });
    expect(rendered).toEqual({
      text: prompt,
      tokens: 10,
      contextLength: 2048,
      specialTokens: ['<s>', '<|im_start|>', '<|im_end|>'],
      isFromTokenizer: true,
      missingTools: [],
    });
    expect(pathsOf(server)).toEqual([
      'GET /v1/models',
      'GET /props',
      'POST /apply-template',
      'POST /tokenize',
    ]);
    const sent = bodyOf(server, '/apply-template');
    expect(sent).toMatchObject({ model: 'tiny', messages, tools: [{ function: { name: 'get_weather' } }] });
    expect(sent).not.toHaveProperty('stream');
    expect(bodyOf(server, '/tokenize')).toEqual({
      model: 'tiny',
      content: prompt,
      add_special: true,
      parse_special: true,
      with_pieces: true,
    });
  });

  test('renders a recorded body as it is, with `raw` left out, and names the tools that did not arrive', async () => {
    await using server = await serve({
      '/v1/models': LLAMA,
      '/apply-template': { prompt: '[INST]hi[/INST]' },
    });
    const body = JSON.stringify({
      model: 'other',
      messages,
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
      chat_template_kwargs: { enable_thinking: false },
      stream: true,
      stream_options: { include_usage: true },
    });
    const provider = hosted(server, { auth: 'none', raw: { top_k: 1 } });
    const rendered = await provider.renderPrompt({ messages: [], body });
    // Without an answer to `/tokenize`, the count is unknown, and the marks are found by their form.
    expect(rendered).toEqual({
      text: '[INST]hi[/INST]',
      specialTokens: ['[INST]', '[/INST]'],
      isFromTokenizer: false,
      missingTools: ['get_weather'],
    });
    const { stream, stream_options, ...kept } = JSON.parse(body) as Record<string, unknown>;
    expect([stream, stream_options]).toEqual([true, { include_usage: true }]);
    expect(bodyOf(server, '/apply-template')).toEqual(kept);
  });

  test('asks vLLM for the tokens of the conversation and then for their text', async () => {
    await using server = await serve({
      '/v1/models': VLLM,
      '/tokenize': {
        count: 3,
        max_model_len: 4096,
        tokens: [1, 2, 3],
        token_strs: ['<|im_start|>', 'Ġget', 'x'],
      },
      '/detokenize': { prompt },
    });
    expect(await hosted(server).renderPrompt(asked)).toMatchObject({
      text: prompt,
      tokens: 3,
      contextLength: 4096,
      specialTokens: ['<|im_start|>'],
    });
    expect(bodyOf(server, '/tokenize')).toEqual({
      model: 'tiny',
      messages,
      tools: [expect.objectContaining({ type: 'function' })],
      add_generation_prompt: true,
      return_token_strs: true,
    });
    expect(bodyOf(server, '/detokenize')).toEqual({ model: 'tiny', tokens: [1, 2, 3] });
  });

  test('leaves out the generation prompt of vLLM where the request continues the last message', async () => {
    await using server = await serve({ '/v1/models': VLLM });
    const provider = hosted(server, {
      auth: 'none',
      raw: { continue_final_message: true, add_special_tokens: true },
    });
    expect(await failure(provider.renderPrompt(asked))).toMatchObject({ code: 'unsupported' });
    const sent = bodyOf(server, '/tokenize');
    expect(sent).toMatchObject({ continue_final_message: true, add_special_tokens: true });
    expect(sent).not.toHaveProperty('add_generation_prompt');
  });

  test('asks a server of no known product as llama-server, also one without a list of models', async () => {
    await using server = await serve({ '/apply-template': { prompt } });
    expect(await hosted(server).renderPrompt(asked)).toMatchObject({
      text: prompt,
      specialTokens: ['<|im_start|>', '<|im_end|>'],
    });
  });

  test.each([404, 405, 501])(
    'says of a server that answers %i that it cannot, and which can',
    async (status) => {
      await using server = await serve({ '/v1/models': { data: [] }, '/apply-template': status });
      const error = await failure(hosted(server).renderPrompt(asked));
      expect(error).toMatchObject({ code: 'unsupported' });
      expect(error.message).toMatch(
        /cannot show the rendered prompt\. It has no `\/apply-template` \(\d+\)\. .*llama-server, vLLM/,
      );
    },
  );

  test('sends nothing to a known service, and nothing more to LM Studio', async () => {
    const service = new HostedApiProvider({
      host: 'https://me.openai.azure.com/openai/v1',
      apiKey: 'x'.repeat(8),
    });
    const error = await failure(service.renderPrompt(asked));
    expect([error.code, error.message]).toEqual([
      'unsupported',
      expect.stringContaining('Azure OpenAI has no route'),
    ]);
    expect(error.exchange).toBeUndefined();
    await using server = await serve({
      '/v1/models': { data: [{ id: 'tiny', owned_by: 'organization_owner' }] },
      '/api/v0/models': { data: [{ id: 'tiny' }] },
    });
    expect(await failure(hosted(server).renderPrompt(asked))).toMatchObject({ code: 'unsupported' });
    expect(pathsOf(server)).toEqual(['GET /v1/models', 'GET /api/v0/models']);
  });

  test.each<[string, object | number, string]>([
    ['an answer without a prompt', { prompt: 7 }, 'response-format'],
    [
      'an error of the template',
      { error: { message: 'tools param requires --jinja flag', code: 500 } },
      'http',
    ],
    ['a refusal of the key', 401, 'http'],
  ])('fails on %s', async (_name, answer, code) => {
    await using server = await serve({ '/v1/models': LLAMA, '/apply-template': answer });
    expect(await failure(hosted(server).renderPrompt(asked))).toMatchObject({ code });
  });

  test('sends the key to its own origin alone, masks it, and makes the attempts of the retry policy', async () => {
    const key = 'sk-secret-secret-1';
    let count = 0;
    await using server = await startServer(({ url }, response) => {
      if (url !== '/apply-template') sendJson(response, 200, url === '/v1/models' ? LLAMA : {});
      else if (++count === 1) sendJson(response, 503, { error: 'busy' });
      else response.writeHead(400, { 'content-type': 'application/json' }).end(`{"error":"bad key ${key}"}`);
    });
    const provider = hosted(server, { apiKey: key, retry: { initialDelayMs: 1 } });
    const error = await failure(provider.renderPrompt(asked));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      server.requests.map(() => `Bearer ${key}`),
    );
    expect(count).toBe(2);
    expect(JSON.stringify([error, error.message])).not.toContain(key);
  });

  test('ends when the caller aborts, and by `timeoutMs`', async () => {
    await using server = await serve({ '/v1/models': LLAMA, '/apply-template': null });
    const controller = new AbortController();
    const rendering = failure(hosted(server).renderPrompt({ ...asked, signal: controller.signal }));
    await expect.poll(() => pathsOf(server)).toContain('POST /apply-template');
    controller.abort();
    expect(await rendering).toMatchObject({ code: 'aborted' });
    const impatient = hosted(server, { auth: 'none', retry: { maxAttempts: 1, timeoutMs: 30 } });
    expect(await failure(impatient.renderPrompt(asked))).toMatchObject({ code: 'timeout' });
  });
});

describe('LocalHostProvider.renderPrompt', () => {
  const recorded = readRecorded('ollama-chat-debug-render').response;
  const rendering = JSON.parse(recorded.body) as object;
  const ps = { models: [{ name: 'tiny:latest', context_length: 2048 }] };

  test('asks for the rendered prompt only, and for the context of the loaded model', async () => {
    await using server = await serve({
      '/api/version': { version: '0.12.3' },
      '/api/chat': rendering,
      '/api/ps': ps,
    });
    const rendered = await local(server).renderPrompt({ ...asked, sampling: { numCtx: 2048 } });
    expect(rendered).toMatchObject({
      contextLength: 2048,
      specialTokens: ['<|im_start|>', '<tool_call>', '</tool_call>', '<|im_end|>'],
      isFromTokenizer: false,
      missingTools: [],
    });
    expect(rendered.text).toContain('<tools>\n{"type": "function"');
    expect(rendered).not.toHaveProperty('tokens');
    const sent = { stream: false, _debug_render_only: true, options: { num_ctx: 2048 } };
    expect(bodyOf(server, '/api/chat')).toMatchObject(sent);
  });

  test.each(['0.11.4', '0.6', undefined, 'latest'])(
    'sends no chat to a server of version %s, which would generate a reply',
    async (version) => {
      await using server = await serve({
        '/api/chat': rendering,
        ...(version && { '/api/version': { version } }),
      });
      expect(await failure(local(server).renderPrompt(asked))).toMatchObject({ code: 'unsupported' });
      expect(pathsOf(server)).toEqual(['GET /api/version']);
    },
  );

  test.each(['0.0.0', 'v1.2.3', '0.32.1-rc0'])('asks a server of version %s', async (version) => {
    await using server = await serve({ '/api/version': { version }, '/api/chat': rendering });
    expect((await local(server).renderPrompt(asked)).contextLength).toBeUndefined();
  });

  test('fails on a reply where a prompt was asked for', async () => {
    await using server = await serve({ '/api/version': { version: '0.12.0' }, '/api/chat': { message: {} } });
    expect(await failure(local(server).renderPrompt(asked))).toMatchObject({ code: 'response-format' });
  });
});

test('Providers.renderPrompt refuses wrong options, and says that a custom provider has no such operation', async () => {
  class Plain extends Providers {
    protected chatInternal(): Promise<RawAssistant> {
      return Promise.reject(new Error('not asked'));
    }
  }
  expect(await failure(new Plain().renderPrompt(asked))).toMatchObject({ code: 'unsupported' });
  const wrong = new Plain().renderPrompt({ messages: 'hi' } as never);
  expect(await failure(wrong)).toMatchObject({ code: 'invalid-options', field: 'messages' });
});
