import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  openCustomConnections,
  readNamedModules,
} from '../../../../src/host/custom-providers/editor-environment';
import * as library from '../../../../src/library';
import { settings, workspace } from '../../../support/vscode/vscode-stub';

const warnings = vi.hoisted(() => [] as string[]);
vi.mock('vscode', async (importOriginal) => {
  const original = await importOriginal<{ workspace: object }>();
  const nothing = (): { dispose: () => void } => ({ dispose: () => undefined });
  const watcher = { onDidCreate: nothing, onDidChange: nothing, onDidDelete: nothing, ...nothing() };
  return {
    ...original,
    workspace: Object.assign(original.workspace, { createFileSystemWatcher: () => watcher }),
    Uri: { file: String, joinPath: String },
    RelativePattern: Object,
    Disposable: { from: nothing },
    l10n: {
      t: (text: string, ...values: string[]) =>
        text.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? ''),
    },
    window: {
      showWarningMessage: (message: string, { detail }: { detail: string }) => {
        warnings.push(message, detail);
        return Promise.resolve(undefined);
      },
    },
  };
});

const folder = (path: string, scheme = 'file'): unknown => ({ uri: { scheme, fsPath: path } });
const open = (...workspaceFolders: unknown[]): unknown => Object.assign(workspace, { workspaceFolders });

beforeEach(() => {
  settings.user = {};
  settings.workspace = {};
  workspace.isTrusted = true;
  open(folder('/one'), folder('/two'));
});

describe('readNamedModules', () => {
  test('reads a path or a list of paths, with the scope of the setting', () => {
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

  test('returns no module to run in an untrusted workspace', () => {
    workspace.isTrusted = false;
    settings.workspace = { customProviders: 'evil.mjs' };
    settings.user = { customProviders: 'mine.mjs' };
    expect(readNamedModules()).toEqual([
      { written: 'mine.mjs', problem: expect.stringContaining('Trust the workspace') },
    ]);
  });

  test.each([[[]], [[folder('/', 'vscode-vfs')]], [[folder('/r', 'vscode-remote')]]])(
    'returns no module to run without a folder on this machine: %j',
    (folders) => {
      open(...folders);
      settings.user = { customProviders: '/abs/mine.mjs' };
      expect(readNamedModules()).toMatchObject([
        { problem: expect.stringContaining('no folder on this machine') },
      ]);
    },
  );

  test.each([5, { path: 'x' }, ['a', 5], Array.from({ length: 21 }, String)])(
    'reports a setting of another type: %j',
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

describe('openCustomConnections', () => {
  test('shows the path with every character visible, so that none of it can mislead', async () => {
    const scratch = await realpath(await mkdtemp(join(tmpdir(), 'dialog-')));
    const name = 'acme\n\nSigned by your company.\u202esjm.mjs';
    await writeFile(join(scratch, name), 'export default 5');
    open(folder(scratch));
    settings.workspace = { customProviders: name };
    const state = { get: (_: string, fallback: unknown) => fallback, update: () => Promise.resolve() };
    const log = { info: () => undefined, warn: () => undefined };
    const opened = openCustomConnections({
      library,
      readNetwork: () => ({}),
      onChange: () => undefined,
      log,
      state: state as never,
    });
    await opened.read([]);
    await expect.poll(() => warnings).toHaveLength(2);
    expect(warnings[0]).toBe(
      `Run this module of custom providers? ${scratch}/acme\\u{a}\\u{a}Signed by your company.\\u{202e}sjm.mjs`,
    );
    expect(warnings[1]).toContain('it is not sandboxed');
    opened.dispose();
    await rm(scratch, { recursive: true });
  });
});
