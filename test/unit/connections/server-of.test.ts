import { afterEach, describe, expect, test } from 'vitest';
import { toConnection } from '../../../src/connections/connection';
import { serverOf } from '../../../src/connections/server-of';
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { editorFace } from '../../../src/host/connections/editor-face';
import { closeConnections } from '../../../src/library';
import { connect } from '../../support/connections/connect';
import type { TestServer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { FakeSecrets } from '../../support/vscode/vscode-stub';

let server: TestServer | undefined;
const service = connect(new ApiKeys(new FakeSecrets()), new DemoSource());
const ask = (setting: object): Promise<string | undefined> =>
  serverOf(service, toConnection('own', setting, 'user', editorFace()));

afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
  await closeConnections();
});

describe('serverOf', () => {
  test.each([
    ['hosted-api', 'https://api.openai.com/v1', 'OpenAI'],
    ['hosted-api', 'https://api.anthropic.com/v1/', 'Anthropic'],
    ['hosted-api', 'https://generativelanguage.googleapis.com/v1beta/openai', 'Gemini'],
    ['hosted-api', 'https://mine.openai.azure.com/openai/v1', 'Azure OpenAI'],
    ['hosted-api', 'https://API.Groq.com/openai/v1', 'Groq'],
    ['hosted-api', undefined, 'OpenAI'],
    // Its protocol has no other server.
    ['local-host', 'http://10.0.0.1:1234', 'Ollama'],
    ['local-host', undefined, 'Ollama'],
  ])('knows %s at %s as %s without a request', async (provider, host, label) => {
    expect(await ask({ provider, host })).toBe(label);
  });

  test('knows a local server by its list of models, asked once', async () => {
    server = await startServer(({ url }, response) =>
      url === '/v1/models'
        ? sendJson(response, 200, { object: 'list', data: [{ id: 'm', owned_by: 'llamacpp' }] })
        : sendJson(response, 404, {}),
    );
    expect(await ask({ provider: 'hosted-api', host: `${server.url}/v1`, auth: 'none' })).toBe(
      'llama-server',
    );
    expect(server.requests.filter(({ url }) => url === '/v1/models')).toHaveLength(1);
  });

  test.each([
    ['another server', { id: 'm', owned_by: 'me' }, 200],
    ['a server that fails', {}, 500],
  ])('does not know %s', async (_what, model, status) => {
    server = await startServer((_request, response) => sendJson(response, status, { data: [model] }));
    expect(await ask({ provider: 'hosted-api', host: `${server.url}/v1`, auth: 'none' })).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['without a key', { provider: 'hosted-api', host: 'http://127.0.0.1:9/v1' }],
    ['with a problem', { provider: 'none' }],
    [
      'that only looks like a service',
      { provider: 'hosted-api', host: 'http://openai.azure.com.localhost:9' },
    ],
  ])('does not know a connection %s', async (_what, setting) => {
    expect(await ask(setting)).toBeUndefined();
  });
});
