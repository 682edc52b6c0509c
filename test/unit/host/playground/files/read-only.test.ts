import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { affectsReadOnly, findReadOnlySetting } from '../../../../../src/host/playground/files/read-only';

/** The settings of the editor and its matching patterns. */
const editor = vi.hoisted(() => ({
  /** Settings of the section `files`. */
  settings: {} as Record<string, unknown>,
  /** The pattern that matches the document; with a folder as `folder: pattern`. */
  matching: '',
  folder: undefined as string | undefined,
}));

vi.mock('vscode', () => ({
  RelativePattern: class {
    readonly text: string;
    constructor(folder: string, pattern: string) {
      this.text = `${folder}: ${pattern}`;
    }
  },
  languages: {
    match: (filters: { pattern: string | { text: string } }[]) => {
      const patterns = filters.map(({ pattern }) => (typeof pattern === 'string' ? pattern : pattern.text));
      return patterns.includes(editor.matching) ? 10 : 0;
    },
  },
  workspace: {
    getConfiguration: () => ({ get: (name: string) => editor.settings[name] }),
    getWorkspaceFolder: () => editor.folder,
  },
}));

const find = (path = '/project/a.playground.json', scheme = 'file') =>
  findReadOnlySetting({ uri: { path, scheme, fsPath: path } } as never);

beforeEach(() => void Object.assign(editor, { settings: {}, matching: '', folder: undefined }));

describe('findReadOnlySetting', () => {
  const include = (...globs: string[]) => ({
    readonlyInclude: Object.fromEntries(globs.map((glob) => [glob, true])),
  });

  test.each([
    ['a pattern of its folder', 'project', 'project: a/**', include('b', 'a/**')],
    ['a pattern beside any folder', undefined, 'a/**', include('a/**')],
    ['an absolute path, also in a folder', 'project', '/a/**', include('/a/**')],
  ])('names the setting for %s', async (_, folder, matching, settings) => {
    Object.assign(editor, { folder, matching, settings });
    expect(await find()).toBe('files.readonlyInclude');
  });

  test.each([
    ['a disabled pattern', undefined, 'a', { readonlyInclude: { a: false } }],
    ['an excluded file', undefined, 'a', { ...include('a'), readonlyExclude: { a: true } }],
    ['a relative pattern that the whole path matches', 'project', 'a/**', include('a/**')],
    ['a value that is not an object of patterns', undefined, 'a', { readonlyInclude: 'a' }],
    ['empty settings', undefined, 'a', {}],
  ])('names no setting for %s', async (_, folder, matching, settings) => {
    Object.assign(editor, { folder, matching, settings });
    expect(await find()).toBeUndefined();
  });

  describe('permissions', () => {
    const locked = join(mkdtempSync(join(tmpdir(), 'read-only-')), 'a.playground.json');
    writeFileSync(locked, '{}');
    beforeEach(() => chmodSync(locked, 0o444));

    test('matter only if the setting says so', async () => {
      expect(await find(locked)).toBeUndefined();
      editor.settings = { readonlyFromPermissions: true };
      expect(await find(locked)).toBe('files.readonlyFromPermissions');
      chmodSync(locked, 0o644);
      expect(await find(locked)).toBeUndefined();
    });

    test('do not matter for a file with a matching exclude pattern', async () => {
      const patterns = { ...include('a'), readonlyExclude: { a: true } };
      Object.assign(editor, { matching: 'a', settings: { readonlyFromPermissions: true, ...patterns } });
      expect(await find(locked)).toBeUndefined();
    });

    test('do not matter for a file that is missing or not on a disk', async () => {
      editor.settings = { readonlyFromPermissions: true };
      expect(await find(`${locked}.gone`)).toBeUndefined();
      expect(await find(locked, 'vscode-vfs')).toBeUndefined();
    });
  });
});

describe('affectsReadOnly', () => {
  test.each([
    ['files.readonlyExclude', true],
    ['files.readonlyFromPermissions', true],
    ['files.exclude', false],
  ])('recognizes %s', (changed, affects) => {
    const event = { affectsConfiguration: (name: string) => name === changed };
    expect(affectsReadOnly(event, { path: '/a' } as never)).toBe(affects);
  });
});
