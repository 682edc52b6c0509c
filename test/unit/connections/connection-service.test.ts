// The connections of modules beside the others: one list, but separate keys. The demo server answers.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import type { Connection } from '../../../src/connections/connection';
import type { ConnectionService } from '../../../src/connections/connection-service';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { closeConnections } from '../../../src/library';
import type { ModuleFolder } from '../../support/connections/custom-modules';
import { acmeModule, openModuleFolder } from '../../support/connections/custom-modules';
import { FakeSecrets, settings } from '../../support/vscode/vscode-stub';
import { Listeners } from '../../../src/connections/listeners';
import { sendJson, startServer } from '../../support/servers/http-server';
import { connect } from '../../support/connections/connect';

const CANARY = 'canary-of-a-built-in-connection';
const demo = new DemoSource();
let modules: ModuleFolder;
let secrets: FakeSecrets;
let keys: ApiKeys;
let connections: ConnectionService;
let listed: readonly Connection[];
let changed: Listeners;

const ofModule = (): Connection => connections.list().at(-1) as Connection;

beforeEach(async () => {
  modules = await openModuleFolder();
  listed = [];
  changed = new Listeners();
  secrets = new FakeSecrets();
  keys = new ApiKeys(secrets);
  settings.workspace = {};
  settings.user = { connections: { own: { provider: 'hosted-api', host: 'https://api.acme.example/v1' } } };
  connections = connect(keys, demo, {
    list: () => listed,
    refresh: async () => void (listed = await modules.connections.read([])),
    onDidChange: changed.add,
  });
  await keys.set('own', 'https://api.acme.example', CANARY);
});
afterEach(() => modules[Symbol.asyncDispose]());
afterAll(async () => {
  await demo.close();
  await closeConnections();
});

/** Waits until the module is allowed and loaded. */
async function load(rest: string): Promise<void> {
  await modules.write('acme.mjs', acmeModule('http://127.0.0.1:9', rest));
  await expect.poll(async () => (await connections.views()).at(-1)?.label).toBe('Acme');
}

describe('a server that answered before', () => {
  test('is named when nothing answers there any more, in later windows, too', async () => {
    const server = await startServer(({ url }, response) =>
      sendJson(response, url === '/v1/models' ? 200 : 404, { data: [{ id: 'm', owned_by: 'llamacpp' }] }),
    );
    const own = { provider: 'hosted-api', host: `${server.url}/v1`, auth: 'none' };
    settings.user = { connections: { own } };
    const kept = new Map<string, unknown>();
    const open = (): ConnectionService =>
      connect(keys, demo, undefined, undefined, {
        get: (key) => kept.get(key),
        update: (key, value) => Promise.resolve(void kept.set(key, JSON.parse(JSON.stringify(value)))),
      });
    const limits = { signal: new AbortController().signal, timeoutMs: 10_000 };
    const first = open();
    await first.describeServer(first.find('own'), limits);
    await server[Symbol.asyncDispose]();
    const later = open();
    const failed = later.describeServer(later.find('own'), limits);
    const thrown: unknown = await failed.catch((error: unknown) => error);
    expect((await later.explain(thrown, later.find('own'))).next).toBe(
      'Start llama-server, which answered there before, or correct the address.',
    );
    settings.user = { connections: { own: { ...own, host: 'http://127.0.0.1:9/v1' } } };
    const other = await later.describeServer(later.find('own'), limits).catch((error: unknown) => error);
    expect((await later.explain(other, later.find('own'))).next).not.toContain('llama-server');
  });
});

