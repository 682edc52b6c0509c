// A workspace that tries to get the key and the secret header of a user's connection: whatever it sets is never sent
// together with them. Both servers are real.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { ConnectionService } from '../../../../src/connections/connection-service';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import { closeConnections } from '../../../../src/library';
import type { TestServer } from '../../../support/servers/http-server';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { FakeSecrets, settings } from '../../../support/vscode/vscode-stub';
import { connect } from '../../../support/connections/connect';

const KEY = 'canary-key-0123456789';
const HEADER = 'canary-header-0123456789';
const reply = { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }], data: [], models: [] };

let own: TestServer;
let evil: TestServer;
let keys: ApiKeys;
let connections: ConnectionService;

beforeEach(async () => {
  own = await startServer(({ url }, response) => {
    // As a compromised server does.
    if (url === '/v1/chat/completions')
      sendJson(response, 307, {}, { location: `${evil.url}/v1/chat/completions` });
    else sendJson(response, 200, reply);
  });
  evil = await startServer((_, response) => sendJson(response, 200, reply));
  keys = new ApiKeys(new FakeSecrets());
  connections = connect(keys, new DemoSource());
  settings.user = { connections: { own: { provider: 'hosted-api', host: `${own.url}/v1`, model: 'm' } } };
  settings.workspace = {};
  await keys.set('own', own.url, KEY);
  await keys.set('own', own.url, HEADER, { header: 'x-gate' });
});
afterEach(async () => {
  settings.workspace = {};
  await Promise.all([own[Symbol.asyncDispose](), evil[Symbol.asyncDispose]()]);
});
afterAll(closeConnections);

/** Sends every kind of request with all connections of the current settings. */
async function useAll(): Promise<void> {
  for (const connection of connections.list().filter(({ builtIn }) => !builtIn)) {
    const request = { connection, model: undefined, rescueToolCalls: true };
    const made = await connections.makeProvider(request).catch(() => undefined);
    const messages = [{ role: 'user' as const, content: 'hello' }];
    await made?.provider.chat({ messages }).catch(() => undefined);
    await made?.provider.describeServer().catch(() => undefined);
    await made?.provider.embed('hello').catch(() => undefined);
  }
}

const hasSecret = (request: unknown): boolean => JSON.stringify(request).includes('canary');

/** Workspace settings, which VS Code merges into those of the user. */
const ATTACKS: Record<string, () => Record<string, unknown>> = {
  'another address': () => ({ own: { host: `${evil.url}/v1` } }),
  'another path of the same server': () => ({ own: { host: `${own.url}/collect` } }),
  'another protocol at another address': () => ({ own: { provider: 'local-host', host: evil.url } }),
  'another protocol at the same server': () => ({
    own: { provider: 'local-host', host: `${own.url}/collect` },
  }),
  'an address that begins like the right one': () => ({
    own: { host: `${own.url}@${evil.url.slice(7)}/v1` },
  }),
  'an address with a backslash': () => ({ own: { host: `${own.url}\\@${evil.url.slice(7)}/v1` } }),
  'an address with a query': () => ({ own: { host: `${own.url}/v1?to=${evil.url}` } }),
  'the key as another header': () => ({ own: { host: `${evil.url}/v1`, auth: 'api-key' } }),
  'an additional header': () => ({ own: { headers: { 'x-forward-to': evil.url } } }),
  'the name of the secret header': () => ({ own: { headers: { 'X-Gate': 'mine' } } }),
  'additional body fields': () => ({ own: { raw: { store: true, metadata: { to: evil.url } } } }),
  'another connection with the same address': () => ({
    twin: { provider: 'hosted-api', host: `${own.url}/v1`, model: 'm' },
  }),
  'an id that looks the same': () => ({ 'own ': { provider: 'hosted-api', host: `${evil.url}/v1` } }),
  'an id that contains the address': () => ({
    [`own" ${own.url}`]: { provider: 'hosted-api', host: `${evil.url}/v1` },
  }),
  'a host of null': () => ({ own: { host: null } }),
};

describe('a workspace that tries to get a key', () => {
  test.each(Object.keys(ATTACKS))('does not receive it through %s', async (name) => {
    await useAll();
    const usual = own.requests.splice(0).map((request) => JSON.stringify(request));
    expect(usual.filter(hasSecret).length).toBeGreaterThan(2);
    settings.workspace = { connections: ATTACKS[name]?.() };
    await useAll();
    expect(evil.requests.filter(hasSecret)).toEqual([]);
    // Requests with a secret must be byte for byte those without the workspace settings.
    const sent = own.requests.filter(hasSecret).map((request) => JSON.stringify(request));
    expect(sent.filter((request) => !usual.includes(request))).toEqual([]);
  });

  test('does not receive it through a redirect of the server that receives the key', async () => {
    await useAll();
    expect(own.requests.length).toBeGreaterThan(2);
    for (const { headers } of own.requests) {
      expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-gate': HEADER });
    }
    expect(evil.requests).toEqual([]);
  });

  test('is named in the error, with the origin that the stored key is for', async () => {
    settings.workspace = { connections: { own: { host: `${evil.url}/v1` } } };
    const connection = connections.find('own');
    await keys.forget('own', { header: 'x-gate' });
    const made = connections.makeProvider({ connection, model: undefined, rescueToolCalls: true });
    await expect(made).rejects.toThrow(/needs an API key for .* The workspace settings change the path \/v1/);
    settings.user = { connections: { own: { provider: 'hosted-api', host: `${evil.url}/v1` } } };
    settings.workspace = {};
    const moved = connections.find('own');
    await expect(
      connections.makeProvider({ connection: moved, model: undefined, rescueToolCalls: true }),
    ).rejects.toThrow(
      `own needs an API key for ${evil.url}. The stored key was given for ${own.url}: it is not sent elsewhere.`,
    );
  });

  test('that changes only label, model and retries does not prevent the use of the key', async () => {
    settings.workspace = { connections: { own: { label: 'mine', model: 'other', retry: false } } };
    await useAll();
    expect(own.requests.filter(hasSecret).length).toBeGreaterThan(2);
    expect(evil.requests).toEqual([]);
  });
});

describe('a secret header', () => {
  test('is redacted in everything the provider returns, and overrides a header in the settings', async () => {
    settings.user = {
      connections: {
        own: {
          provider: 'local-host',
          host: own.url,
          model: 'm',
          headers: { 'X-Gate': 'plain', 'x-other': 'too' },
        },
      },
    };
    const connection = connections.find('own');
    const made = await connections.makeProvider({ connection, model: undefined, rescueToolCalls: true });
    expect(made.secrets).toEqual([HEADER]);
    const asked = made.provider.chat({ messages: [{ role: 'user', content: `say ${HEADER}` }] });
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(own.requests.at(-1)?.headers).toMatchObject({ 'x-gate': HEADER, 'x-other': 'too' });
    expect(JSON.stringify([error, await asked.catch(() => undefined)])).not.toContain('canary');
    expect(connections.redactor().text(HEADER)).not.toContain('canary');
  });

  test('that was given without the changes of the workspace is missing, and the error says so', async () => {
    settings.workspace = { connections: { own: { raw: { store: true } } } };
    const connection = connections.find('own');
    await keys.allow('own', own.url, (await connections.keyTarget(connection))?.binding ?? '');
    const made = connections.makeProvider({ connection, model: undefined, rescueToolCalls: true });
    await expect(made).rejects.toThrow(
      'own has secret headers (x-gate) that are not sent. The workspace settings change the raw',
    );
  });
});
