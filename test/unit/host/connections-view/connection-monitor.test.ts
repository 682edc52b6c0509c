// What the monitor knows about each server: real servers on this machine, a clock that is advanced by hand.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { ConnectionService } from '../../../../src/connections/connection-service';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import type { ConnectionState } from '../../../../src/host/connections-view/connection-monitor';
import { ConnectionMonitor } from '../../../../src/host/connections-view/connection-monitor';
import type { LocalServer } from '../../../../src/connections/local-servers';
import { closeConnections } from '../../../../src/library';
import { FakeClock } from '../../../support/fake-clock';
import { sendJson, startServer } from '../../../support/servers/http-server';
import type { TestServer } from '../../../support/servers/http-server';
import { readRecorded } from '../../../support/messages/recorded';
import { FakeSecrets, settings } from '../../../support/vscode/vscode-stub';
import { connect } from '../../../support/connections/connect';

const KEY = 'canary-key-0123456789';
/** On a busy machine, loading code for the first time takes a while. */
const SOON = { timeout: 20_000 };
const demo = new DemoSource();
let keys: ApiKeys;
let connections: ConnectionService;
let clock: FakeClock;
let changes: (string | undefined)[];

beforeEach(() => {
  settings.workspace = {};
  settings.user = {};
  keys = new ApiKeys(new FakeSecrets());
  connections = connect(keys, demo);
  clock = new FakeClock();
  changes = [];
});
afterAll(async () => {
  await demo.close();
  await closeConnections();
});

const openMonitor = (localServers: readonly LocalServer[] = []): ConnectionMonitor =>
  new ConnectionMonitor({
    connections,
    clock,
    explain: (error, connection) => connections.explain(error, connection),
    onChange: (id) => changes.push(id),
    localServers,
  });

const setUp = (entries: Record<string, object>): void => {
  settings.user = { connections: entries };
};

const OLLAMA: Record<string, string> = {
  '/api/tags': 'ollama-tags',
  '/api/ps': 'ollama-ps',
  '/api/version': 'ollama-version',
  '/api/show': 'ollama-show',
};

