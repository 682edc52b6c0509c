// The commands of the connections view, on an item and from the command palette. The demo server answers.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { Connection } from '../../../../src/connections/connection';
import type { ConnectionService } from '../../../../src/connections/connection-service';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import type { ConnectionActions } from '../../../../src/host/connections-view/actions';
import { createActions } from '../../../../src/host/connections-view/actions';
import { askForKey } from '../../../../src/host/commands/key-dialogs';
import { ConnectionMonitor } from '../../../../src/host/connections-view/connection-monitor';
import type { FoundServer } from '../../../../src/connections/local-servers';
import type { DemoServer } from '../../../../src/demo';
import { startDemoServer } from '../../../../src/demo';
import { closeConnections } from '../../../../src/library';
import { RefusalError } from '../../../../src/session';
import { FakeClock } from '../../../support/fake-clock';
import { FakeSecrets } from '../../../support/connections/fake-secrets';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { person, resetPerson, settings } from '../../../support/vscode/vscode-views';
import { connect } from '../../../support/connections/connect';

const demo = new DemoSource();
const DEMO = { kind: 'connection', id: 'demo' };
let keys: ApiKeys;
let connections: ConnectionService;
let opened: { lanes: unknown }[];
let found: FoundServer[];
let inFront: object | undefined;
let diagnosed: unknown[];
let chatWindow: { isTrusted: boolean; split?: string };
let actions: ConnectionActions;

beforeEach(() => {
  resetPerson();
  [opened, found, inFront, diagnosed] = [[], [], undefined, []];
  chatWindow = { isTrusted: true };
  keys = new ApiKeys(new FakeSecrets());
  connections = connect(keys, demo);
  const clock = new FakeClock();
  const explain = (error: unknown, connection?: Connection) => connections.explain(error, connection);
  const monitor = new ConnectionMonitor({
    connections,
    clock,
    explain,
    onChange: () => undefined,
    localServers: [],
  });
  Object.defineProperty(monitor, 'found', { get: () => found });
  actions = createActions({
    connections,
    keys,
    clock,
    explain,
    monitor,
    inDialog: (work) => work(),
    chatWindow: () => chatWindow,
    diagnose: (target) => Promise.resolve(void diagnosed.push(target)),
    askForKey: (connection, place) => askForKey({ connections, keys }, connection, place),
    panels: {
      active: inFront === undefined ? undefined : ({ id: 'scratch:1' } as never),
      openScratch: (backing) => void opened.push(JSON.parse(backing as never) as { lanes: unknown }),
    },
    editor: {
      get active() {
        return inFront && ({ uri: { toString: () => 'file:///a' } } as never);
      },
    },
    scratches: { create: (text) => text as never },
    pool: { find: () => Promise.resolve(inFront as never) },
  });
});
afterAll(async () => {
  await demo.close();
  await closeConnections();
});

const own = { provider: 'hosted-api', host: 'https://own.example/v1', model: 'm' };
const messages = (): unknown[] => person.messages.map(([text]) => text);

