// The connections of a window as a session uses them, with servers that record their requests.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import type { ConnectionService } from '../../../src/connections/connection-service';
import { createConnectionSource } from '../../../src/connections/connection-source';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { closeConnections } from '../../../src/library';
import type { ConnectionSource } from '../../../src/session';
import type { ModuleFolder } from '../../support/connections/custom-modules';
import { acmeModule, openModuleFolder } from '../../support/connections/custom-modules';
import type { TestServer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { FakeSecrets, settings } from '../../support/vscode/vscode-stub';
import { connect } from '../../support/connections/connect';

const KEY = 'canary-0123456789-canary';
const demo = new DemoSource();
let server: TestServer | undefined;
let modules: ModuleFolder | undefined;
let keys: ApiKeys;
let connections: ConnectionService;
let source: ConnectionSource;

const ignore = (): void => undefined;
const toSource = (service: ConnectionService): ConnectionSource =>
  createConnectionSource(service, () => ignore);
const open = (connectionId: string, more: object = {}) =>
  source.open({ connectionId, rescueToolCalls: true, onRetry: ignore, ...more });

beforeEach(() => {
  settings.workspace = {};
  settings.user = {};
  keys = new ApiKeys(new FakeSecrets());
  connections = connect(keys, demo);
  source = toSource(connections);
});
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  await modules?.[Symbol.asyncDispose]();
  server = undefined;
  modules = undefined;
});
afterAll(async () => {
  await demo.close();
  await closeConnections();
});

/** @param own `raw` of the connection. @param raw `raw` of the lane. @returns the body of a chat. */
async function bodyOf(own: object | undefined, raw: object | undefined): Promise<Record<string, unknown>> {
  server = await startServer((_request, response) =>
    sendJson(response, 200, { message: { content: 'ok' }, done: true }),
  );
  settings.user = { connections: { own: { provider: 'local-host', host: server.url, raw: own } } };
  const { provider } = await open('own', { model: 'm', raw });
  await provider.chat({
    messages: [{ role: 'user', content: 'x' }],
    tools: [],
    sampling: { temperature: 1 },
  });
  return JSON.parse(server.requests[0]?.body ?? '') as Record<string, unknown>;
}

/** Adds a provider of a module. @returns its id */
async function addAcme(): Promise<string> {
  const folder = await openModuleFolder();
  modules = folder;
  let listed: Awaited<ReturnType<typeof folder.connections.read>> = [];
  connections = connect(keys, demo, {
    list: () => listed,
    refresh: async () => void (listed = await folder.connections.read([])),
  });
  source = toSource(connections);
  await folder.write('acme.mjs', acmeModule('http://127.0.0.1:9'));
  await expect.poll(async () => (await source.views()).at(-1)?.label).toBe('Acme');
  return connections.list().at(-1)?.id ?? '';
}

describe('the group of connections that share a request limit', () => {
  test.each([
    ['http://localhost:1234', 'http://localhost:1234'],
    ['http://LOCALHOST:1234/v1/', 'http://localhost:1234'],
    ['https://api.example:443/v1', 'https://api.example'],
    ['https://api.example/other', 'https://api.example'],
  ])('is their origin: %s', async (host, gate) => {
    settings.user = { connections: { own: { provider: 'hosted-api', host, auth: 'none' } } };
    expect((await open('own', { model: 'm' })).gate).toBe(gate);
  });

  test('is the demo for both protocols, whatever its port', async () => {
    expect((await open('demo')).gate).toBe('demo');
    expect((await open('demo-hosted')).gate).toBe('demo');
  });

  test('is the connection itself for a custom provider', async () => {
    const id = await addAcme();
    expect((await open(id, { model: 'm' })).gate).toBe(id);
  });
});