function startOllama(): Promise<TestServer> {
  return startServer(({ url }, response) => {
    const { status, body } = readRecorded(OLLAMA[url] ?? 'ollama-path-404').response;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
}

const kindOf = (monitor: ConnectionMonitor, id: string): ConnectionState['kind'] =>
  monitor.stateOf(connections.find(id)).kind;

describe('ConnectionMonitor', () => {
  test('sends no request before the view is shown, then asks every server', async () => {
    await using server = await startOllama();
    setUp({ own: { provider: 'local-host', host: server.url } });
    const monitor = openMonitor();
    expect([kindOf(monitor, 'own'), server.requests.length]).toEqual(['unknown', 0]);
    monitor.show();
    await expect.poll(() => kindOf(monitor, 'own'), SOON).toBe('reachable');
    await expect.poll(() => kindOf(monitor, 'demo-hosted'), SOON).toBe('reachable');
    expect(monitor.stateOf(connections.find('own'))).toMatchObject({
      server: { product: 'ollama', models: [{ id: 'tiny:latest', isRunning: true }, {}, {}, {}] },
    });
    monitor.hide();
  });

  test('draws the whole list after changes, as the editor may ignore that of one row', async () => {
    const monitor = openMonitor();
    const wholeLists = (): number => changes.filter((id) => id === undefined).length;
    monitor.show();
    await expect.poll(() => kindOf(monitor, 'demo-hosted'), SOON).toBe('reachable');
    await expect.poll(() => kindOf(monitor, 'demo'), SOON).toBe('reachable');
    expect(wholeLists()).toBe(0);
    clock.advance(10_000);
    expect(wholeLists()).toBe(1);
    // Nothing has changed since.
    clock.advance(10_000);
    expect(wholeLists()).toBe(1);
    monitor.refresh();
    expect(wholeLists()).toBe(2);
    monitor.hide();
  });

  test('asks servers of this machine again as long as the view is shown', async () => {
    await using server = await startOllama();
    setUp({ own: { provider: 'local-host', host: server.url } });
    const monitor = openMonitor();
    const asked = (): number => server.requests.filter(({ url }) => url === '/api/tags').length;
    monitor.show();
    await expect.poll(() => kindOf(monitor, 'own'), SOON).toBe('reachable');
    clock.advance(10_000);
    await expect.poll(asked, SOON).toBe(2);
    await expect.poll(() => monitor.isChecking(connections.find('own')), SOON).toBe(false);
    // Its state is the same, so no change is reported.
    expect(changes.filter((id) => id === 'own')).toHaveLength(2);
    monitor.hide();
    clock.advance(100_000);
    expect(asked()).toBe(2);
  });

  test.each([
    ['no server', { provider: 'local-host', host: 'http://127.0.0.1:9' }, 'refused', 'network'],
    ['no key', { provider: 'hosted-api', host: 'http://127.0.0.1:9/v1' }, 'no-key', 'connection-key'],
    ['an invalid field', { provider: 'local-host', sampling: 5 }, 'setting', 'connection-setting'],
    [
      'an address that the library rejects',
      { provider: 'local-host', host: 'http://127.0.0.1:9/v1' },
      'setting',
      'invalid-options',
    ],
    ['no address', { provider: 'local-host' }, 'setting', 'connection-setting'],
  ] as const)('with %s has an error state with the reason', async (_, entry, kind, code) => {
    setUp({ own: entry });
    const monitor = openMonitor();
    const state = await monitor.check(connections.find('own'));
    expect(state).toMatchObject({
      kind,
      error: { code, what: expect.any(String), next: expect.any(String) },
    });
    expect(monitor.stateOf(connections.find('own'))).toEqual(state);
  });

  test('a rejected key is reported without the key itself', async () => {
    await using server = await startServer((_, response) =>
      sendJson(response, 401, { error: { message: `Invalid API Key ${KEY}` } }),
    );
    setUp({ own: { provider: 'hosted-api', host: server.url } });
    await keys.set('own', server.url, KEY);
    const state = await openMonitor().check(connections.find('own'));
    expect(state).toMatchObject({ kind: 'refused', error: { code: 'http', next: 'Set another one.' } });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(state)).not.toContain(KEY);
  });

  test('a server that wants a key which the connection does not send needs one', async () => {
    await using server = await startServer((_, response) => sendJson(response, 401, {}));
    setUp({ own: { provider: 'hosted-api', host: server.url, auth: 'none' } });
    expect(await openMonitor().check(connections.find('own'))).toMatchObject({ kind: 'no-key' });
  });

  test('drops the state of a changed setting and asks the server again', async () => {
    await using server = await startOllama();
    setUp({ own: { provider: 'local-host', host: 'http://127.0.0.1:9' } });
    const monitor = openMonitor();
    monitor.show();
    await expect.poll(() => kindOf(monitor, 'own'), SOON).toBe('refused');
    setUp({ own: { provider: 'local-host', host: server.url } });
    await monitor.connectionsChanged();
    await expect.poll(() => kindOf(monitor, 'own'), SOON).toBe('reachable');
    expect(changes).toContain(undefined);
    monitor.hide();
  });

  test('asks for the models of a module again after it was reloaded', async () => {
    const toProvider = (id: string) => ({
      describeServer: () => Promise.resolve({ models: [{ id }] }),
    });
    const toProvided = (id: string) =>
      ({ view: {}, key: undefined, problem: undefined, make: () => toProvider(id) }) as never;
    let provided = toProvided('old');
    const custom = {
      list: () => [
        { id: 'module:a', label: 'A', scope: 'module', setting: { provider: 'custom' }, provided } as const,
      ],
      refresh: () => Promise.resolve(),
    };
    connections = connect(keys, demo, custom);
    const monitor = openMonitor();
    monitor.show();
    const models = () => {
      const state = monitor.stateOf(connections.find('module:a'));
      return state.kind === 'reachable' ? state.server.models : state.kind;
    };
    await expect.poll(models, SOON).toEqual([{ id: 'old' }]);
    provided = toProvided('new');
    await monitor.connectionsChanged();
    await expect.poll(models, SOON).toEqual([{ id: 'new' }]);
    monitor.hide();
  });

  test('a later check replaces an earlier one', async () => {
    await using server = await startServer(({ url }, response, count) => {
      // The first request is never answered.
      if (count > 1) sendJson(response, 200, url === '/api/tags' ? { models: [] } : {});
    });
    setUp({ own: { provider: 'local-host', host: server.url } });
    const monitor = openMonitor();
    const first = monitor.check(connections.find('own'));
    await expect.poll(() => server.requests.length, SOON).toBe(1);
    expect(await monitor.check(connections.find('own'))).toMatchObject({ kind: 'reachable' });
    expect(await first).toMatchObject({ kind: 'refused' });
    expect(kindOf(monitor, 'own')).toBe('reachable');
  });

  test('requests the details of each model once', async () => {
    await using server = await startOllama();
    setUp({ own: { provider: 'local-host', host: server.url } });
    const monitor = openMonitor();
    const own = connections.find('own');
    await monitor.check(own);
    await monitor.describeModels(own);
    await monitor.describeModels(own);
    await monitor.check(own);
    await monitor.describeModels(own);
    expect(server.requests.filter(({ url }) => url === '/api/show')).toHaveLength(4);
    expect(monitor.stateOf(own)).toMatchObject({
      server: {
        models: [
          { capabilities: ['tools', 'thinking', 'completion'], isRunning: true, contextLength: 2048 },
          {},
          {},
          {},
        ],
      },
    });
  });

  test('requests no more details when the view is hidden, and the rest when it is shown again', async () => {
    let isHeld = true;
    const shown: string[] = [];
    await using server = await startServer(({ url, body }, response) => {
      if (url === '/api/show') shown.push(body);
      if (url === '/api/show' && isHeld) return;
      const { status, body: text } = readRecorded(OLLAMA[url] ?? 'ollama-path-404').response;
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
    setUp({ own: { provider: 'local-host', host: server.url } });
    const monitor = openMonitor();
    const own = connections.find('own');
    await monitor.check(own);
    const describing = monitor.describeModels(own);
    await expect.poll(() => shown.length, SOON).toBe(1);
    monitor.hide();
    await describing;
    expect(shown).toHaveLength(1);
    isHeld = false;
    await monitor.describeModels(own);
    expect(new Set(shown).size).toBe(4);
  });

  test.each([
    ['llama-server', { server: 'llama.cpp' }, '{"error":{"message":"Invalid API Key"}}'],
    ['lm-studio', {}, '{"error":{"message":"An LM Studio API token is required to make requests"}}'],
    ['vllm', {}, '{"error":"Unauthorized"}'],
  ] as const)('lists %s that wants a key, and no other program that does', async (product, headers, body) => {
    const refuse = (text: string) =>
      startServer((_request, response) => response.writeHead(401, headers).end(text));
    await using server = await refuse(body);
    await using other = await startServer((_request, response) => sendJson(response, 401, { detail: 'no' }));
    const toServer = ({ url }: TestServer, label: string): LocalServer => ({
      product,
      label,
      provider: 'hosted-api',
      host: `${url}/v1`,
      auth: 'none',
    });
    const monitor = openMonitor([toServer(server, 'keyed'), toServer(other, 'other')]);
    monitor.show();
    await expect.poll(() => monitor.found, SOON).toMatchObject([{ label: 'keyed', needsKey: true }]);
    monitor.hide();
  });

  test('lists a local server that starts later, beside a connection of the user', async () => {
    let isStarted = false;
    await using server = await startServer(({ url }, response) => {
      const { status, body } = readRecorded(OLLAMA[url] ?? 'ollama-path-404').response;
      response.writeHead(isStarted ? status : 503, { 'content-type': 'application/json' }).end(body);
    });
    setUp({ own: { provider: 'hosted-api', host: 'http://127.0.0.1:9/v1', auth: 'none' } });
    const ollama = { product: 'ollama', label: 'Ollama', provider: 'local-host', host: server.url } as const;
    const monitor = openMonitor([ollama]);
    monitor.show();
    await expect.poll(() => server.requests.length, SOON).toBeGreaterThan(0);
    expect(monitor.found).toEqual([]);
    isStarted = true;
    clock.advance(10_000);
    await expect.poll(() => monitor.found.map(({ label }) => label), SOON).toEqual(['Ollama']);
    monitor.hide();
  });

  test('lists a discovered local server until a connection uses it', async () => {
    await using server = await startOllama();
    const ollama = { product: 'ollama', label: 'Ollama', provider: 'local-host', host: server.url } as const;
    // Another program listens on the port of vLLM.
    const other = {
      product: 'vllm',
      label: 'vLLM',
      provider: 'hosted-api',
      host: `${server.url}/v1`,
    } as const;
    const monitor = openMonitor([ollama, other]);
    monitor.show();
    await expect.poll(() => monitor.found.map(({ label }) => label), SOON).toEqual(['Ollama']);
    expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    setUp({ own: { provider: 'local-host', host: server.url.replace('127.0.0.1', 'localhost') } });
    await monitor.connectionsChanged();
    expect(monitor.found).toEqual([]);
    monitor.hide();
  });
});