describe('opening', () => {
  test('a connection opens a playground with one lane of it', async () => {
    await actions.open(DEMO);
    expect(opened).toMatchObject([{ messages: [{ role: 'user' }], tools: [{ name: 'get_weather' }, {}] }]);
    expect(opened[0]?.lanes).toEqual([{ id: 'a', connection: 'demo' }]);
  });

  test('a model opens a playground with that model', async () => {
    await actions.open({ kind: 'model', connectionId: 'demo', model: { id: 'hermes-text' } });
    expect(opened[0]?.lanes).toEqual([{ id: 'a', connection: 'demo', model: 'hermes-text' }]);
  });

  test("a connection without a model opens a playground with one of the server's list", async () => {
    settings.user = {
      connections: { own: { provider: 'local-host', host: await demo.list()[0]?.builtIn?.host() } },
    };
    await actions.open({ kind: 'connection', id: 'own' });
    expect(opened[0]?.lanes).toEqual([{ id: 'a', connection: 'own', model: 'first-look:latest' }]);
  });

  test('from the command palette asks for the connection', async () => {
    person.replies.push((items: unknown[]) => items[1]);
    await actions.open(undefined);
    expect(opened[0]?.lanes).toMatchObject([{ connection: 'demo-hosted' }]);
  });

  test('as a lane adds it to the active playground, after its last lane', async () => {
    const added: unknown[] = [];
    inFront = {
      laneIds: ['a', 'b'],
      command: (work: () => unknown) => work(),
      addLane: (...lane: unknown[]) => added.push(lane),
    };
    await actions.addLane(DEMO);
    expect(added).toEqual([['b', { connection: 'demo', model: undefined }]]);
  });

  test('as a lane reports that no playground is active, or why it has no room', async () => {
    await actions.addLane(DEMO);
    expect(messages()).toEqual(['No playground is active. Open one first.']);
    const full = new RefusalError({
      title: 'x',
      what: 'There are already 8 lanes.',
      why: '',
      next: 'Remove one first.',
    });
    inFront = { laneIds: ['a'], command: () => Promise.reject(full) };
    await actions.addLane(DEMO);
    expect(messages()[1]).toBe('There are already 8 lanes. Remove one first.');
  });
});

describe('a test', () => {
  test('shows the model’s reply', async () => {
    await actions.test(DEMO);
    expect(messages()[0]).toMatch(/^Demo \(local protocol\): first-look answered in 0 ms: “.+”\.$/);
  });

  test('shows what went wrong, and offers the next step', async () => {
    settings.user = { connections: { own: { provider: 'hosted-api', host: 'http://127.0.0.1:9/v1' } } };
    person.replies.push('Set API Key');
    await actions.test({ kind: 'connection', id: 'own' });
    expect(person.messages[0]).toEqual([
      expect.stringContaining('needs an API key'),
      'Set API Key',
      'Edit',
      'Show Log',
    ]);
    expect(person.commands).toEqual([['providerPlayground.setApiKey', { kind: 'connection', id: 'own' }]]);
  });

  test.each([
    [401, 'Who are you?', 'Set API Key'],
    [403, 'Not for you.', 'Set API Key'],
    [404, 'The model 401 is not here.', 'Diagnose'],
  ])('offers the next step for status %i whatever the message says: %s', async (status, message, next) => {
    await using server = await startServer((_request, response) =>
      sendJson(response, status, { error: { message } }),
    );
    settings.user = {
      connections: { own: { ...own, host: `${server.url}/v1`, retry: { maxAttempts: 1 } } },
    };
    await keys.set('own', server.url, 'canary-key-0123');
    await actions.test({ kind: 'connection', id: 'own' });
    expect(person.messages[0]?.slice(1)).toEqual([next, 'Edit', 'Show Log']);
  });
});

describe('a diagnosis', () => {
  test('uses the selected connection, or the selected model', async () => {
    await actions.diagnose(DEMO);
    await actions.diagnose({ kind: 'model', connectionId: 'demo', model: { id: 'prose-only' } });
    expect(diagnosed).toMatchObject([
      { connection: { id: 'demo' }, model: undefined },
      { connection: { id: 'demo' }, model: 'prose-only' },
    ]);
  });

  test('is offered after a test without an answer', async () => {
    settings.user = {
      connections: { own: { provider: 'local-host', host: 'http://127.0.0.1:9', model: 'm' } },
    };
    person.replies.push('Diagnose');
    const target = { kind: 'connection', id: 'own' };
    await actions.test(target);
    expect(person.messages[0]?.slice(1)).toEqual(['Diagnose', 'Edit', 'Show Log']);
    expect(person.commands).toEqual([['providerPlayground.diagnoseConnection', target]]);
  });
});

