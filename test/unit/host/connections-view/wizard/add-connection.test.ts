// Adding a connection in steps: going back is possible, and cancelling saves nothing. The demo server answers.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { askForKey } from '../../../../../src/host/commands/key-dialogs';
import { ApiKeys } from '../../../../../src/connections/keys/api-keys';
import type { Connection } from '../../../../../src/connections/connection';
import { DemoSource } from '../../../../../src/connections/sources/demo-source';
import { addConnection } from '../../../../../src/host/connections-view/wizard/add-connection';
import type { DemoServer } from '../../../../../src/demo';
import { startDemoServer } from '../../../../../src/demo';
import { closeConnections } from '../../../../../src/library';
import { FakeSecrets } from '../../../../support/connections/fake-secrets';
import type { Input } from '../../../../support/vscode/vscode-views';
import { person, resetPerson, settings } from '../../../../support/vscode/vscode-views';
import { connect } from '../../../../support/connections/connect';
import { sendJson, startServer } from '../../../../support/servers/http-server';

const KEY = 'canary-key-0123456789';
let server: DemoServer;
let secrets: FakeSecrets;
let keys: ApiKeys;

beforeEach(async () => {
  resetPerson();
  server ??= await startDemoServer({ apiKey: KEY });
  secrets = new FakeSecrets();
  keys = new ApiKeys(secrets);
});
afterAll(async () => {
  await server.close();
  await closeConnections();
});

/** @param answers What the user does at each step, in order. */
function add(...answers: ((input: Input) => unknown)[]): Promise<Connection | undefined> {
  person.answers.push(...answers);
  const connections = connect(keys, new DemoSource());
  return addConnection({
    connections,
    keys,
    monitor: { found: [] },
    explain: (error, connection) => connections.explain(error, connection),
    askForKey: (connection, place) => askForKey({ connections, keys }, connection, place),
  });
}

const choose = (start: string) => (input: Input) => input.choose(start);
const typeAnd = (text: string) => (input: Input) => {
  input.type(text);
  input.accept();
};
/** Chooses once the list of the server has arrived. */
const chooseLoaded = (start: string) => async (input: Input) => {
  await expect.poll(() => input.busy, { timeout: 20_000 }).toBe(false);
  input.choose(start);
};
const back = (input: Input): void => input.back();
const escape = (input: Input): void => input.escape();
const places = (): string[] => person.seen.map(({ step, totalSteps }) => `${step}/${totalSteps}`);

