// What a server tells about itself and its models: recorded replies of real servers, and documented replies of servers that
// were not recorded.
import { afterAll, describe, expect, test } from 'vitest';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  Providers,
  ResponsesApiProvider,
} from '../../../src/library';
import type { RawAssistant } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import type { TestServer } from '../../support/servers/http-server';
import { readRecorded } from '../../support/messages/recorded';

afterAll(closeConnections);

/** Recorded replies or documents by path; anything else is a 404. */
function serve(routes: Record<string, string | object>): Promise<TestServer> {
  return startServer(({ url }, response) => {
    const route = routes[url];
    if (typeof route === 'string') {
      const { status, body } = readRecorded(route).response;
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    } else sendJson(response, route ? 200 : 404, route ?? { error: 'not found' });
  });
}

const local = (server: TestServer): LocalHostProvider =>
  new LocalHostProvider({ host: server.url, model: 'tiny', retry: false });
const hosted = (server: TestServer): HostedApiProvider =>
  new HostedApiProvider({ host: `${server.url}/v1`, apiKey: '', auth: 'none', retry: false });
const messages = (server: TestServer): MessagesApiProvider =>
  new MessagesApiProvider({ host: server.url, apiKey: '', auth: 'none', retry: false });
const responses = (server: TestServer): ResponsesApiProvider =>
  new ResponsesApiProvider({ host: server.url, apiKey: '', auth: 'none', retry: false });

describe('LocalHostProvider.describeServer', () => {
  test('returns the version, the sizes and contexts of models, and which are loaded', async () => {
    await using server = await serve({
      '/api/tags': 'ollama-tags',
      '/api/ps': 'ollama-ps',
      '/api/version': 'ollama-version',
    });
    const { product, version, models } = await local(server).describeServer();
    expect([product, version]).toEqual(['ollama', '0.0.0']);
    expect(models[0]).toEqual({
      id: 'tiny:latest',
      sizeBytes: 2_104_952,
      parameterSize: '523K',
      maxContextLength: 4096,
      contextLength: 2048,
      capabilities: ['completion'],
      isRunning: true,
    });
    expect(models.map(({ id, isRunning }) => [id, isRunning])).toEqual([
      ['tiny:latest', true],
      ['tiny-embed:latest', false],
      ['tiny-plain:latest', false],
      ['tiny-go:latest', false],
    ]);
  });

  test('works without the routes that other servers of the protocol lack', async () => {
    await using server = await serve({ '/api/tags': 'ollama-tags' });
    const { product, version, models } = await local(server).describeServer();
    expect([product, version, models.length]).toEqual([undefined, undefined, 4]);
    expect(models[0]).not.toHaveProperty('isRunning');
  });

  test('returns details of one model that need a request of their own', async () => {
    await using server = await serve({ '/api/show': 'ollama-show' });
    const model = await local(server).describeModel({ id: 'tiny:latest', capabilities: ['completion'] });
    expect(model).toEqual({
      id: 'tiny:latest',
      parameterSize: '523K',
      maxContextLength: 4096,
      capabilities: ['tools', 'thinking', 'completion'],
    });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ model: 'tiny:latest' });
  });

  test('fails when the list of models fails', async () => {
    await using server = await serve({});
    await expect(local(server).describeServer()).rejects.toMatchObject({ code: 'http', status: 404 });
  });
});

