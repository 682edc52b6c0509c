// The commands for keys and secret headers, with the answers of a user.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forgetAllKeys, forgetApiKey } from '../../../../src/host/connections-view/forget-keys';
import type { KeyServices } from '../../../../src/host/commands/key-dialogs';
import { askForKey, setKey } from '../../../../src/host/commands/key-dialogs';
import { setSecretHeader } from '../../../../src/host/connections-view/wizard/secret-headers';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import type { DemoServer } from '../../../../src/demo';
import { startDemoServer } from '../../../../src/demo';
import { closeConnections } from '../../../../src/library';
import { FakeSecrets } from '../../../support/connections/fake-secrets';
import { person, resetPerson, settings } from '../../../support/vscode/vscode-views';
import { connect } from '../../../support/connections/connect';

const HOST = 'https://own.example/v1';
const ORIGIN = 'https://own.example';
const OWN = { kind: 'connection', id: 'own' };
const VALUE = 'canary-value-0123456789';

let secrets: FakeSecrets;
let keys: ApiKeys;
let services: KeyServices;

beforeEach(() => {
  resetPerson();
  settings.user = {
    connections: {
      own: { label: 'Own', provider: 'hosted-api', host: HOST },
      local: { provider: 'local-host', host: 'http://127.0.0.1:1', model: 'm' },
    },
  };
  secrets = new FakeSecrets();
  keys = new ApiKeys(secrets, () => Date.UTC(2026, 10, 22));
  services = { keys, connections: connect(keys, new DemoSource()) };
});
afterAll(closeConnections);

interface Box {
  title: string;
  prompt: string;
  password?: boolean;
  validateInput: (text: string) => string | undefined;
}
const boxes = (): Box[] =>
  person.messages.map(([asked]) => asked as Box).filter(({ prompt }) => prompt !== undefined);
const texts = (): unknown[] => person.messages.map(([text]) => text);
const pick =
  (label: string) =>
  (items: { label: string; description?: string }[]): unknown => {
    const found = items.find((item) => `${item.label} ${item.description ?? ''}`.includes(label));
    if (!found) throw new Error(`there is no ${label}: ${JSON.stringify(items)}`);
    return found;
  };

describe('Set API Key', () => {
  test('says which key is replaced, without showing it', async () => {
    person.replies.push(VALUE);
    await askForKey(services, services.connections.find('own'));
    person.replies.push('canary-other-0123456789');
    await askForKey(services, services.connections.find('own'));
    const [first, second] = boxes();
    expect(first?.prompt).not.toContain('It replaces');
    expect(second?.prompt).toContain(
      `It replaces the one that was given on ${new Date(Date.UTC(2026, 10, 22)).toLocaleString()}.`,
    );
    expect(second?.password).toBe(true);
    expect(await keys.get('own', ORIGIN)).toBe('canary-other-0123456789');
    expect(JSON.stringify(person.messages)).not.toContain('canary');
  });
});

describe('Set API Key for a listed connection', () => {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer({ apiKey: VALUE });
    settings.user = {
      connections: {
        keyless: { provider: 'hosted-api', host: server.hostedHost, auth: 'none', model: 'm' },
      },
    };
  });
  afterEach(() => server.close());
  const set = (key: string | undefined): Promise<void> => {
    person.replies.push(key);
    return setKey(services, services.connections.find('keyless'));
  };

  test('lets a connection send its key that sent none, and says that the server takes it', async () => {
    settings.workspace = { connections: { keyless: { auth: 'none', raw: {} } } };
    await set(VALUE);
    expect(settings.user).toEqual({
      connections: { keyless: { provider: 'hosted-api', host: server.hostedHost, model: 'm' } },
    });
    expect(settings.workspace).toEqual({ connections: { keyless: { raw: {} } } });
    await expect
      .poll(() => texts().at(-1))
      .toMatch(/^The key is stored\. With it, keyless lists \d+ models\.$/);
  });

  test('changes no settings when no key is entered', async () => {
    const before = structuredClone(settings.user);
    await set(undefined);
    expect(settings.user).toEqual(before);
    expect(await keys.storedFor()).toEqual([]);
  });

  test('says at once that the key is refused, and asks for another one', async () => {
    const { origin } = new URL(server.hostedHost);
    person.replies.push('canary-wrong-0123456789', 'Set Another Key', VALUE);
    await setKey(services, services.connections.find('keyless'));
    await expect.poll(() => texts().at(-1)).toMatch(/^The key is stored/);
    const [message, button] = person.messages[1] ?? [];
    expect(message).toMatch(/^keyless: The server refused the key that was set .+\. Set another one\.$/);
    expect(button).toBe('Set Another Key');
    expect(await keys.get('keyless', origin)).toBe(VALUE);
    expect(JSON.stringify(person.messages)).not.toContain('canary');
  });

  test('says nothing of the key when the server does not answer', async () => {
    await server.close();
    await set(VALUE);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(person.messages).toHaveLength(1);
  });

  test('uses the way of the service at the address', async () => {
    const azure = { provider: 'hosted-api', host: 'https://me.openai.azure.com/openai/v1', auth: 'none' };
    settings.user = { connections: { azure } };
    person.replies.push(VALUE);
    services.connections.describeServer = () => Promise.reject(new Error('not asked in a test'));
    await setKey(services, services.connections.find('azure'));
    expect(settings.user).toEqual({ connections: { azure: { ...azure, auth: 'api-key' } } });
  });

  test('is impossible where the protocol has no keys', async () => {
    settings.user = { connections: { local: { provider: 'local-host', host: 'http://127.0.0.1:1' } } };
    await expect(setKey(services, services.connections.find('local'))).rejects.toThrow('needs no API key');
  });
});

