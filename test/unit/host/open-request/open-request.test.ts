import type { SecretStorage } from 'vscode';
import { beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { Connection } from '../../../../src/connections';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { openRequest } from '../../../../src/host/open-request/open-request';
import { person, resetPerson, settings } from '../../../support/vscode/vscode-views';

const KEY = 'sk-canary-0123456789abcdef';
const CURL = `curl https://api.own.example/v1/chat/completions -H 'Authorization: Bearer ${KEY}' -H 'X-Team: red' \\
  -d '{"model":"m","messages":[{"role":"user","content":"key ${KEY}"}],"api_key":"${KEY}"}'`;

const DEMO = { id: 'demo-hosted', label: 'Demo', builtIn: {}, setting: { provider: 'hosted-api' } };
const OWN = {
  id: 'own',
  label: 'Own',
  scope: 'user',
  setting: { provider: 'hosted-api', host: 'https://api.own.example/v1' },
};

interface Window {
  connections?: unknown[];
}

/** Stored secrets, readable for the test. */
const stored = new Map<string, string>();
const secrets: SecretStorage = {
  onDidChange: () => ({ dispose: () => undefined }),
  keys: () => Promise.resolve([...stored.keys()]),
  get: (name) => Promise.resolve(stored.get(name)),
  store: (name, value) => Promise.resolve(void stored.set(name, value)),
  delete: (name) => Promise.resolve(void stored.delete(name)),
};

const originOf = ({ setting }: Connection): string => new URL(setting.host ?? 'https://demo.example').origin;

/** @returns the documents that are opened */
async function open(text: string, { connections = [DEMO, OWN] }: Window = {}): Promise<unknown[]> {
  const opened: unknown[] = [];
  const service = {
    list: () => connections,
    keyTarget: (connection: Connection) =>
      Promise.resolve({
        id: connection.id,
        binding: originOf(connection),
        recipient: originOf(connection),
        origin: originOf(connection),
      }),
  };
  await openRequest(
    {
      connections: { get: () => Promise.resolve({ connections: service, keys: new ApiKeys(secrets) }) },
      scratches: { list: () => Promise.resolve([]), create: (created: string) => created },
      pool: { find: () => Promise.resolve(undefined) },
      panels: { openScratch: (created: string) => void opened.push(JSON.parse(created)) },
      editor: {},
    } as unknown as CommandServices,
    text,
  );
  return opened;
}

const said = (): string => JSON.stringify(person.messages);

beforeEach(() => {
  resetPerson();
  stored.clear();
});

describe('openRequest', () => {
  test('opens a request on the connection with its origin, and says what it leaves out', async () => {
    const [document] = await open(CURL);
    expect(document).toMatchObject({
      messages: [{ role: 'user', content: `key ${'*'.repeat(KEY.length)}` }],
      lanes: [{ connection: 'own', model: 'm' }],
    });
    expect(said()).toContain('The playground leaves out: the key; the header X-Team');
  });

  test('shows, writes and stores the key nowhere', async () => {
    const opened = await open(CURL);
    for (const place of [opened, person.messages, settings.user, [...stored]])
      expect(JSON.stringify(place)).not.toContain('canary');
    expect(said()).toContain('The request has a key for https://api.own.example.');
  });

  test('stores the key for that origin when the person says so', async () => {
    person.replies.push(undefined, 'Store Key');
    await open(CURL);
    expect(JSON.stringify([...stored])).toContain(KEY);
    expect(said()).not.toContain('canary');
  });

  test('offers to add a connection where none has the origin', async () => {
    person.replies.push((items: { label: string }[]) =>
      items.find(({ label }) => label.includes('Add a connection')),
    );
    const [document] = await open(CURL, { connections: [DEMO] });
    expect(document).toMatchObject({ lanes: [{ connection: 'api-own-example' }] });
    expect(settings.user['connections']).toEqual({
      'api-own-example': {
        label: 'api.own.example',
        provider: 'hosted-api',
        host: 'https://api.own.example/v1',
        headers: { 'x-team': 'red' },
      },
    });
    expect(said()).toContain('No connection reaches https://api.own.example.');
  });

  test('never offers the key of one origin for another', async () => {
    person.replies.push((items: { label: string }[]) => items.find(({ label }) => label === 'Demo'));
    await open(CURL, { connections: [DEMO] });
    expect(said()).not.toContain('Store Key');
    expect(stored.size).toBe(0);
  });

  test('opens a request that names no server on a connection of its protocol, one’s own first', async () => {
    const [document] = await open('{"model":"m","messages":[{"role":"user","content":"hi"}]}');
    expect(document).toMatchObject({ lanes: [{ connection: 'own' }] });
    expect(person.messages).toEqual([]);
  });

  test('lets the person choose one of several requests', async () => {
    const body = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });
    person.replies.push((items: { label: string }[]) => items[1]);
    const [document] = await open(JSON.stringify([body('one'), body('two')]));
    expect(document).toMatchObject({ messages: [{ content: 'two' }] });
  });

  test('opens nothing when the person cancels', async () => {
    expect(await open(CURL, { connections: [DEMO] })).toEqual([]);
    expect(settings.user).toEqual({});
  });

  test.each([
    ['', 'There is no text to open.'],
    ['Hello there', 'has no request to a model that can be recognized'],
    [`curl https://x.example -H 'Authorization: Bearer ${KEY}'`, 'The command sends no body'],
    [`curl https://x.example -d @${KEY}.json`, 'reads its body from a file'],
    [`curl https://x.example -d '{"prompt":"${KEY}"}'`, 'no chat in a protocol that is known here'],
    [`curl https://x.example -d 'not ${KEY}'`, 'The body of the request is no JSON object.'],
    [
      JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(2_000_001) }] }),
      'does not fit a playground',
    ],
    ['x'.repeat(20_000_001), 'longer than 20 MB'],
  ])('says of %.40s why it opens nothing', async (text, why) => {
    expect(await open(text)).toEqual([]);
    expect(said()).toContain(why);
    expect(said()).not.toContain('canary');
  });
});
