import { describe, expect, test } from 'vitest';
import { ApiKeys, KeyStoreError } from '../../../../src/host/connections/api-keys';
import { FakeSecrets } from '../../../support/vscode-stub';

const ORIGIN = 'https://host.example';

describe('ApiKeys', () => {
  test('a key is found for its connection and its origin only', async () => {
    const keys = new ApiKeys(new FakeSecrets());
    await keys.set('mine', ORIGIN, 'the-key');
    expect(await keys.get('mine', ORIGIN)).toBe('the-key');
    expect(await keys.get('mine', 'https://evil.example')).toBeUndefined();
    expect(await keys.get('mine', 'http://host.example')).toBeUndefined();
    expect(await keys.get('other', ORIGIN)).toBeUndefined();
  });

  test('forgetting takes the keys of every origin, and of no other connection', async () => {
    const secrets = new FakeSecrets();
    const keys = new ApiKeys(secrets);
    await keys.set('mine', ORIGIN, 'one');
    await keys.set('mine', 'https://two.example', 'two');
    await keys.set('mine2', ORIGIN, 'three');
    expect(await keys.forget('mine')).toBe(2);
    expect([...secrets.stored.values()]).toEqual(['three']);
  });

  test('tells what a key is stored for, whatever the settings say', async () => {
    const keys = new ApiKeys(new FakeSecrets());
    await keys.set('b "c" d', ORIGIN, 'one');
    await keys.set('a', ORIGIN, 'two');
    await keys.set('a', 'https://two.example', 'three');
    expect(await keys.storedFor()).toEqual(['a', 'b "c" d']);
  });

  test('a storage that loses the key is noticed, and a key for the session still works', async () => {
    const secrets = new FakeSecrets();
    secrets.isBroken = true;
    const keys = new ApiKeys(secrets);
    await expect(keys.set('mine', ORIGIN, 'the-key')).rejects.toThrow(KeyStoreError);
    keys.setForSession('mine', ORIGIN, 'the-key');
    expect(await keys.get('mine', ORIGIN)).toBe('the-key');
    expect(await keys.forget('mine')).toBe(1);
    expect(await keys.get('mine', ORIGIN)).toBeUndefined();
  });

  test('tells when a key changed, in another window too', async () => {
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