describe('addConnection', () => {
  test('leads to the models of the editor, which need no settings', async () => {
    expect(await add(choose("VS Code's models"))).toBeUndefined();
    expect(person.commands).toEqual([['providerPlayground.useEditorModels']]);
    expect(settings.user).toEqual({});
    expect(await keys.storedFor()).toEqual([]);
  });

  test('needs three steps for a local server and writes it to the user settings', async () => {
    const connection = await add(
      choose('Ollama'),
      typeAnd(server.localHost),
      chooseLoaded('native-call:latest'),
    );
    expect(connection).toMatchObject({ id: 'ollama', label: 'Ollama', scope: 'user' });
    expect(settings.user).toEqual({
      connections: {
        ollama: {
          label: 'Ollama',
          provider: 'local-host',
          host: server.localHost,
          model: 'native-call:latest',
        },
      },
    });
    expect(places()).toEqual(['1/4', '2/3', '3/3']);
    expect(person.seen.map(({ title }) => title)).toEqual(Array(3).fill('Add Connection'));
    const listed = person.seen[2]?.items.map(({ label }) => label) ?? [];
    expect(listed).toContain('first-look:latest');
    // It can only embed.
    expect(listed).not.toContain('demo-embed:latest');
  });

  test('asks for the key of a hosted connection, which is in no setting', async () => {
    await add(choose('Groq'), typeAnd(server.hostedHost), typeAnd(KEY), chooseLoaded('prose-only'));
    expect(settings.user).toEqual({
      connections: {
        groq: { label: 'Groq', provider: 'hosted-api', host: server.hostedHost, model: 'prose-only' },
      },
    });
    expect(places()).toEqual(['1/4', '2/4', '3/4', '4/4']);
    expect(await keys.storedFor()).toEqual(['groq']);
    const shown = person.seen.map(({ items, value, password }) => [items, password ? '' : value]);
    expect(JSON.stringify([settings, shown])).not.toContain(KEY);
  });

  test('checks a URL while it is typed and accepts no invalid one', async () => {
    await add(
      choose('Ollama'),
      (input) => {
        input.type('http://127.0.0.1:11434/v1');
        expect(input.validationMessage).toContain('must not end in /v1');
        input.accept();
        input.type(server.localHost);
        expect(input.validationMessage).toBeUndefined();
        input.accept();
      },
      chooseLoaded('first-look'),
    );
    expect(settings.user).toMatchObject({ connections: { ollama: { host: server.localHost } } });
  });

  test('keeps earlier answers when going back', async () => {
    await add(
      choose('Ollama'),
      typeAnd('http://127.0.0.1:9'),
      back,
      (input) => {
        expect(input.value).toBe('http://127.0.0.1:9');
        input.back();
      },
      choose('vLLM'),
      typeAnd(server.hostedHost),
      escape,
    );
    expect(places()).toEqual(['1/4', '2/3', '3/3', '2/3', '1/3', '2/3', '3/3']);
    expect(person.seen[0]?.buttons).toEqual([]);
    expect(person.seen[1]?.buttons).toHaveLength(1);
    expect(settings.user).toEqual({});
  });

  test('asks for the key as a masked step, which names the recipient, goes back and can be cancelled', async () => {
    await add(choose('Groq'), typeAnd(server.hostedHost), back, typeAnd(server.hostedHost), escape);
    expect(places()).toEqual(['1/4', '2/4', '3/4', '2/4', '3/4']);
    const { origin } = new URL(server.hostedHost);
    expect(person.seen[2]).toMatchObject({ title: `API key for ${origin} (user setting)`, password: true });
    expect(person.seen[2]?.buttons).toHaveLength(1);
    expect(await keys.storedFor()).toEqual([]);
    expect(settings.user).toEqual({});
  });

  test('accepts no key that is empty or cannot be sent, and keeps a given one if the box stays empty', async () => {
    await add(
      choose('Groq'),
      typeAnd(server.hostedHost),
      (input) => {
        input.accept();
        expect(input.validationMessage).toBe('Enter a key, or go back.');
        input.type('a b');
        input.accept();
        expect(input.validationMessage).toContain('printable ASCII characters');
        input.type(KEY);
        input.accept();
      },
      back,
      (input) => {
        expect(input.prompt).toContain('It replaces the one that was given on');
        input.accept();
      },
      chooseLoaded('prose-only'),
    );
    expect(places()).toEqual(['1/4', '2/4', '3/4', '4/4', '3/4', '4/4']);
    expect(settings.user).toMatchObject({ connections: { groq: { model: 'prose-only' } } });
  });

  test('stores no key when it is cancelled after the key', async () => {
    expect(await add(choose('Groq'), typeAnd(server.hostedHost), typeAnd(KEY), escape)).toBeUndefined();
    expect(await keys.storedFor()).toEqual([]);
    expect(settings.user).toEqual({});
  });

  test('shows why a list cannot be loaded, and accepts the typed name without asking again', async () => {
    await add(choose('Other local server'), typeAnd('http://127.0.0.1:9/v1'), async (input) => {
      await expect.poll(() => input.busy, { timeout: 20_000 }).toBe(false);
      expect(input.items[0]?.detail).toMatch(/^No connection to 127\.0\.0\.1:9\. Start the server/);
      input.type(' my-model ');
      await expect.poll(() => input.items[0]?.description).toBe('my-model');
      expect(input.items).toMatchObject([{ detail: expect.stringMatching(/^No connection/) as string }]);
      input.choose('Use the typed name');
    });
    expect(Object.values(settings.user['connections'] ?? {})).toMatchObject([{ model: 'my-model' }]);
  });

  test('asks for another key when the server refuses one, before anything is saved', async () => {
    await add(
      choose('Groq'),
      typeAnd(server.hostedHost),
      typeAnd('the-wrong-key-0123'),
      async (input) => {
        await expect.poll(() => input.busy, { timeout: 20_000 }).toBe(false);
        expect(input.items[0]?.detail).toBe('The server refuses this one (401).');
        input.choose('Enter another key');
      },
      typeAnd(KEY),
      chooseLoaded('prose-only'),
    );
    expect(places()).toEqual(['1/4', '2/4', '3/4', '4/4', '3/4', '4/4']);
    expect(settings.user).toMatchObject({ connections: { groq: { model: 'prose-only' } } });
  });

  test('goes back from the model to the key and the URL', async () => {
    await add(choose('Groq'), typeAnd(server.hostedHost), typeAnd(KEY), back, back, escape);
    expect(places()).toEqual(['1/4', '2/4', '3/4', '4/4', '3/4', '2/4']);
    expect(await keys.storedFor()).toEqual([]);
  });

  test('keeps no key of a server that was given up for another one', async () => {
    await add(
      choose('Groq'),
      typeAnd(server.hostedHost),
      typeAnd(KEY),
      back,
      back,
      back,
      choose('Ollama'),
      typeAnd(server.localHost),
      chooseLoaded('first-look'),
    );
    expect(await keys.storedFor()).toEqual([]);
    await add(
      choose('Other hosted'),
      typeAnd('http://127.0.0.1:9/v1'),
      typeAnd('key-of-a-wrong-address'),
      back,
      back,
      typeAnd(server.hostedHost),
      typeAnd(KEY),
      chooseLoaded('prose-only'),
    );
    const { origin, host } = new URL(server.hostedHost);
    const id = host.replaceAll(/[.:]/g, '-');
    expect(await keys.list()).toEqual([{ connectionId: id, binding: origin, kind: 'key' }]);
  });

  test('uses no id that is taken, even if only by a stored key', async () => {
    settings.user = { connections: { ollama: { provider: 'local-host' } } };
    await keys.set('ollama-2', 'https://old.example', 'an-old-key-0123');
    await add(choose('Ollama'), typeAnd(server.localHost), chooseLoaded('first-look'));
    expect(Object.keys(settings.user['connections'] ?? {})).toEqual(['ollama', 'ollama-3']);
  });

  test('shows the prompt for an empty address, and the problem once it is accepted', async () => {
    await add(choose('Other hosted API'), (input) => {
      expect([input.value, input.validationMessage]).toEqual(['', undefined]);
      input.accept();
      expect(input.validationMessage).toBe('Host must be an address.');
      input.escape();
    });
    expect(settings.user).toEqual({});
  });

  test('names a server without a preset by its host', async () => {
    const connection = await add(
      choose('Other local server'),
      typeAnd('http://127.0.0.1:9/v1'),
      chooseLoaded('Type the name'),
      typeAnd('m'),
    );
    expect(connection?.label).toBe('127.0.0.1:9');
    expect(connection?.setting).toMatchObject({ provider: 'hosted-api', auth: 'none' });
  });
});

