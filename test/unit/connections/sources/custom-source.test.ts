import { afterEach, describe, expect, test } from 'vitest';
import { CustomSource } from '../../../../src/connections/sources/custom-source';
import { readSetting } from '../../../../src/host/connections/window-connections';
import { settings } from '../../../support/vscode/vscode-stub';

const opened: { isDisposed: boolean }[] = [];
const errors: string[] = [];

const openSource = (): CustomSource =>
  new CustomSource({
    settings: { read: readSetting },
    custom: {
      open: () => {
        const state = { isDisposed: false };
        opened.push(state);
        const isFirst = opened.length === 1;
        return Promise.resolve({
          read: () =>
            isFirst ? Promise.reject(new Error('the settings cannot be read')) : Promise.resolve([]),
          dispose: () => (state.isDisposed = true),
        } as never);
      },
      registrations: () => [],
      onDidRegister: () => () => undefined,
    },
    library: {} as never,
    readNetwork: () => ({}),
    log: { info: () => undefined, warn: () => undefined, error: (line) => void errors.push(line) },
  });

afterEach(() => {
  settings.user = {};
});

describe('CustomSource', () => {
  test('leaves no watcher behind when a list fails, and starts again with the next list', async () => {
    settings.user = { customProviders: 'acme.mjs' };
    const source = openSource();
    await source.refresh();
    await expect.poll(() => opened).toEqual([{ isDisposed: true }]);
    expect(errors).toHaveLength(1);
    await source.refresh();
    expect(opened).toEqual([{ isDisposed: true }, { isDisposed: false }]);
    source.close();
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
    const source = openSource();
    await source.refresh();
    expect(opened.length > before).toBe(isOpened);
    source.close();
  });
});
