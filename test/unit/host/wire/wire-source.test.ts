// What the host asks servers about themselves, over real sockets and with fake connections.
import { afterAll, expect, test } from 'vitest';
import type { WireOptions } from '../../../../src/host/wire/wire-source';
import { toWireSource } from '../../../../src/host/wire/wire-source';
import {
  closeConnections,
  createRedactor,
  HostedApiProvider,
  LocalHostProvider,
} from '../../../../src/library';
import type { Providers } from '../../../../src/library';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { readRecorded } from '../../../support/messages/recorded';

const KEY = 'sk-canary-0123456789';
afterAll(closeConnections);

const sourceOf = (provider: Providers) =>
  toWireSource({
    pool: {} as WireOptions['pool'],
    connections: {
      find: () => ({}),
      makeProvider: () => Promise.resolve({ provider }),
      redactor: () => createRedactor([KEY]),
    } as unknown as WireOptions['connections'],
    madeBy: 'a test',
  });

test('a llama-server returns its version and its sampling defaults', async () => {
  const recorded = { '/v1/models': 'llamacpp-models', '/props': 'llamacpp-props' };
  await using server = await startServer(({ url }, response) => {
    const name = Object.entries(recorded).find(([path]) => path === url)?.[1];
    if (name === undefined) response.writeHead(404).end();
    else response.end(readRecorded(name).response.body);
  });
  const source = sourceOf(
    new HostedApiProvider({ host: `${server.url}/v1`, apiKey: '', auth: 'none', model: 'any' }),
  );
  expect(await source.describeServer('c')).toBe('llama-server b11669-Debian');
  // It has one model, and accepts any name for it.
  expect(await source.describeModel('c', 'any')).toMatchObject({
    capabilities: ['completion', 'tools'],
    contextLength: 2048,
    samplingDefaults: { temperature: 0.8, topK: 40 },
  });
});

test('Ollama returns the parameters of the model file', async () => {
  const documents: Record<string, object> = {
    '/api/tags': { models: [{ name: 'a' }, { name: 'b' }, { name: 'c:latest' }] },
    '/api/ps': { models: [] },
    '/api/version': { version: `0.32.1 ${KEY}` },
    '/api/show': { parameters: 'temperature 0.6\nstop "x"' },
  };
  await using server = await startServer(({ url }, response) =>
    sendJson(response, 200, documents[url] ?? {}),
  );
  const source = sourceOf(new LocalHostProvider({ host: server.url, model: 'b' }));
  const defaults = { temperature: 0.6, stop: ['x'] };
  expect((await source.describeModel('c', 'b'))?.samplingDefaults).toEqual(defaults);
  expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({ model: 'b' });
  // A name without a tag means the tag “latest”.
  expect((await source.describeModel('c', 'c'))?.id).toBe('c:latest');
  // Among several models, an unknown name finds none.
  expect(await source.describeModel('c', 'another')).toBeUndefined();
  const version = await source.describeServer('c');
  expect(version).toMatch(/^ollama 0\.32\.1 \*+$/);
});

test('a server that is down returns nothing', async () => {
  const source = sourceOf(new LocalHostProvider({ host: 'http://127.0.0.1:1', model: 'm', retry: false }));
  expect(await source.describeServer('c')).toBeUndefined();
  expect(await source.describeModel('c', 'm')).toBeUndefined();
});
