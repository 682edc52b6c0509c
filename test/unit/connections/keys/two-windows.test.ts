// Keys in two windows of a browser: each window has the secrets from when it was loaded, and its own changes since then.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import { closeConnections } from '../../../../src/library';
import { FakeSecrets, settings } from '../../../support/vscode/vscode-stub';
import { connect } from '../../../support/connections/connect';

const ORIGIN = 'https://host.example';
const GATE = { header: 'x-gate' };

class FakeState {
  readonly #values = new Map<string, unknown>();
  get = (key: string): unknown => this.#values.get(key);
  update = (key: string, value: unknown): Promise<void> => Promise.resolve(void this.#values.set(key, value));
}

let folder: string;
let state: FakeState;
let windows: ApiKeys[];
let now: number;

/** @param before The secrets that the window finds when it is loaded. */
function open(
  before = new FakeSecrets(),
  ofPerson = state,
  place = folder,
): { keys: ApiKeys; secrets: FakeSecrets } {
  const secrets = new FakeSecrets();
  for (const [name, text] of before.stored) secrets.stored.set(name, text);
  const keys = new ApiKeys(secrets, () => now, { folder: place, state: ofPerson });
  windows.push(keys);
  return { keys, secrets };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marks-'));
  state = new FakeState();
  windows = [];
  now = 1_000;
});
afterEach(async () => {
  for (const keys of windows) keys.dispose();
  await closeConnections();
  await rm(folder, { recursive: true });
});

test.each(['{', 'null', '{"isForgotten":true}', '{"at":"soon","isForgotten":true}'])(
  'a damaged marker file, %s, does not block a key',
  async (damaged) => {
    const { keys } = open();
    await keys.set('mine', ORIGIN, 'first');
    const [file = ''] = await readdir(folder);
    await writeFile(join(folder, file), damaged);
    expect(await keys.get('mine', ORIGIN)).toBe('first');
    await keys.set('mine', ORIGIN, 'second');
    expect(await keys.get('mine', ORIGIN)).toBe('second');
  },
);

describe.each([
  ['a key', 'key' as const],
  ['a secret header', GATE],
])('%s', (_name, kind) => {
  test('that was replaced in one window is unavailable in the other until that window is reloaded', async () => {
    const one = open();
    await one.keys.set('mine', ORIGIN, 'first', kind);
    const other = open(one.secrets);
    expect(await other.keys.get('mine', ORIGIN, kind)).toBe('first');
    await one.keys.set('mine', ORIGIN, 'second', kind);
    expect(await other.keys.get('mine', ORIGIN, kind)).toBeUndefined();
    expect(await other.keys.doneElsewhere('mine', ORIGIN, kind)).toBe('given');
    expect(await one.keys.get('mine', ORIGIN, kind)).toBe('second');
    expect(await one.keys.doneElsewhere('mine', ORIGIN, kind)).toBeUndefined();
    const loadedAgain = open(one.secrets);
    expect(await loadedAgain.keys.get('mine', ORIGIN, kind)).toBe('second');
  });

  test('that was forgotten in one window is unavailable in the other, whatever the clocks say', async () => {
    const one = open();
    await one.keys.set('mine', ORIGIN, 'first', kind);
    const other = open(one.secrets);
    now = 1;
    expect(await one.keys.forget('mine')).toBe(1);
    expect(await other.keys.get('mine', ORIGIN, kind)).toBeUndefined();
    expect(await other.keys.doneElsewhere('mine', ORIGIN, kind)).toBe('forgotten');
    expect(await other.keys.list()).toEqual([]);
    // Nor does the secret come back when the other window overwrites the stored secrets with its own.
    expect(await open(other.secrets).keys.list()).toEqual([]);
    await one.keys.set('mine', ORIGIN, 'second', kind);
    expect(await one.keys.get('mine', ORIGIN, kind)).toBe('second');
  });

  test('is the latest one when both windows have set it', async () => {
    const one = open();
    await one.keys.set('mine', ORIGIN, 'first', kind);
    const other = open();
    expect(await other.keys.doneElsewhere('mine', ORIGIN, kind)).toBe('given');
    await other.keys.set('mine', ORIGIN, 'second', kind);
    expect(await other.keys.get('mine', ORIGIN, kind)).toBe('second');
    expect(await one.keys.get('mine', ORIGIN, kind)).toBeUndefined();
  });

  test('set on another computer that opens the same machine is independent', async () => {
    const one = open();
    const far = open(undefined, new FakeState());
    await far.keys.set('mine', ORIGIN, 'of the laptop', kind);
    await one.keys.set('mine', ORIGIN, 'first', kind);
    await one.keys.forget('mine');
    expect(await far.keys.get('mine', ORIGIN, kind)).toBe('of the laptop');
    expect(await far.keys.doneElsewhere('mine', ORIGIN, kind)).toBeUndefined();
  });
});

