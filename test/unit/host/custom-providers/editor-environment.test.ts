import { beforeEach, describe, expect, test } from 'vitest';
import { readNamedModules } from '../../../../src/host/custom-providers/editor-environment';
import { settings, workspace } from '../../../support/vscode-stub';

const folder = (path: string, scheme = 'file'): unknown => ({ uri: { scheme, fsPath: path } });
const open = (...workspaceFolders: unknown[]): unknown => Object.assign(workspace, { workspaceFolders });

beforeEach(() => {
  settings.user = {};
  settings.workspace = {};
  workspace.isTrusted = true;
  open(folder('/one'), folder('/two'));
});

describe('readNamedModules', () => {
  test('takes a path or a list of paths, with the scope that they are written in', () => {
    expect(readNamedModules()).toEqual([]);
    settings.user = { customProviders: 'acme.mjs' };
    const from = { folder: '/one', folders: ['/one', '/two'] };
    expect(readNamedModules()).toEqual([{ written: 'acme.mjs', scope: 'user', ...from }]);
    settings.user = {};
    settings.workspace = { customProviders: [' a.cjs ', 'b.js', ''] };
    expect(readNamedModules()).toEqual([
      { written: 'a.cjs', scope: 'workspace', ...from },
      { written: 'b.js', scope: 'workspace', ...from },
    ]);
  });

  test('runs nothing in a workspace that is not trusted', () => {
    workspace.isTrusted = false;
    settings.workspace = { customProviders: 'evil.mjs' };
    settings.user = { customProviders: 'mine.mjs' };
    expect(readNamedModules()).toEqual([
      { written: 'mine.mjs', problem: expect.stringContaining('Trust the workspace') },
    ]);
  });

  test.each([[[]], [[folder('/', 'vscode-vfs')]], [[folder('/r', 'vscode-remote')]]])(
    'runs nothing without a folder on this machine: %j',
    (folders) => {
      open(...folders);
      settings.user = { customProviders: '/abs/mine.mjs' };
      expect(readNamedModules()).toMatchObject([
        { problem: expect.stringContaining('no folder of this machine') },
      ]);
    },
  );

  test.each([5, { path: 'x' }, ['a', 5], Array.from({ length: 21 }, String)])(
    'a setting of another kind is a problem: %j',
    (customProviders) => {
      settings.user = { customProviders };
      expect(readNamedModules()).toMatchObject([
        {
          written: 'providerPlayground.customProviders',
          problem: expect.stringContaining('list of at most 20'),
        },
      ]);
    },
  );
});