describe('HostedApiProvider.describeServer', () => {
  test('returns the build of llama-server, and the context and tools of its one model', async () => {
    await using server = await serve({ '/v1/models': 'llamacpp-models', '/props': 'llamacpp-props' });
    expect(await hosted(server).describeServer()).toEqual({
      product: 'llama-server',
      version: 'b11669-Debian',
      models: [
        {
          id: 'tiny',
          sizeBytes: 2_092_032,
          parameterSize: '523K',
          quantization: 'all F32',
          maxContextLength: 4096,
          contextLength: 2048,
          capabilities: ['completion', 'tools'],
          samplingDefaults: { temperature: 0.8, topP: 0.95, topK: 40, numCtx: 2048, repeatPenalty: 1 },
          isRunning: true,
        },
      ],
    });
  });

  test('fails as the chat would where llama-server lists its models to everybody, but wants a key', async () => {
    await using server = await serve({ '/v1/models': 'llamacpp-models', '/props': 'llamacpp-auth-none' });
    expect(await hosted(server).listModels()).toEqual(['tiny']);
    await expect(hosted(server).describeServer()).rejects.toMatchObject({ code: 'http', status: 401 });
  });

  test('recognizes vLLM, whose list contains the context', async () => {
    const card = { id: 'Qwen/Qwen3-8B', object: 'model', owned_by: 'vllm', max_model_len: 40_960 };
    await using server = await serve({ '/v1/models': { data: [card] }, '/version': { version: '0.11.0' } });
    expect(await hosted(server).describeServer()).toEqual({
      product: 'vllm',
      version: '0.11.0',
      models: [{ id: 'Qwen/Qwen3-8B', maxContextLength: 40_960, isRunning: true }],
    });
  });

  test('recognizes LM Studio by its second list, which contains the loaded models', async () => {
    const owned = { object: 'model', owned_by: 'organization_owner' };
    const list = [
      { id: 'qwen3-8b', ...owned },
      { id: 'nomic-embed', ...owned },
      { id: 'unknown', ...owned },
    ];
    const own = [
      {
        id: 'qwen3-8b',
        type: 'vlm',
        quantization: 'Q4_K_M',
        state: 'loaded',
        max_context_length: 32_768,
        loaded_context_length: 4096,
        capabilities: ['tool_use'],
      },
      { id: 'nomic-embed', type: 'embeddings', state: 'not-loaded', max_context_length: 2048 },
    ];
    await using server = await serve({ '/v1/models': { data: list }, '/api/v0/models': { data: own } });
    expect(await hosted(server).describeServer()).toEqual({
      product: 'lm-studio',
      models: [
        {
          id: 'qwen3-8b',
          quantization: 'Q4_K_M',
          maxContextLength: 32_768,
          contextLength: 4096,
          capabilities: ['completion', 'tools', 'vision'],
          isRunning: true,
        },
        { id: 'nomic-embed', maxContextLength: 2048, capabilities: ['embedding'], isRunning: false },
        { id: 'unknown' },
      ],
    });
  });

  test.each([
    [
      'OpenRouter',
      {
        context_length: 131_072,
        supported_parameters: ['tools'],
        architecture: { input_modalities: ['image'] },
      },
      { maxContextLength: 131_072, capabilities: ['completion', 'tools', 'vision'] },
    ],
    ['Groq', { owned_by: 'Meta', context_window: 131_072 }, { maxContextLength: 131_072 }],
    [
      'Mistral',
      { max_context_length: 32_768, capabilities: { function_calling: true, vision: false } },
      { maxContextLength: 32_768, capabilities: ['completion', 'tools'] },
    ],
    ['OpenAI', { owned_by: 'system', created: 1 }, {}],
  ])('reads the fields of %s without a further request', async (_, fields, reported) => {
    await using server = await serve({ '/v1/models': { data: [{ id: 'm', object: 'model', ...fields }] } });
    expect(await hosted(server).describeServer()).toEqual({ models: [{ id: 'm', ...reported }] });
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/models']);
  });

  test('reads a list that is the document itself', async () => {
    await using server = await serve({ '/v1/models': [{ id: 'm', type: 'embedding', context_length: 512 }] });
    const { models } = await hosted(server).describeServer();
    expect(models).toEqual([{ id: 'm', maxContextLength: 512, capabilities: ['embedding'] }]);
    expect(await hosted(server).listModels()).toEqual(['m']);
  });

  test('ignores invalid values in a list', async () => {
    const fields = { owned_by: { toString: 1 }, context_length: 'long', meta: [], capabilities: 'all' };
    const odd = [null, 5, { id: 7 }, { id: 'm', ...fields }];
    await using server = await serve({ '/v1/models': { data: odd } });
    expect((await hosted(server).describeServer()).models).toEqual([{ id: 'm' }]);
  });
});