describe('a connection of the settings', () => {
  test('is duplicated with a new id and without its key', async () => {
    settings.user = { connections: { own } };
    await keys.set('own', 'https://own.example', 'canary-key-0123');
    await actions.duplicate({ kind: 'connection', id: 'own' });
    expect(settings.user).toEqual({ connections: { own, 'own-2': { ...own, label: 'own copy' } } });
    expect(await keys.storedFor()).toEqual(['own']);
  });

  test('is deleted with its key after confirmation', async () => {
    settings.user = { connections: { own } };
    await keys.set('own', 'https://own.example', 'canary-key-0123');
    await actions.remove({ kind: 'connection', id: 'own' });
    expect(settings.user).toEqual({ connections: { own } });
    person.replies.push('Delete');
    await actions.remove({ kind: 'connection', id: 'own' });
    expect(settings.user).toEqual({ connections: undefined });
    expect(await keys.storedFor()).toEqual([]);
  });

  test('deleted from the workspace keeps its key if the user settings have the same id', async () => {
    settings.user = { connections: { own } };
    settings.workspace = { connections: { own } };
    await keys.set('own', 'https://own.example', 'canary-key-0123');
    person.replies.push('Delete');
    await actions.remove({ kind: 'connection', id: 'own' });
    expect([settings.workspace, settings.user]).toEqual([
      { connections: undefined },
      { connections: { own } },
    ]);
    expect(await keys.storedFor()).toEqual(['own']);
  });

  test('is copied as code', async () => {
    settings.user = { connections: { own } };
    await actions.copyCode({ kind: 'connection', id: 'own' });
    expect(person.clipboard).toContain("apiKey: process.env['OWN_API_KEY'] ?? '',");
  });

  test('that no longer exists is reported as missing by every command', async () => {
    for (const action of [actions.open, actions.test, actions.edit, actions.remove, actions.copyCode]) {
      await action({ kind: 'connection', id: 'gone' });
    }
    expect(messages()).toEqual(
      Array(5).fill(expect.stringContaining('The connection “gone” no longer exists.')),
    );
  });
});

describe('a discovered local server that needs a key', () => {
  const KEY = 'canary-key-0123456789';
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer({ apiKey: KEY });
    const local = { product: 'llama-server', label: 'llama-server', provider: 'hosted-api' } as const;
    found = [{ ...local, host: server.hostedHost, auth: 'none', models: [], needsKey: true }];
  });
  afterEach(() => server.close());

  test('answers after five actions, with the key in no setting', async () => {
    const actionsTaken = ['click the view'];
    const click = (what: string): void => void actionsTaken.push(`click ${what}`);
    click('Use llama-server');
    person.replies.push(() => {
      actionsTaken.push('fill in the key', 'press Enter');
      return KEY;
    });
    await actions.useLocalServer('llama-server');
    expect(person.messages).toMatchObject([[{ password: true }]]);
    const [lane] = (opened[0]?.lanes ?? []) as { connection: string; model: string }[];
    click('Run');
    const { provider } = await connections.makeProvider({
      connection: connections.find(lane?.connection ?? ''),
      model: lane?.model,
      rescueToolCalls: true,
    });
    const { raw } = await provider.chat({ messages: [{ role: 'user', content: 'Hello' }] });
    expect(raw.content).not.toBe('');
    expect(actionsTaken.length).toBeLessThanOrEqual(5);
    expect(settings.user).toEqual({
      connections: {
        'llama-server': {
          label: 'llama-server',
          provider: 'hosted-api',
          host: server.hostedHost,
          model: lane?.model,
        },
      },
    });
  });

  test('is added with a refused key too, so that another one can be set', async () => {
    person.replies.push('canary-wrong-0123456789', 'Set API Key');
    await actions.useLocalServer('llama-server');
    expect(opened).toEqual([]);
    await expect.poll(() => person.commands).toHaveLength(1);
    expect(messages()[1]).toMatch(/^llama-server was added .* The server refused the key that was set today/);
    expect(person.commands).toEqual([
      ['providerPlayground.setApiKey', { kind: 'connection', id: 'llama-server' }],
    ]);
    expect(settings.user).toMatchObject({ connections: { 'llama-server': { host: server.hostedHost } } });
  });

  test('leaves nothing behind when no key is entered', async () => {
    person.replies.push(undefined);
    await actions.useLocalServer('llama-server');
    expect([settings.user, await keys.storedFor(), opened]).toEqual([{}, [], []]);
  });
});

