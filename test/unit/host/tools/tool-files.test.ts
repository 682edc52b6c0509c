import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { ToolFiles } from '../../../../src/host/tools/tool-files';
import type { Session } from '../../../../src/session';
import { MemoryBacking, openSession } from '../../../support/session/scripted-session';
import { editor, resetEditor, Uri } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

const CHANGED = 1;
const CREATED = 2;
const DELETED = 3;

interface Opened {
  files: ToolFiles;
  session: Session;
  backing: MemoryBacking;
  sessions: Set<Session>;
  /** Kind and URI of each reported change. */
  events: [number, string][];
  open: (index: number) => vscode.Uri;
  read: (uri: vscode.Uri) => string;
  write: (uri: vscode.Uri, text: string) => Promise<void>;
  tools: () => unknown[];
}

async function openFiles(text: string, kind: 'file' | 'scratch' = 'file'): Promise<Opened> {
  const own = new MemoryBacking(text);
  own.kind = kind;
  const { session, backing } = await openSession({ backing: own });
  const sessions = new Set([session]);
  const events: Opened['events'] = [];
  const files = new ToolFiles(
    () => sessions,
    (changes) => events.push(...changes.map(({ type, uri }): [number, string] => [type, uri.toString()])),
  );
  session.onDidDispose(() => sessions.delete(session));
  return {
    files,
    session,
    backing,
    sessions,
    events,
    open: (index) => files.open(session, index) ?? expect.fail('no such tool'),
    read: (uri) => new TextDecoder().decode(files.readFile(uri)),
    write: (uri, changed) => files.writeFile(uri, new TextEncoder().encode(changed)),
    tools: () => (JSON.parse(backing.text) as { tools: unknown[] }).tools,
  };
}