describe('a server of the Messages API that lists no models', () => {
  test('says so, and takes the name of a model', async () => {
    await using silent = await startServer((_request, response) => sendJson(response, 404, {}));
    let seen: string | undefined;
    const connection = await add(
      choose('Ollama (Messages API)'),
      typeAnd(silent.url),
      async (input) => {
        await expect.poll(() => input.busy, { timeout: 20_000 }).toBe(false);
        seen = input.items.find(({ label }) => label.startsWith('Type the name'))?.detail;
        input.choose('Type the name');
      },
      typeAnd('m'),
    );
    expect(seen).toMatch(
      /^This server lists no models\. Type the name of a model, as the pages of the server give it/,
    );
    expect(connection?.setting).toMatchObject({ provider: 'messages-api', auth: 'none', model: 'm' });
  });
});

describe('a local server that asks for a key', () => {
  /** The list of models, which makes way for another question. */
  const wait = (): void => undefined;

  test('gets a step for it, and a connection that sends it', async () => {
    const { hostedHost } = server;
    const connection = await add(
      choose('llama-server'),
      typeAnd(hostedHost),
      wait,
      typeAnd(KEY),
      chooseLoaded('prose-only'),
    );
    expect(places()).toEqual(['1/4', '2/3', '3/3', '3/4', '4/4']);
    const { origin } = new URL(hostedHost);
    expect(person.seen[3]).toMatchObject({ title: `API key for ${origin} (user setting)`, password: true });
    expect(settings.user).toEqual({
      connections: {
        'llama-server': {
          label: 'llama-server',
          provider: 'hosted-api',
          host: hostedHost,
          model: 'prose-only',
        },
      },
    });
    expect(await keys.get('llama-server', origin)).toBe(KEY);
    expect(connection?.setting.auth).toBeUndefined();
  });

  test('keeps the step when going back and forth, until the address is another one', async () => {
    await add(
      choose('Other local server'),
      typeAnd(server.hostedHost),
      wait,
      back,
      (input) => input.accept(),
      typeAnd(KEY),
      back,
      back,
      typeAnd('http://127.0.0.1:9/v1'),
      chooseLoaded('Type the name'),
      typeAnd('m'),
    );
    expect(places()).toEqual(['1/4', '2/3', '3/3', '3/4', '2/4', '3/4', '4/4', '3/4', '2/4', '3/3', '3/3']);
    expect(Object.values(settings.user['connections'] ?? {})).toMatchObject([{ auth: 'none' }]);
    expect(await keys.storedFor()).toEqual([]);
  });

  test('is not asked for one where the protocol has none', async () => {
    await using refusing = await startServer((_request, response) => sendJson(response, 401, {}));
    await add(choose('Ollama'), typeAnd(refusing.url), chooseLoaded('Type the name'), typeAnd('m'));
    expect(places()).toEqual(['1/4', '2/3', '3/3', '3/3']);
  });
});