describe('raw', () => {
  test.each([
    ['the object of the connection when the lane has none', { keep: 1 }, undefined, { keep: 1 }],
    ['the object of the lane when the connection has none', undefined, { mine: 2 }, { mine: 2 }],
    [
      'merged key by key, where the lane overrides the connection',
      { keep: 1, both: 1 },
      { both: 2 },
      { keep: 1, both: 2 },
    ],
    [
      'merged key by key within options, too',
      { options: { num_batch: 1, keep: 1 } },
      { options: { num_batch: 2 } },
      { options: { num_batch: 2, keep: 1, temperature: 1 } },
    ],
    [
      'replaced as a whole for other objects',
      { format: { a: 1 } },
      { format: { b: 2 } },
      { format: { b: 2 } },
    ],
    [
      'the list of the lane where the connection has an object',
      { options: { keep: 1 } },
      { options: [1] },
      { options: [1] },
    ],
  ])('is %s', async (_, own, raw, expected) => {
    const body = await bodyOf(own, raw);
    for (const [key, value] of Object.entries(expected)) expect(body[key]).toEqual(value);
  });

  test('cannot change Object.prototype through keys named __proto__', async () => {
    const raw = JSON.parse(
      '{"__proto__": {"polluted": 1}, "options": {"__proto__": {"polluted": 1}}}',
    ) as object;
    await bodyOf({ options: { keep: 1 } }, raw);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('is refused for a custom provider, but an empty object is accepted', async () => {
    const id = await addAcme();
    const refused = await open(id, { model: 'm', raw: { top: 1 } }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'setting' });
    expect(await source.explain(refused, id)).toMatchObject({
      code: 'connection-setting',
      what: expect.stringContaining('does not support raw keys'),
      next: expect.stringContaining('Remove them from the lane'),
    });
    expect((await open(id, { model: 'm', raw: {} })).model).toBe('m');
  });
});

describe('the model of a request', () => {
  test.each([
    ['asked', 'asked'],
    ['', 'own-model'],
    [undefined, 'own-model'],
  ])('%o becomes the model %s', async (model, expected) => {
    settings.user = {
      connections: { own: { provider: 'local-host', host: 'http://localhost:1', model: 'own-model' } },
    };
    expect((await open('own', { model })).model).toBe(expected);
    const embedder = await source.openEmbedder({ connectionId: 'own', model, onRetry: ignore });
    expect(embedder.model).toBe(expected);
  });

  test('of the request is used for embeddings of a hosted connection', async () => {
    server = await startServer((_request, response) =>
      sendJson(response, 200, { data: [{ index: 0, embedding: [1] }] }),
    );
    settings.user = { connections: { own: { provider: 'hosted-api', host: server.url, auth: 'none' } } };
    const { provider } = await source.openEmbedder({ connectionId: 'own', model: 'e', onRetry: ignore });
    expect(await provider.embedMany(['x'])).toEqual([[1]]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ model: 'e' });
  });
});

describe('a connection', () => {
  test.each(['open', 'openEmbedder'] as const)('that is unknown is reported by %s', async (method) => {
    const request = { connectionId: 'gone', model: 'm', rescueToolCalls: true, onRetry: ignore };
    const error: unknown = await source[method](request).catch((reason: unknown) => reason);
    expect(await source.explain(error, 'gone')).toMatchObject({
      code: 'connection-unknown',
      what: expect.stringContaining('gone'),
      why: 'Nothing was sent.',
    });
  });

  test('is named by its label in errors; if it no longer exists, by a general term', async () => {
    settings.user = {
      connections: { own: { label: 'Mine', provider: 'local-host', host: 'http://127.0.0.1:9' } },
    };
    const { provider } = await open('own', { model: 'm' });
    const messages = [{ role: 'user' as const, content: 'x' }];
    const error: unknown = await provider.chat({ messages, tools: [] }).catch((reason: unknown) => reason);
    expect((await source.explain(error, 'own')).title).toBe('No connection to Mine');
    expect((await source.explain(error, 'gone')).title).toBe('No connection to the server');
    expect((await source.explain(error, undefined)).title).toBe('No connection to the server');
  });

  test('provides its own key for redaction, and no other one', async () => {
    settings.user = {
      connections: {
        keyed: { provider: 'hosted-api', host: 'https://api.example/v1', model: 'm' },
        open: { provider: 'local-host', host: 'http://localhost:1', model: 'm' },
      },
    };
    await keys.set('keyed', 'https://api.example', KEY);
    const opened = await open('keyed');
    expect(opened.secrets).toEqual([KEY]);
    expect((await open('open')).secrets).toEqual([]);
    expect(JSON.stringify(opened.view)).not.toContain('canary');
    expect((await source.redactor())?.text(KEY)).toBe('*'.repeat(KEY.length));
    expect((await source.explain(new Error(`401 for ${KEY}`), 'keyed')).why).toBe(
      `401 for ${'*'.repeat(KEY.length)}`,
    );
  });
});