describe('a list of models', () => {
  const answered = (document: object) =>
    serve({ '/v1/models': document, '/v1/models?limit=1000': document, '/api/tags': document });
  const keyed = [hosted, messages, responses];
  const long = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key_${index}`, index]));

  test.each([
    ['{}', {}, 'but received an object without keys.'],
    ['another key', { items: [{ id: 'm' }] }, 'but received an object with the keys items.'],
    ['data that is not a list', { data: 'm', models: { m: {} } }, 'with the keys data, models.'],
    ['entries without an id', { data: [{ title: 'm' }], models: [{ title: 'm' }] }, 'with the keys title.'],
    [
      'entries that are not objects',
      { data: ['m'], models: ['m'] },
      'but the first entry received is a value of type string.',
    ],
    ['many keys', long, 'key_6, key_7 and others.'],
  ])('with %s is an error that describes what was received', async (_, document, words) => {
    await using server = await answered(document);
    for (const provider of [...keyed, local].map((make) => make(server))) {
      for (const asked of [provider.listModels(), provider.describeServer()]) {
        const error = await failure(asked);
        expect(error).toMatchObject({ code: 'response-format', attempts: 1 });
        expect(error.message).toContain('Expected a list of models');
        expect(error.message).toContain(words);
        expect(error.exchange?.response?.body).toBe(JSON.stringify(document));
      }
    }
  });

  test('names a model once that the server lists several times', async () => {
    const ids = ['a', 'b', 'a', 'b', 'c'];
    await using server = await answered({
      data: ids.map((id, index) => ({ id, context_length: index + 1 })),
      models: ids.map((name) => ({ name })),
    });
    for (const make of keyed) expect(await make(server).listModels()).toEqual(['a', 'b', 'c']);
    expect(await local(server).listModels()).toEqual(['a', 'b', 'c']);
    expect((await hosted(server).describeServer()).models[0]).toEqual({ id: 'a', maxContextLength: 1 });
  });

  test('of the Messages API is read page by page, and no page twice', async () => {
    const page = (id: string, more: object): object => ({ data: [{ id, type: 'model' }], ...more });
    await using server = await serve({
      '/v1/models?limit=1000': page('a', { has_more: true, last_id: 'a' }),
      '/v1/models?limit=1000&after_id=a': page('b', { has_more: true, last_id: 'b' }),
      '/v1/models?limit=1000&after_id=b': page('c', { has_more: false, last_id: 'c' }),
    });
    expect(await messages(server).listModels()).toEqual(['a', 'b', 'c']);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]?.headers['anthropic-version']).toBe('2023-06-01');
  });

  test('of the Messages API may be missing, which is no failure of the server', async () => {
    await using server = await serve({});
    const error = await failure(messages(server).listModels());
    expect(error.code).toBe('unsupported');
    expect(error.message).toContain('The server has no `/v1/models` (404).');
    expect(await failure(messages(server).describeServer())).toMatchObject({ code: 'unsupported' });
    await using busy = await startServer((_request, response) => sendJson(response, 503, {}));
    expect(await failure(messages(busy).listModels())).toMatchObject({ code: 'http', status: 503 });
  });

  test('of the Messages API ends where the next page cannot be named or pages never end', async () => {
    const endless = { data: [{ id: 'a' }], has_more: true };
    await using unnamed = await startServer((_, response) => sendJson(response, 200, endless));
    expect(await messages(unnamed).listModels()).toEqual(['a']);
    expect(unnamed.requests).toHaveLength(1);
    await using same = await startServer((_, response) =>
      sendJson(response, 200, { ...endless, last_id: 'a' }),
    );
    expect(await messages(same).listModels()).toEqual(['a']);
    expect(same.requests).toHaveLength(10);
  });

  test.each([
    ['empty', { data: [], models: [] }],
    ['null, as from a server without models', { data: null, models: null }],
  ])('that is %s has no models', async (_, document) => {
    await using server = await answered(document);
    for (const make of keyed) expect(await make(server).listModels()).toEqual([]);
    expect(await local(server).listModels()).toEqual([]);
  });
});

describe('Providers.describeServer', () => {
  class Listing extends Providers {
    protected chatInternal(): Promise<RawAssistant> {
      return Promise.reject(new Error('not asked'));
    }
    protected override listModelsInternal(): Promise<string[]> {
      return Promise.resolve(['one']);
    }
  }

  test('gets its list from listModels(), which an instance may replace', async () => {
    const provider = Object.assign(new Listing(), { listModels: () => Promise.resolve(['own']) });
    expect(await provider.describeServer()).toEqual({ models: [{ id: 'own' }] });
  });

  test('returns the ids that a custom provider lists, and describeModel returns a model unchanged', async () => {
    expect(await new Listing().describeServer()).toEqual({ models: [{ id: 'one' }] });
    expect(await new Listing().describeModel({ id: 'one' })).toEqual({ id: 'one' });
  });

  test.each([[undefined], [null], ['one'], [{}], [['one', null]], [[{ id: 'one' }]]])(
    'refuses a list of a custom provider that is %j',
    async (ids) => {
      class Odd extends Listing {
        protected override listModelsInternal(): Promise<string[]> {
          return Promise.resolve(ids as string[]);
        }
      }
      for (const asked of [new Odd().listModels(), new Odd().describeServer()]) {
        const error = await failure(asked);
        expect(error).toMatchObject({ code: 'response-format' });
        expect(error.message).toContain('The ids of the models are not a list of texts.');
      }
    },
  );

  test('reports an exception of a custom provider as a fault of its code, not of the library', async () => {
    class Failing extends Listing {
      protected override describeServerInternal(): never {
        throw new TypeError('x is no function');
      }
      protected override describeModelInternal(): never {
        throw new TypeError('x is no function');
      }
    }
    const provider = new Failing();
    for (const asked of [provider.describeServer(), provider.describeModel({ id: 'one' })])
      expect(await failure(asked)).toMatchObject({
        code: 'response-format',
        cause: { message: 'x is no function' },
      });
  });
});
