import { afterEach, describe, expect, test, vi } from 'vitest';
import { CustomProviders } from '../../../../src/host/custom-providers/custom-providers';
import { settings } from '../../../support/vscode-stub';

const opened = vi.hoisted(() => [] as { isDisposed: boolean }[]);
vi.mock('../../../../src/host/custom-providers/custom-providers-chunk', () => ({
  openCustomConnections: () => {
    const state = { isDisposed: false };
    opened.push(state);
    const isFirst = opened.length === 1;
    return {
      read: () => (isFirst ? Promise.reject(new Error('the settings cannot be read')) : Promise.resolve([])),
      dispose: () => (state.isDisposed = true),
    };
  },
}));

afterEach(() => {
  settings.user = {};
});

describe('CustomProviders', () => {
  test('leaves no watcher behind when a list fails, and starts again with the next list', async () => {
    settings.user = { customProviders: 'acme.mjs' };
    const errors: unknown[] = [];
    const log = { error: (error: unknown) => errors.push(error) };
    const providers = new CustomProviders({} as never, log as never);
    await providers.refresh();
    await expect.poll(() => opened).toEqual([{ isDisposed: true }]);
    expect(errors).toHaveLength(1);
    await providers.refresh();
    expect(opened).toEqual([{ isDisposed: true }, { isDisposed: false }]);
    providers.dispose();
    await expect.poll(() => opened[1]?.isDisposed).toBe(true);
  });

  test.each([
    ['', false],
    [[], false],
    [null, false],
    [undefined, false],
    ['acme.mjs', true],
    [{ acme: 'acme.mjs' }, true],
    [5, true],
  ])('looks into the setting %j: %s', async (customProviders, isOpened) => {
    settings.user = { customProviders };
    const before = opened.length;
    const providers = new CustomProviders({} as never, { error: () => undefined } as never);
    await providers.refresh();
    expect(opened.length > before).toBe(isOpened);
    providers.dispose();
  });
});
