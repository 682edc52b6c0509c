import { afterEach, describe, expect, test } from 'vitest';
import { DEMO_MODELS, startDemoServer } from '../../../src/demo';
import type { DemoServer, DemoServerOptions } from '../../../src/demo';
import { WEATHER_TOOL, askModel, userMessage } from './ask-model';
import { headerOf, sendRequest } from './raw-request';

const servers: DemoServer[] = [];
async function start(options?: DemoServerOptions): Promise<DemoServer> {
  const server = await startDemoServer(options);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const statusOf = async (url: string, headers = {}): Promise<number> =>
  (await sendRequest(url, { headers })).status;

const NESTED = 'The demo server cannot work on this request: it is nested too deeply.';

describe('startDemoServer', () => {
  test('listens on loopback and names the hosts of the local and the hosted protocol', async () => {
    const server = await start();
    expect(server.localHost).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.hostedHost).toBe(`${server.localHost}/v1`);
  });

  test('lists the same models in the local and the hosted protocol', async () => {
    const server = await start();
    const tags = JSON.parse((await sendRequest(`${server.localHost}/api/tags`)).body) as {
      models: { name: string }[];
    };
    const models = JSON.parse((await sendRequest(`${server.hostedHost}/models`)).body) as {
      data: { id: string }[];
    };
    expect(tags.models.map(({ name }) => name)).toEqual(DEMO_MODELS.map((name) => `${name}:latest`));
    expect(models.data.map(({ id }) => id)).toEqual(DEMO_MODELS);
  });

  test.each([
    '/api/chat',
    '/api/tags',
    '/',
    '/v1/chat/completions',
    '/v1/models',
    '/v1/messages',
    '/v1/responses',
  ])('refuses a foreign Host or Origin at %s with an empty body', async (path) => {
    const { localHost } = await start();
    const foreign = [
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      const reply = await sendRequest(localHost + path, { headers });
      expect([reply.status, reply.body, headerOf(reply, 'Access-Control-Allow-Origin')]).toEqual([
        403,
        '',
        undefined,
      ]);
    }
  });

  test.each(['{"items":', '{"properties":{"a":'])(
    'says that a schema of 100,000 levels of %s cannot be worked on, and does not hang up',
    async (level) => {
      const { localHost, hostedHost } = await start();
      const end = '}'.repeat(level.split('{').length - 1);
      const parameters = level.repeat(100_000) + '{}' + end.repeat(100_000);
      const tool = `{"type":"function","function":{"name":"f","parameters":${parameters}}}`;
      const begin = '{"model":"native-call","messages":[{"role":"user","content":"Hi"}],';
      const body = `${begin}"tools":[${tool}]}`;
      const hosted = await sendRequest(`${hostedHost}/chat/completions`, { body });
      expect([hosted.status, JSON.parse(hosted.body)]).toMatchObject([
        500,
        { error: { message: NESTED, type: 'server_error' } },
      ]);
      const local = await sendRequest(`${localHost}/api/chat`, { body });
      expect(local.status).toBeGreaterThanOrEqual(400);
      expect(JSON.parse(local.body)).toHaveProperty('error');

      const schema = `{"type":"object",${parameters.slice(1)}`;
      const messages = `${begin}"max_tokens":9,"tools":[{"name":"f","input_schema":${schema}}]}`;
      const responses = `{"model":"native-call","input":"Hi","tools":[{"type":"function","name":"f","parameters":${schema}}]}`;
      const headers = { 'anthropic-version': '2023-06-01' };
      const replies = [
        await sendRequest(`${hostedHost}/messages`, { body: messages, headers }),
        await sendRequest(`${hostedHost}/responses`, { body: responses }),
      ];
      for (const reply of replies) {
        expect([reply.status, JSON.parse(reply.body)]).toMatchObject([500, { error: { message: NESTED } }]);
      }
    },
  );

  test('requires the key in the hosted protocol only, and never for the health check', async () => {
    const server = await start({ apiKey: 'sekrit' });
    const models = `${server.hostedHost}/models`;
    expect(await statusOf(models)).toBe(401);
    expect(await statusOf(models, { authorization: 'Bearer other' })).toBe(401);
    expect(await statusOf(models, { authorization: 'Bearer sekrit' })).toBe(200);
    expect(await statusOf(models, { 'x-api-key': 'sekrit' })).toBe(200);
    expect(await statusOf(`${server.localHost}/health`)).toBe(200);
    expect(await statusOf(`${server.localHost}/api/tags`)).toBe(200);
  });

  test('refuses a body of more than 8 MiB with the error of each protocol', async () => {
    const server = await start();
    const body = `{"model":"native-call","x":"${'x'.repeat(8 * 1024 * 1024)}"}`;
    const local = await sendRequest(`${server.localHost}/api/chat`, { body });
    const hosted = await sendRequest(`${server.hostedHost}/chat/completions`, { body });
    expect([local.status, local.body]).toEqual([413, '{"error":"http: request body too large"}']);
    expect([hosted.status, JSON.parse(hosted.body)]).toMatchObject([413, { error: { code: 413 } }]);
  });
});

describe('the memory of a demo server', () => {
  test('is not shared between two servers, which count attempts separately', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const question = {
      protocol: 'local',
      model: 'rate-limited',
      messages: [userMessage('hi')],
      tools: [WEATHER_TOOL],
    } as const;
    const statuses: number[] = [];
    for (const server of [first, first, second, first, second]) {
      statuses.push((await askModel(server, question)).status);
    }
    expect(statuses).toEqual([429, 429, 429, 200, 429]);
  });

  test('contains repeated prompts, whose cached part the hosted protocol reports', async () => {
    const server = await start();
    const body = JSON.stringify({ model: 'native-call', messages: [userMessage('What is the weather?')] });
    const usages: { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } }[] = [];
    for (let count = 0; count < 2; count += 1) {
      const reply = await sendRequest(`${server.hostedHost}/chat/completions`, { body });
      usages.push((JSON.parse(reply.body) as { usage: (typeof usages)[number] }).usage);
    }
    const promptTokens = usages[0]?.prompt_tokens ?? 0;
    expect(promptTokens).toBeGreaterThan(1);
    expect(usages.map((usage) => usage.prompt_tokens_details.cached_tokens)).toEqual([0, promptTokens - 1]);
  });
});
