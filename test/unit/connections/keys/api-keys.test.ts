import { describe, expect, test } from 'vitest';
import { ApiKeys, KeyStoreError } from '../../../../src/connections/keys/api-keys';
import { FakeSecrets } from '../../../support/vscode/vscode-stub';

const ORIGIN = 'https://host.example';

describe('ApiKeys', () => {
  test('returns a key only for its connection and its origin', async () => {
    const keys = new ApiKeys(new FakeSecrets());
    await keys.set('mine', ORIGIN, 'the-key');
    expect(await keys.get('mine', ORIGIN)).toBe('the-key');
    expect(await keys.get('mine', 'https://evil.example')).toBeUndefined();
    expect(await keys.get('mine', 'http://host.example')).toBeUndefined();
    expect(await keys.get('other', ORIGIN)).toBeUndefined();
  });

  test('forgets the keys of every origin of one connection only', async () => {
    const secrets = new FakeSecrets();
    const keys = new ApiKeys(secrets);
    await keys.set('mine', ORIGIN, 'one');
    await keys.set('mine', 'https://two.example', 'two');
    await keys.set('mine2', ORIGIN, 'three');
    expect(await keys.forget('mine')).toBe(2);
    expect(await keys.get('mine2', ORIGIN)).toBe('three');
    expect(secrets.stored.size).toBe(1);
  });

  test('returns a key for another allowed binding until the key is replaced', async () => {
    const secrets = new FakeSecrets();
    const keys = new ApiKeys(secrets);
    await keys.allow('mine', ORIGIN, `${ORIGIN}#1`);
    expect(secrets.stored.size).toBe(0);
    await keys.set('mine', ORIGIN, 'one');
    await keys.allow('mine', ORIGIN, `${ORIGIN}#1`);
    expect(await keys.get('mine', `${ORIGIN}#1`)).toBe('one');
    await keys.set('mine', ORIGIN, 'two');
    expect(await keys.get('mine', `${ORIGIN}#1`)).toBeUndefined();
    expect(await keys.get('mine', ORIGIN)).toBe('two');
    keys.setForSession('mine', ORIGIN, 'three');
    await keys.allow('mine', ORIGIN, `${ORIGIN}#1`);
    expect(await keys.get('mine', `${ORIGIN}#1`)).toBe('three');
    expect([...secrets.stored.values()].join()).not.toContain('three');
    expect(await keys.forget('mine')).toBe(2);
    expect(await keys.get('mine', `${ORIGIN}#1`)).toBeUndefined();
  });

  test('lists the connections with a stored key, independently of the settings', async () => {
    const keys = new ApiKeys(new FakeSecrets());
    await keys.set('b "c" d', ORIGIN, 'one');
    await keys.set('a', ORIGIN, 'two');
    await keys.set('a', 'https://two.example', 'three');
    expect(await keys.storedFor()).toEqual(['a', 'b "c" d']);
  });

  test('reports a storage that loses the key, and still keeps a key for the session', async () => {
    const secrets = new FakeSecrets();
    secrets.isBroken = true;
    const keys = new ApiKeys(secrets);
    await expect(keys.set('mine', ORIGIN, 'the-key')).rejects.toThrow(KeyStoreError);
    keys.setForSession('mine', ORIGIN, 'the-key');
    expect(await keys.get('mine', ORIGIN)).toBe('the-key');
    expect(await keys.forget('mine')).toBe(1);
    expect(await keys.get('mine', ORIGIN)).toBeUndefined();
  });

  test('returns the time when a key was set', async () => {
    const secrets = new FakeSecrets();
    let now = 1;
    const keys = new ApiKeys(secrets, () => now);
    await keys.set('mine', ORIGIN, 'the-key');
    expect(await keys.find('mine', ORIGIN)).toEqual({ value: 'the-key', givenAt: 1, isSessionOnly: false });
    now = 2;
    await keys.set('mine', ORIGIN, 'a-new-one');
    await keys.allow('mine', ORIGIN, `${ORIGIN}#1`);
    expect(await keys.find('mine', `${ORIGIN}#1`)).toMatchObject({ value: 'a-new-one', givenAt: 2 });
    keys.setForSession('other', ORIGIN, 'lost');
    expect(await keys.find('other', ORIGIN)).toEqual({ value: 'lost', givenAt: 2, isSessionOnly: true });
    // Values in another format than the one that is written today.
    for (const text of ['bare', '{"value":1}', 'null', '']) {
      await secrets.store('api-key:"odd" https://odd.example', text);
      expect(await keys.find('odd', 'https://odd.example')).toEqual({ value: text, isSessionOnly: false });
    }
  });

  test('returns a secret header only for its connection and its origin; names are case-insensitive', async () => {
    const keys = new ApiKeys(new FakeSecrets());
    await keys.set('mine', ORIGIN, 'the-value', { header: 'X-Gate' });
    expect(await keys.get('mine', ORIGIN, { header: 'x-gate' })).toBe('the-value');
    expect(await keys.headerNames('mine', ORIGIN)).toEqual(['x-gate']);
    expect(await keys.headerNames('mine', 'https://evil.example')).toEqual([]);
    expect(await keys.headerNames('other', ORIGIN)).toEqual([]);
    expect(await keys.get('mine', ORIGIN)).toBeUndefined();
    await keys.set('mine', ORIGIN, 'another', { header: 'x-gate' });
    expect(await keys.list()).toEqual([
      { connectionId: 'mine', binding: ORIGIN, kind: { header: 'x-gate' } },
    ]);
    expect(await keys.storedFor()).toEqual(['mine']);
  });

  test('revokes the permission of a secret header only with other headers of its name', async () => {
    const keys = new ApiKeys(new FakeSecrets());
    const [gate, other] = [{ header: 'x-gate' }, { header: 'x-other' }];
    for (const kind of ['key', gate, other] as const) await keys.set('mine', `${ORIGIN}#1`, 'old', kind);
    await keys.set('mine', ORIGIN, 'new', gate);
    expect(await keys.get('mine', `${ORIGIN}#1`, gate)).toBeUndefined();
    expect(await keys.get('mine', `${ORIGIN}#1`, other)).toBe('old');
    expect(await keys.get('mine', `${ORIGIN}#1`)).toBe('old');
  });

  test('forgets one header, or all at once', async () => {
    const secrets = new FakeSecrets();
    const keys = new ApiKeys(secrets);
    await secrets.store('of something else', 'x');
    await keys.set('mine', ORIGIN, 'the-key');
    await keys.set('mine', ORIGIN, 'the-value', { header: 'x-gate' });
    keys.setForSession('other', ORIGIN, 'lost');
    expect(await keys.forget('mine', { header: 'X-Gate' })).toBe(1);
    expect(await keys.get('mine', ORIGIN)).toBe('the-key');
    await keys.set('mine', ORIGIN, 'the-value', { header: 'x-gate' });
    expect(await keys.forgetAll()).toBe(3);
    expect(await keys.list()).toEqual([]);
    expect([...secrets.stored]).toEqual([['of something else', 'x']]);
  });

  test('reports a changed key, including changes in other windows', async () => {
    const secrets = new FakeSecrets();
    const keys = new ApiKeys(secrets);
    let changes = 0;
    keys.onDidChange(() => changes++);
    await secrets.store('of something else', 'x');
    expect(changes).toBe(0);
    await keys.set('mine', ORIGIN, 'the-key');
    expect(changes).toBe(1);
  });
});