describe('a discovered local server', () => {
  test('becomes a connection and opens a playground with one click', async () => {
    const server = {
      product: 'vllm',
      label: 'vLLM',
      provider: 'hosted-api',
      host: 'http://127.0.0.1:8000/v1',
      auth: 'none',
    } as const;
    found = [
      {
        ...server,
        models: [{ id: 'e', capabilities: ['embedding'] }, { id: 'm' }, { id: 'r', isRunning: true }],
      },
    ];
    await actions.useLocalServer('vllm');
    expect(settings.user).toEqual({
      connections: {
        vllm: {
          label: 'vLLM',
          provider: 'hosted-api',
          host: 'http://127.0.0.1:8000/v1',
          model: 'r',
          auth: 'none',
        },
      },
    });
    expect(opened[0]?.lanes).toEqual([{ id: 'a', connection: 'vllm', model: 'r' }]);
    expect(messages()).toEqual([]);
  });

  test('becomes one in another protocol that it speaks, without a key', async () => {
    await using server = await startServer(({ url }, response) =>
      sendJson(response, url === '/v1/messages' ? 400 : 404, { error: { message: 'no' } }),
    );
    const local = { product: 'llama-server', label: 'llama-server', provider: 'hosted-api' } as const;
    found = [{ ...local, host: `${server.url}/v1`, auth: 'none', models: [{ id: 'm' }] }];
    await actions.useLocalServer({ product: 'llama-server', provider: 'messages-api' });
    await actions.useLocalServer({ product: 'llama-server', provider: 'responses-api' });
    const setting = { provider: 'messages-api', host: server.url, model: 'm', auth: 'none' };
    expect(settings.user).toMatchObject({ connections: { 'llama-server': setting } });
    expect(opened).toHaveLength(1);
    const keyed = server.requests.filter(({ headers }) => headers.authorization ?? headers['x-api-key']);
    expect(keyed).toEqual([]);
  });
});

describe('the switch for the chat of the editor', () => {
  const OWN = { kind: 'connection', id: 'own' };
  const local = { provider: 'hosted-api', host: 'http://127.0.0.1:9/v1', auth: 'none' };

  test('is set after the person was told what it means, and taken back without a question', async () => {
    settings.user = { connections: { own: local } };
    person.replies.push('Offer');
    await actions.offerToChat(OWN);
    expect(settings.user).toEqual({ connections: { own: { ...local, offerToChat: true } } });
    expect(JSON.stringify(person.messages)).toContain(
      'helper requests of the chat may still go to models of its own',
    );
    await actions.withdrawFromChat(OWN);
    expect(settings.user).toEqual({ connections: { own: local } });
    expect(messages().slice(1)).toEqual(['The chat of VS Code no longer gets the models of own.']);
  });

  test('stays off when the person does not confirm', async () => {
    settings.user = { connections: { own: local } };
    person.replies.push(undefined);
    await actions.offerToChat(OWN);
    expect(settings.user).toEqual({ connections: { own: local } });
  });

  test('says why nothing is offered in this window although it is on', async () => {
    settings.user = { connections: { own: local } };
    chatWindow = { isTrusted: true, split: 'The chat runs elsewhere.' };
    person.replies.push('Offer');
    await actions.offerToChat(OWN);
    expect(messages().at(-1)).toBe('Nothing of own is offered yet. The chat runs elsewhere.');
  });

  test('is only there for connections of the user settings', async () => {
    settings.workspace = { connections: { own: local } };
    await actions.offerToChat(OWN);
    expect(settings.workspace).toEqual({ connections: { own: local } });
    expect(messages()[0]).toContain('Duplicate own into them first.');
    await actions.offerToChat(undefined);
    await actions.withdrawFromChat(undefined);
    expect(messages().slice(1)).toEqual([
      expect.stringContaining('offered already, or there is none'),
      expect.stringContaining('No connection of your user settings is offered'),
    ]);
  });
});