describe('ConnectionService', () => {
  test('lists what a module provides after the other connections', async () => {
    await load('');
    expect((await connections.views()).map(({ label, scope }) => [label, scope])).toEqual([
      ['Demo (local protocol)', 'built-in'],
      ['Demo (hosted protocol)', 'built-in'],
      ['Demo (Messages protocol)', 'built-in'],
      ['Demo (Responses protocol)', 'built-in'],
      ['own', 'user'],
      ['Acme', 'module'],
    ]);
    expect(connections.find(ofModule().id).label).toBe('Acme');
  });

  test('renders prompts with the demo in the protocols that can', async () => {
    const views = await connections.views();
    const able = views.filter(({ scope, rendersPrompts }) => scope === 'built-in' && rendersPrompts);
    expect(able.map(({ id }) => id)).toEqual(['demo', 'demo-hosted']);
  });

  test('lists all connections if a key cannot be read, and asks for that key again', async () => {
    const own = connections.find('own');
    const request = { connection: own, model: undefined, rescueToolCalls: true };
    secrets.get = () => Promise.reject(new Error('Unable to decrypt'));
    const views = await connections.views();
    expect(views.map(({ id, hasKey }) => [id, hasKey])).toEqual([
      ['demo', false],
      ['demo-hosted', false],
      ['demo-messages', false],
      ['demo-responses', false],
      ['own', false],
    ]);
    await expect(connections.makeProvider(request)).rejects.toThrow('needs an API key');
    keys.setForSession('own', 'https://api.acme.example', 'given-again-0123');
    expect((await connections.makeProvider(request)).secrets).toEqual(['given-again-0123']);
  });

  test('never gives the key of another connection to a module, even for the same origin', async () => {
    await load('static playground = { needsKey: true, host: "https://api.acme.example/v1" };');
    expect(await connections.hasKey(ofModule())).toBe(false);
    const request = { connection: ofModule(), model: 'm', rescueToolCalls: true };
    await expect(connections.makeProvider(request)).rejects.toMatchObject({ kind: 'key' });
    const target = await connections.keyTarget(ofModule());
    await keys.set(target?.id ?? '', target?.binding ?? '', 'the-key-of-the-module');
    const { provider, secrets: known } = await connections.makeProvider(request);
    expect(provider).toMatchObject({ credentials: { apiKey: 'the-key-of-the-module' } });
    expect(known).toEqual(['the-key-of-the-module']);
    const name = [...secrets.stored.keys()].find((stored) => stored.includes('module:')) ?? '';
    expect(name).toContain(JSON.stringify(`module:${modules.folder}/acme.mjs#AcmeProvider`));
    expect(name).toMatch(/ sha256:[\da-f]{64}:https:\/\/api\.acme\.example$/);
  });

  test('has no key for a module that changed', async () => {
    await load('static playground = { needsKey: true };');
    const target = await connections.keyTarget(ofModule());
    await keys.set(target?.id ?? '', target?.binding ?? '', 'the-key-of-the-module');
    expect((await connections.views()).at(-1)).toMatchObject({ needsKey: true, hasKey: true });
    await load('static playground = { needsKey: true }; changed = true;');
    await expect.poll(async () => (await connections.views()).at(-1)?.hasKey).toBe(false);
  });

  test('lists a module with an error, which cannot run', async () => {
    await modules.write('acme.mjs', 'export default 5');
    await expect
      .poll(async () => (await connections.views()).at(-1)?.problem)
      .toContain('must be a function');
    const request = { connection: ofModule(), model: 'm', rescueToolCalls: true };
    await expect(connections.makeProvider(request)).rejects.toMatchObject({
      kind: 'setting',
      message: expect.stringContaining('acme.mjs: Its default export is a number'),
      next: expect.stringContaining('another connection'),
    });
  });

  test('sends no key of the user with changes of the workspace before the user agreed', async () => {
    const own = { provider: 'hosted-api', host: 'https://api.acme.example/v1' };
    settings.user = { ...settings.user, connections: { own } };
    const find = (): Connection => connections.find('own');
    const request = () => ({ connection: find(), model: 'm', rescueToolCalls: true });
    await keys.set('own', 'https://api.acme.example', 'the-key-of-the-user');
    expect((await connections.makeProvider(request())).secrets).toEqual(['the-key-of-the-user']);
    settings.workspace = { ...settings.workspace, connections: { own: { raw: { user: 'them' } } } };
    expect(await connections.hasKey(find())).toBe(false);
    await expect(connections.makeProvider(request())).rejects.toMatchObject({
      kind: 'key',
      message: expect.stringContaining('The workspace settings change the raw keys user'),
    });
    const target = await connections.keyTarget(find());
    await keys.allow('own', target?.wider?.binding ?? '', target?.binding ?? '');
    expect((await connections.makeProvider(request())).secrets).toEqual(['the-key-of-the-user']);
    settings.workspace = { ...settings.workspace, connections: { own: { raw: { user: 'others' } } } };
    expect(await connections.hasKey(find())).toBe(false);
  });

  test('reports changes of modules and of keys', () => {
    let changes = 0;
    const end = connections.onDidChange(() => changes++);
    changed.call();
    keys.setForSession('own', 'https://api.acme.example', 'other');
    expect(changes).toBe(2);
    end();
    changed.call();
    expect(changes).toBe(2);
  });
});