const textOf = (...tools: object[]): string => JSON.stringify({ tools }, null, 2);
const WEATHER = { name: 'get_weather', description: 'd', parameters: { type: 'object' } };
const SEARCH = { name: 'search', parameters: { type: 'object' } };

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('ToolFiles', () => {
  test('show a tool as formatted JSON without defaults', async () => {
    const { open, read, files } = await openFiles(textOf(SEARCH, WEATHER));
    const uri = open(1);
    expect(uri.path).toMatch(/^\/[\da-f]{16}\/1\/get_weather\.playground-tool\.json$/);
    expect(read(uri)).toBe(`${JSON.stringify(WEATHER, null, 2)}\n`);
    expect(files.stat(uri)).toMatchObject({ type: 1, size: read(uri).length });
    expect(files.stat(uri)).not.toHaveProperty('permissions');
    expect(open(1)).toEqual(uri);
  });

  test('save a tool with one edit of the document, which keeps the rest of the text', async () => {
    const text = `{
  // the tools
  "tools": [
    { "name": "a", /* why */ "description": "old", "mocks": [] }
  ]
}`;
    const { open, read, write, backing, events, files } = await openFiles(text);
    const uri = open(0);
    const { mtime } = files.stat(uri);
    const changed =
      '{ "name": "a", "description": "new", // mine\n "parameters": {"type":"object","properties":{}}, }';
    await write(uri, changed);
    expect(backing.text).toBe(text.replace('old', 'new'));
    expect(backing.edits).toBe(1);
    // With the layout of the user, so that the cursor stays where it is.
    expect(read(uri)).toBe(changed);
    expect(files.stat(uri).mtime).toBeGreaterThan(mtime);
    expect(events).toEqual([[CHANGED, uri.toString()]]);
  });

  test('do not change the document for another layout', async () => {
    const { open, read, write, backing } = await openFiles(textOf(SEARCH));
    const uri = open(0);
    await write(uri, JSON.stringify(SEARCH));
    expect(backing.edits).toBe(0);
    expect(read(uri)).toBe(JSON.stringify(SEARCH));
  });

  test.each([
    ['{\n  "name": "a",\n  "b": tru\n}', /^Line 3: The text is not JSON: a word is not a value/],
    ['', /^Line 1: The text is not JSON/],
    ['[]', /^Line 1: A tool must be an object\.$/],
    ['{\n  "name": "a",\n  "mocks": [{ "asks": true }]\n}', /^Line 3: mocks\[0\] must have exactly one of/],
    ['{ "name": "a",\n "parameters": { "__proto__": {} } }', /^Line 2: A key __proto__ cannot be kept\.$/],
    ['{ "description": "no name" }', /^Line 1: name is missing\.$/],
    [
      `{ "name": "a", "parameters": ${'{"a":'.repeat(300)}1${'}'.repeat(301)}`,
      /^Line 1: .*more than 200 levels deep/,
    ],
  ])('refuse %j with line and reason', async (text, reason) => {
    const { open, write, backing } = await openFiles(textOf(SEARCH));
    const refused = await write(open(0), text).catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({ name: 'Unknown (FileSystemError)' });
    expect(refused?.message).toMatch(reason);
    expect(backing.text).toBe(textOf(SEARCH));
  });

  test('save an invalid schema, which the editor marks', async () => {
    const { open, write, tools } = await openFiles(textOf(SEARCH));
    await write(open(0), '{ "name": "search", "parameters": { "type": "strnig" } }');
    expect(tools()).toEqual([{ name: 'search', parameters: { type: 'strnig' } }]);
  });

  test('report why a document cannot be changed', async () => {
    const { open, write, backing, files, read } = await openFiles(textOf(SEARCH));
    const uri = open(0);
    backing.replace('{ no JSON');
    expect(read(uri)).toContain('search');
    await expect(write(uri, '{ "name": "b" }')).rejects.toThrow('cannot be read');
    backing.replace(textOf(SEARCH));
    backing.readOnly = 'This file cannot be written.';
    expect(files.stat(uri)).toMatchObject({ permissions: 1 });
    await expect(write(uri, '{ "name": "b" }')).rejects.toThrow('This file cannot be written.');
  });

  test('refuse a tool that is too large', async () => {
    const { files, open } = await openFiles(textOf(SEARCH));
    const large = files.writeFile(open(0), new Uint8Array(8_000_001));
    await expect(large).rejects.toThrow('larger than 8 MB');
  });

  test('are updated by other changes of the document', async () => {
    const { open, read, backing, events } = await openFiles(textOf(SEARCH, WEATHER));
    const uri = open(1);
    backing.replace(textOf({ name: 'new' }, SEARCH, WEATHER));
    backing.replace(textOf(WEATHER));
    expect(events).toEqual([]);
    backing.replace(textOf({ ...WEATHER, description: 'other' }));
    expect(events).toEqual([[CHANGED, uri.toString()]]);
    expect(read(uri)).toContain('other');
    backing.replace(textOf({ ...WEATHER, name: 'renamed', description: 'other' }));
    expect(read(uri)).toContain('renamed');
  });

  test('are deleted with their tool, and created again with it', async () => {
    const { open, write, backing, events, files, read } = await openFiles(textOf(SEARCH, WEATHER));
    const uri = open(0);
    backing.replace(textOf(WEATHER));
    expect(events).toEqual([[DELETED, uri.toString()]]);
    expect(codeOf(() => files.stat(uri))).toBe('FileNotFound');
    await expect(write(uri, '{ "name": "search" }')).rejects.toThrow('no longer has this tool');
    expect(backing.text).toBe(textOf(WEATHER));
    backing.replace(textOf(WEATHER, SEARCH));
    expect(events.slice(1)).toEqual([[CREATED, uri.toString()]]);
    expect(read(uri)).toContain('search');
  });

  test('of a scratch can be saved again once the removal of their tool is undone', async () => {
    const { open, write, session, events, tools } = await openFiles(textOf(SEARCH, WEATHER), 'scratch');
    const uri = open(0);
    await session.editable.edit([{ path: ['tools', 0] }]);
    const text = '{ "name": "search", "description": "saved" }';
    await expect(write(uri, text)).rejects.toThrow('Undo its removal');
    await session.editable.undoOrRedo('undo');
    expect(events).toEqual([
      [DELETED, uri.toString()],
      [CREATED, uri.toString()],
    ]);
    await write(uri, text);
    expect(tools()).toMatchObject([{ name: 'search', description: 'saved' }, { name: 'get_weather' }]);
  });

  test('show a tool that comes back changed', async () => {
    const { open, backing, read } = await openFiles(textOf(SEARCH, WEATHER));
    const uri = open(0);
    backing.replace(textOf(WEATHER));
    backing.replace(textOf(WEATHER, { ...SEARCH, description: 'later' }));
    expect(read(uri)).toContain('later');
  });

  test('save a tool at its current position', async () => {
    const { open, write, backing, tools } = await openFiles(textOf(SEARCH, WEATHER));
    const [search, weather] = [open(0), open(1)];
    backing.replace(textOf(WEATHER, SEARCH));
    await write(search, '{ "name": "search", "description": "one" }');
    await write(weather, '{ "name": "get_weather", "description": "two" }');
    expect(tools()).toMatchObject([{ description: 'two' }, { description: 'one' }]);
  });

  test('keep their URI after a rename while an editor is open; later the URI has the new name', async () => {
    const { open, write } = await openFiles(textOf(SEARCH));
    const uri = open(0);
    editor.documents.push({ uri });
    await write(uri, '{ "name": "find" }');
    expect(open(0)).toEqual(uri);
    editor.documents.length = 0;
    expect(open(0).path).toMatch(/find\.playground-tool\.json$/);
    expect(open(0)).toEqual(open(0));
  });

  test('are unavailable while their playground is closed, and come back with it', async () => {
    const { open, write, session, events, files, sessions } = await openFiles(textOf(SEARCH, WEATHER));
    const uri = open(1);
    await session.dispose();
    expect(events).toEqual([[DELETED, uri.toString()]]);
    expect(codeOf(() => files.stat(uri))).toBe('Unavailable');
    await expect(write(uri, '{}')).rejects.toThrow('The playground of this tool is closed.');
    // Meanwhile the tools are in another order.
    const again = await openSession({ text: textOf(WEATHER, SEARCH) });
    sessions.add(again.session);
    await write(uri, '{ "name": "get_weather", "description": "again" }');
    expect(again.session.editable.document.tools[0]).toMatchObject({ description: 'again' });
  });

  test('do not exist at any other URI', async () => {
    const { open, files, session } = await openFiles(textOf(SEARCH));
    const uri = open(0);
    const key = uri.path.split('/')[1] ?? '';
    const at = (path: string): vscode.Uri => Uri.from({ scheme: uri.scheme, path }) as never;
    for (const path of [
      `/${key}/0/other.playground-tool.json`,
      `/${key}/7/other.playground-tool.json`,
      `/${key}/package.json`,
      '/package.json',
    ]) {
      expect(codeOf(() => files.stat(at(path)))).toBe('FileNotFound');
      expect(codeOf(() => files.readFile(at(path)))).toBe('FileNotFound');
      const written = files.writeFile(at(path), new Uint8Array());
      await expect(written).rejects.toMatchObject({ code: 'FileNotFound' });
    }
    for (const path of ['/', `/${key}`, `/${key}/0`]) {
      expect(files.stat(at(path))).toMatchObject({ type: 2 });
      expect(codeOf(() => files.readFile(at(path)))).toBe('FileIsADirectory');
    }
    expect(files.open(session, 9)).toBeUndefined();
  });

  test('never have the same URI for two tools', async () => {
    const second = { ...SEARCH, description: 'two' };
    const { open, backing } = await openFiles(textOf(SEARCH, second));
    expect(open(0).path).not.toBe(open(1).path);
    backing.replace(textOf({ ...SEARCH, description: 'new' }, SEARCH, second));
    expect(new Set([0, 1, 2].map((index) => open(index).path)).size).toBe(3);
  });
});