describe('Set Secret Header', () => {
  test('asks for a name and a value, and binds the header to the origin', async () => {
    person.replies.push('X-Gate', `  ${VALUE} `);
    await setSecretHeader(services, OWN);
    const [name, value] = boxes();
    expect(name).toMatchObject({ title: `Secret header for ${ORIGIN}` });
    expect(name?.password).toBeUndefined();
    expect(value).toMatchObject({ title: `Header X-Gate for ${ORIGIN} (user setting)`, password: true });
    expect(value?.prompt).toContain(`sent to ${ORIGIN} only`);
    expect(await keys.get('own', ORIGIN, { header: 'x-gate' })).toBe(VALUE);
  });

  test('validates input with the rules of the library', async () => {
    person.replies.push(undefined);
    await setSecretHeader(services, OWN);
    const [{ validateInput } = { validateInput: () => 'there is no box' }] = boxes();
    expect(validateInput('')).toBe('');
    expect(validateInput('X-Gate')).toBe('');
    expect(validateInput('a b')).toContain('cannot be sent');
    expect(validateInput('Content-Length')).toContain('set by the HTTP client itself');
    expect(await keys.list()).toEqual([]);
    person.replies.push('x-gate', undefined);
    await setSecretHeader(services, OWN);
    const { validateInput: check } = boxes().at(-1) ?? { validateInput: () => 'there is no box' };
    expect(check('short')).toContain('fewer than 8 characters');
    expect(check('schlüssel-1234')).toContain('ASCII');
    expect(check(VALUE)).toBeUndefined();
  });

  test('offers existing headers, whose value can be replaced', async () => {
    await keys.set('own', ORIGIN, VALUE, { header: 'x-gate' });
    person.replies.push(pick('x-gate'), 'another-value-0123');
    await setSecretHeader(services, OWN);
    expect(await keys.get('own', ORIGIN, { header: 'x-gate' })).toBe('another-value-0123');
    person.replies.push(pick('Another header'), 'x-other', VALUE);
    await setSecretHeader(services, OWN);
    expect(await keys.headerNames('own', ORIGIN)).toEqual(['x-gate', 'x-other']);
  });

  test('from the palette asks for the connection, including local ones', async () => {
    person.replies.push(pick('local'), 'x-gate', VALUE);
    await setSecretHeader(services);
    expect(await keys.headerNames('local', 'http://127.0.0.1:1')).toEqual(['x-gate']);
  });

  test('asks before an unencrypted header, and offers to keep it until a reload when the store fails', async () => {
    settings.user = { connections: { own: { provider: 'hosted-api', host: 'http://far.example/v1' } } };
    person.replies.push(undefined);
    await setSecretHeader(services, OWN);
    expect(texts()).toEqual(['The secret would be sent to http://far.example unencrypted.']);
    secrets.isBroken = true;
    person.replies.push('Continue', 'x-gate', VALUE, 'Keep Until Reload');
    await setSecretHeader(services, OWN);
    expect(await keys.find('own', 'http://far.example', { header: 'x-gate' })).toMatchObject({
      value: VALUE,
      isSessionOnly: true,
    });
  });
});

describe('forgetting', () => {
  beforeEach(async () => {
    await keys.set('own', ORIGIN, VALUE);
    await keys.set('own', ORIGIN, VALUE, { header: 'x-gate' });
    await keys.set('gone', 'https://gone.example', VALUE);
  });

  test('offers every key and header with its connection and the time it was set', async () => {
    let offered: unknown[] = [];
    person.replies.push((items: { label: string; description: string }[]) => {
      offered = items.map(({ label, description }) => `${label}: ${description}`);
      return items[2];
    });
    await forgetApiKey(services);
    const when = `a key was given on ${new Date(Date.UTC(2026, 10, 22)).toLocaleString()}`;
    expect(offered).toEqual([
      `gone: ${when} · the connection no longer exists`,
      `Own: ${when}`,
      'Own: header x-gate',
    ]);
    expect(await keys.headerNames('own', ORIGIN)).toEqual([]);
    expect(await keys.get('own', ORIGIN)).toBe(VALUE);
    expect(texts().at(-1)).toBe('The header x-gate of Own is forgotten.');
  });

  test('the key of a connection also forgets its headers, and says so', async () => {
    await forgetApiKey(services, OWN);
    expect(await keys.storedFor()).toEqual(['gone']);
    expect(texts()).toEqual(['The key and the secret headers of Own are forgotten: x-gate.']);
  });

  test('all keys lists the connections, asks for confirmation, and leaves none', async () => {
    person.replies.push(undefined);
    await forgetAllKeys(services);
    expect(await keys.storedFor()).toEqual(['gone', 'own']);
    expect(person.messages[0]?.[1]).toEqual({ modal: true, detail: 'gone\nOwn' });
    person.replies.push('Forget All');
    await forgetAllKeys(services);
    expect(secrets.stored.size).toBe(0);
    await forgetAllKeys(services);
    expect(texts().at(-1)).toBe('No API key is stored.');
  });
});
