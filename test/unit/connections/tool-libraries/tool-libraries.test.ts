import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ToolLibraries } from '../../../../src/connections/tool-libraries/tool-libraries';
import { EditorLibraryFiles } from '../../../../src/host/tools/library-files';
import { editor, resetEditor, Uri, writeFile } from '../../../support/vscode/vscode-files';

const USER_FILE = '/global/.provider-playground/tools.json';
const SHARED = './.provider-playground/tools.json';
const PLAYGROUND = 'file:file:///projects/sub/a.playground.json';
const SCRATCH = 'scratch:1';
const onChange = vi.fn();
const openFiles = (): EditorLibraryFiles => new EditorLibraryFiles(Uri.file('/global') as never, onChange);
const open = (files = openFiles()) => new ToolLibraries(files);
const folder = (path: string): void => void editor.folders.push({ uri: Uri.file(path), name: path.slice(1) });
const library = (...names: string[]): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, { description: `the ${name}` }])));

beforeEach(() => {
  resetEditor();
  onChange.mockClear();
  folder('/projects');
});
afterEach(() => void vi.useRealTimers());

describe('ToolLibraries.find', () => {
  test("finds tools of the user's library and of the workspace's", async () => {
    writeFile(USER_FILE, library('mine'));
    writeFile('/projects/.provider-playground/tools.json', library('ours'));
    const libraries = open();
    expect(await libraries.find('user#/mine', SCRATCH)).toMatchObject({
      tool: { name: 'mine', description: 'the mine', mocks: [] },
      key: 'mine',
      file: { path: USER_FILE },
    });
    expect(await libraries.find(`${SHARED}#/ours`, SCRATCH)).toMatchObject({ tool: { name: 'ours' } });
    expect(await libraries.find(`${SHARED}#/ours`, PLAYGROUND)).toMatchObject({ tool: { name: 'ours' } });
  });

  test('searches beside the playground first, then in the workspace folders', async () => {
    folder('/other');
    writeFile('/projects/sub/tools.json', '{ "a": { "description": "beside" } }');
    writeFile('/projects/tools.json', '{ "a": { "description": "of the folder" }, "b": {} }');
    writeFile('/other/tools.json', library('c'));
    const libraries = open();
    const find = async (name: string, from: string) => libraries.find(`./tools.json#/${name}`, from);
    expect(await find('a', PLAYGROUND)).toMatchObject({ tool: { description: 'beside' } });
    expect(await find('a', SCRATCH)).toMatchObject({ tool: { description: 'of the folder' } });
    expect(await find('b', PLAYGROUND)).toMatchObject({ file: { path: '/projects/tools.json' } });
    expect(await find('c', SCRATCH)).toMatchObject({ file: { path: '/other/tools.json' } });
  });

  test('reads no file outside of the workspace except beside the playground', async () => {
    for (const path of ['/etc', '/projects', '/elsewhere']) writeFile(`${path}/tools.json`, library('a'));
    const libraries = open();
    const outside = 'file:file:///elsewhere/b.playground.json';
    expect(await libraries.find('../../etc/tools.json#/a', PLAYGROUND)).toEqual({
      problem:
        'The tool library ../../etc/tools.json is neither in the workspace nor next to the playground. Move it there, or correct the reference.',
    });
    expect(editor.reads).toBe(0);
    expect(await libraries.find('../tools.json#/a', PLAYGROUND)).toMatchObject({ tool: { name: 'a' } });
    expect(await libraries.find('./tools.json#/a', outside)).toMatchObject({
      file: { path: '/elsewhere/tools.json' },
    });
    expect(await libraries.find('../etc/tools.json#/a', outside)).toHaveProperty('problem');
  });

  test('ignores the query of the playground’s URI', async () => {
    const historic = 'file:git:/projects/sub/a.playground.json?the-playground-itself';
    writeFile('/projects/sub/tools.json', library('a'));
    expect(await open().find('./tools.json#/a', historic)).toMatchObject({ file: { query: '' } });
  });

  test.each([
    ['user#/a', 'The tool library of the user does not exist. Use the command “Edit User Tool Library”.'],
    [
      './none.json#/a',
      'The tool library ./none.json does not exist. Create it in the workspace folder or next to the playground file, or correct the reference.',
    ],
    ['./bad.json#/a', 'The tool library ./bad.json has an error in line 2: The text is not JSON'],
    ['./half.json#/bad', 'The tool library ./half.json has an error in line 2: bad.mocks must be a list'],
    ['./good.json#/__proto__', 'The tool library ./good.json has no tool __proto__.'],
    ['./good.json#/toString', 'The tool library ./good.json has no tool toString.'],
    ['nothing', 'The reference nothing names no tool: it ends in #/ and the name.'],
  ])('reports the error in %s', async (reference, problem) => {
    writeFile('/projects/bad.json', '{\n  nothing\n}');
    writeFile('/projects/half.json', '{ "good": {},\n "bad": { "mocks": 5 } }');
    writeFile('/projects/good.json', library('a'));
    const found = await open().find(reference, SCRATCH);
    expect(found.tool).toBeUndefined();
    expect(found.problem).toContain(problem);
    expect(await open().find('./half.json#/good', SCRATCH)).toMatchObject({ tool: { name: 'good' } });
  });

  test('refuses a library that is too large', async () => {
    writeFile('/projects/large.json', ' '.repeat(8_000_001));
    const { problem } = await open().find('./large.json#/a', SCRATCH);
    expect(problem).toBe('The tool library ./large.json could not be read: it is larger than 8 MB.');
    expect(editor.reads).toBe(0);
  });

  test('reads a file once until it changes', async () => {
    writeFile(USER_FILE, library('a', 'b'));
    const libraries = open();
    await Promise.all(['a', 'b', 'c'].map(async (name) => libraries.find(`user#/${name}`, SCRATCH)));
    await libraries.find('user#/a', SCRATCH);
    expect(editor.reads).toBe(1);
    writeFile(USER_FILE, library('a', 'd'));
    expect(await libraries.find('user#/d', SCRATCH)).toMatchObject({ tool: { name: 'd' } });
    expect(editor.reads).toBe(2);
  });

  test('reports several changes at once as one', async () => {
    vi.useFakeTimers();
    const files = openFiles();
    const libraries = open(files);
    await libraries.find('user#/a', SCRATCH);
    editor.changedOnDisk.fire();
    editor.saved.fire({ uri: Uri.file(USER_FILE) });
    vi.advanceTimersByTime(1_000);
    expect(onChange).toHaveBeenCalledTimes(1);
    editor.saved.fire({ uri: Uri.file('/projects/other.ts') });
    vi.advanceTimersByTime(1_000);
    expect(onChange).toHaveBeenCalledTimes(1);
    editor.changedOnDisk.fire();
    files.dispose();
    vi.advanceTimersByTime(1_000);
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});

describe('ToolLibraries.list', () => {
  test('lists every tool with the reference that finds it; the nearer of two wins', async () => {
    writeFile(USER_FILE, library('mine', 'a/b'));
    writeFile('/projects/sub/.provider-playground/tools.json', library('near', 'both'));
    writeFile('/projects/.provider-playground/tools.json', library('far', 'both'));
    const libraries = open();
    const { tools, problems } = await libraries.list(PLAYGROUND);
    expect(problems).toEqual([]);
    expect(tools.map(({ reference }) => reference)).toEqual([
      'user#/mine',
      'user#/a~1b',
      `${SHARED}#/near`,
      `${SHARED}#/both`,
      `${SHARED}#/far`,
    ]);
    for (const { reference, tool } of tools) {
      expect(await libraries.find(reference, PLAYGROUND)).toMatchObject({ tool });
    }
  });

  test('reports errors, and lists the other tools', async () => {
    writeFile(USER_FILE, '{ "good": {}, "bad": 5, "odd": { "mock": [] } }');
    const { tools, problems } = await open().list(SCRATCH);
    expect(tools).toMatchObject([{ reference: 'user#/good', library: 'user' }, { reference: 'user#/odd' }]);
    expect(problems).toEqual([
      'The tool library of the user has an error in line 1: bad must be an object, not a number.',
      'The tool library of the user has an error in line 1: odd.mock is not known to this version; it is kept.',
    ]);
  });
});

describe('EditorLibraryFiles.openUserFile', () => {
  test('creates the file if there is none, and keeps an existing one', async () => {
    const files = openFiles();
    const libraries = open(files);
    expect((await files.openUserFile()).path).toBe(USER_FILE);
    expect(await libraries.find('user#/a', SCRATCH)).toMatchObject({
      problem: 'The tool library of the user has no tool a.',
    });
    writeFile(USER_FILE, library('a'));
    await files.openUserFile();
    expect(editor.files.get(USER_FILE)?.text).toBe(library('a'));
  });
});