describe('a window', () => {
  test('is notified of changes in another window, but only once of its own', async () => {
    const [one, other] = [open(), open()];
    let [ownChanges, changes] = [0, 0];
    one.keys.onDidChange(() => ownChanges++);
    other.keys.onDidChange(() => changes++);
    await other.keys.get('mine', ORIGIN);
    await one.keys.set('mine', ORIGIN, 'first');
    await expect.poll(() => changes).toBeGreaterThan(0);
    const before = changes;
    await one.keys.forget('mine');
    await expect.poll(() => changes).toBeGreaterThan(before);
    // Once for each change that the storage reports, and once at the end.
    expect(ownChanges).toBe(3);
  });

  test('keeps a key for its session, whatever other windows do', async () => {
    const [one, other] = [open(), open()];
    other.keys.setForSession('mine', ORIGIN, 'mine alone');
    await one.keys.set('mine', ORIGIN, 'first');
    expect(await other.keys.get('mine', ORIGIN)).toBe('mine alone');
    expect(await other.keys.doneElsewhere('mine', ORIGIN)).toBeUndefined();
  });

  test('keeps its keys if it cannot notify the others', async () => {
    const { keys } = open(undefined, state, join(folder, 'no\0name'));
    await keys.set('mine', ORIGIN, 'first');
    expect(await keys.get('mine', ORIGIN)).toBe('first');
    expect(await keys.forget('mine')).toBe(1);
  });

  test('sends nothing with an outdated secret, and says that it was replaced in another window', async () => {
    settings.workspace = {};
    settings.user = { connections: { own: { provider: 'hosted-api', host: `${ORIGIN}/v1`, model: 'm' } } };
    const one = open();
    await one.keys.set('own', ORIGIN, 'first');
    await one.keys.set('own', ORIGIN, 'the-gate-is-open', GATE);
    const other = open(one.secrets);
    const connections = connect(other.keys, new DemoSource());
    const connection = connections.find('own');
    const make = () => connections.makeProvider({ connection, model: 'm', rescueToolCalls: true });
    expect((await make()).secrets).toEqual(['first', 'the-gate-is-open']);
    await one.keys.set('own', ORIGIN, 'another-gate', GATE);
    await expect(make()).rejects.toMatchObject({
      kind: 'setting',
      message: expect.stringContaining('x-gate of own was replaced in another window'),
      next: expect.stringContaining('Reload Window'),
    });
    expect(await connections.view(connection)).toMatchObject({ hasKey: true });
    expect(await connections.view(connection)).not.toHaveProperty('isKeyElsewhere');
    await one.keys.forget('own', GATE);
    expect((await make()).secrets).toEqual(['first']);
    now++;
    await one.keys.set('own', ORIGIN, 'a-second-gate', { header: 'x-door' });
    await expect(make()).rejects.toMatchObject({
      kind: 'setting',
      message: expect.stringContaining('A secret header of own was given in another window'),
      next: expect.stringContaining('Reload Window'),
    });
    expect(await open(one.secrets).keys.hasNewHeaderElsewhere('own', ORIGIN)).toBe(false);
    expect(await open().keys.hasNewHeaderElsewhere('own', ORIGIN)).toBe(false);
    await one.keys.forget('own', { header: 'x-door' });
    expect((await make()).secrets).toEqual(['first']);
    await one.keys.set('own', ORIGIN, 'second');
    await expect(make()).rejects.toMatchObject({
      kind: 'key',
      message: expect.stringContaining('It was given in another window'),
      next: expect.stringContaining('Reload Window'),
    });
    expect(await connections.view(connection)).toMatchObject({ hasKey: false, isKeyElsewhere: true });
  });
});
