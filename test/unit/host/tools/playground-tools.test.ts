import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { PlaygroundTools } from '../../../../src/host/tools/playground-tools';
import type { Opened } from '../../../support/session/scripted-session';
import { MemoryBacking, openSession } from '../../../support/session/scripted-session';
import { editor, lm, openDialog, resetEditor, Uri, writeFile } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

const USER_FILE = '/global/.provider-playground/tools.json';
const openTools = (): PlaygroundTools => new PlaygroundTools(Uri.file('/global') as never);

/** Chooses the entries whose labels start with these texts. */
const choose =
  (...starts: string[]) =>
  (items: { label: string }[], { canPickMany = false } = {}): unknown => {
    const chosen = starts.flatMap((start) => items.filter(({ label }) => label.startsWith(start)));
    return canPickMany ? chosen : chosen[0];
  };

interface World extends Opened {
  tools: PlaygroundTools;
  written: () => unknown[];
}

async function open(entries: object[] = []): Promise<World> {
  const tools = openTools();
  const backing = new MemoryBacking(JSON.stringify({ tools: entries }));
  const opened = await openSession({ backing, tools: tools.sourceFor(backing) });
  tools.follow(opened.session);
  const written = (): unknown[] => (JSON.parse(backing.text) as { tools: unknown[] }).tools;
  return { ...opened, tools, written };
}

/** The messages, without the lists of choices. */
const messages = (): string[] =>
  editor.asked.map(([message]) => message).filter((message) => typeof message === 'string');

describe('PlaygroundTools.choose', () => {
  test('offers the tools of open playgrounds, in dialogs named after the choice', async () => {
    const { tools } = await open([{ name: 'a', description: 'A', mocks: [{ ask: true }] }, { name: 'b' }]);
    editor.answers.push(choose('From the playground Playground'));
    expect(await tools.choose('lab')).toEqual([
      { name: 'a', description: 'A', parameters: { type: 'object', properties: {} } },
      { name: 'b', parameters: { type: 'object', properties: {} } },
    ]);
    expect(editor.asked[0]).toMatchObject([
      [{ description: 'a, b' }, {}, {}, {}, {}],
      { title: 'Choose Tools' },
    ]);
  });
});

describe('PlaygroundTools.edit', () => {
  test('opens the tool as a file that can be read and written', async () => {
    const { tools, session, written } = await open([{ name: 'a' }]);
    await tools.edit(session, 0);
    const uri = editor.shown[0]?.uri as never as vscode.Uri;
    const files = editor.providers.get(uri.scheme) as vscode.FileSystemProvider;
    expect(new TextDecoder().decode(await files.readFile(uri))).toContain('"name": "a"');
    const text = new TextEncoder().encode('{ "name": "b" }');
    await files.writeFile(uri, text, { create: false, overwrite: true });
    expect(written()).toEqual([{ name: 'b' }]);
    const [code] = [expect.objectContaining({ code: 'NoPermissions' }) as Error];
    expect(() => files.delete(uri, { recursive: false })).toThrow(code);
    expect(() => files.createDirectory(uri)).toThrow(code);
    tools.dispose();
    expect(editor.providers.size).toBe(0);
  });

  test('opens the library of a reference at the tool', async () => {
    writeFile(USER_FILE, '{\n  "a": {}, "b": {}\n}');
    const references = ['user#/b', 'user#/c', 'nothing'].map(($ref) => ({ $ref }));
    const { tools, session } = await open(references);
    await tools.edit(session, 0);
    expect(editor.shown).toMatchObject([
      { uri: { path: USER_FILE }, options: { selection: { start: 13, end: 13 } } },
    ]);
    await tools.edit(session, 1);
    expect(messages()).toEqual(['The tool library of the user has no tool c.']);
    await expect(tools.edit(session, 2)).rejects.toMatchObject({ info: { code: 'refused' } });
    await expect(tools.edit(session, 3)).rejects.toThrow('The tool no longer exists.');
  });
});

describe('PlaygroundTools.import', () => {
  test('imports the tools of a request from the clipboard in one undo step', async () => {
    const { tools, session, written, backing } = await open([{ name: 'a' }]);
    const parameters = { type: 'object', $defs: { x: { type: 'STRING' } }, additionalProperties: false };
    const list = ['b', 'c'].map((name) => ({ type: 'function', function: { name, parameters } }));
    editor.clipboard = JSON.stringify({ model: 'm', tools: [...list, { type: 'function', function: {} }] });
    editor.answers.push(choose('From the clipboard'));
    await tools.import(session);
    expect(written()).toEqual([{ name: 'a' }, { name: 'b', parameters }, { name: 'c', parameters }]);
    expect(backing.edits).toBe(1);
    expect(messages()).toEqual(['Imported b, c. Left out: tools[2] has no name.']);
  });

  test('reports an invalid text, and an invalid file', async () => {
    const { tools, session, backing } = await open();
    editor.clipboard = 'hello';
    editor.answers.push(choose('From the clipboard'), undefined);
    await tools.import(session);
    editor.answers.push(choose('From a file'), [Uri.file('/x/none.json')]);
    await tools.import(session);
    const [text = '', file = ''] = messages();
    expect(text).toMatch(
      /^No tool was imported\. Left out: The text of the clipboard cannot be read: Line 1/,
    );
    expect(file).toMatch(/^No tool was imported\. Left out: none\.json could not be read: /);
    expect(backing.edits).toBe(0);
  });

  test('imports a file', async () => {
    const { tools, session, written } = await open();
    writeFile('/x/tools.json', '[{ "name": "a", "inputSchema": { "type": "object" } }] // of a server');
    editor.answers.push(choose('From a file'), [Uri.file('/x/tools.json')]);
    await tools.import(session);
    expect(written()).toEqual([{ name: 'a', parameters: { type: 'object' } }]);
  });

  test('imports tools of the editor without mocks, and offers to run them', async () => {
    lm.tools = [
      { name: 'search', description: 'finds\nthings', inputSchema: { type: 'object' }, tags: ['mcp'] },
      { name: 'with.dot', description: '', inputSchema: undefined, tags: [] },
      { name: 'other', description: '', inputSchema: undefined, tags: [] },
    ];
    const { tools, session, written, backing } = await open();
    const { dialog, answer: notify } = openDialog();
    editor.answers.push(choose('Tools of the editor'), choose('search', 'with.dot'), dialog);
    await tools.import(session);
    const warned: unknown = expect.stringContaining('has a dot, which OpenAI and Anthropic refuse');
    expect(editor.asked[1]?.[0]).toMatchObject([
      { label: 'search', description: 'finds things', detail: 'mcp' },
      { label: 'with.dot', detail: warned },
      { label: 'other' },
    ]);
    expect(written()).toEqual([
      { name: 'search', description: 'finds\nthings', parameters: { type: 'object' } },
      { name: 'with.dot', description: '', parameters: { type: 'object', properties: {} } },
    ]);
    expect(editor.asked[2]).toEqual([
      expect.stringMatching(/^Imported search, with\.dot\. The name with\.dot has a dot/),
      'Edit',
      'Really Invoke Them',
    ]);
    notify('Really Invoke Them');
    await expect.poll(() => backing.edits).toBe(2);
    expect(written()).toMatchObject([{ mocks: [{ invoke: true }] }, { mocks: [{ invoke: true }] }]);
  });

  test('opens the tool whose name servers refuse', async () => {
    const { tools, session } = await open();
    editor.clipboard = JSON.stringify(['a', 'b c'].map((name) => ({ name, parameters: {} })));
    editor.answers.push(choose('From the clipboard'), 'Edit');
    await tools.import(session);
    await expect.poll(() => editor.shown).toHaveLength(1);
    expect(editor.shown[0]?.uri.path).toMatch(/\/1\/b-c\.playground-tool\.json$/);
  });

  test('does not offer to run a tool that was renamed', async () => {
    lm.tools = [{ name: 'search', description: '', inputSchema: undefined, tags: [] }];
    const { tools, session } = await open([{ name: 'search' }]);
    editor.answers.push(choose('Tools of the editor'), choose('search'), 'Keep Both');
    await tools.import(session);
    expect(editor.asked.at(-1)).toEqual(['Imported search_2.']);
  });

  test('reports why a document cannot be changed, at once or after a click', async () => {
    lm.tools = [{ name: 'search', description: '', inputSchema: undefined, tags: [] }];
    const { tools, session, backing } = await open();
    const { dialog, answer: notify } = openDialog();
    editor.answers.push(choose('Tools of the editor'), choose('search'), dialog);
    await tools.import(session);
    backing.readOnly = 'This file cannot be written.';
    notify('Really Invoke Them');
    await expect.poll(() => messages().at(-1)).toContain('This file cannot be written.');
    editor.answers.push(choose('Tools of the editor'), choose('search'), 'Keep Both');
    await expect(tools.import(session)).rejects.toMatchObject({
      info: { code: 'refused', what: 'The tools were not changed: This file cannot be written.' },
    });
  });

  test('reports that the editor has no tools yet', async () => {
    const { tools, session } = await open();
    editor.answers.push(choose('Tools of the editor'));
    await tools.import(session);
    expect(messages()).toEqual([
      'No tool was imported. Left out: The editor has no tools yet; the tools of an MCP server appear once it has been started.',
    ]);
  });

  test('references tools of a library, which are updated with it', async () => {
    writeFile(USER_FILE, '{ "a": { "description": "one" }, "b": {} }');
    const { tools, session, written } = await open();
    editor.answers.push(choose('From a tool library'), choose('a'));
    await tools.import(session);
    expect(written()).toEqual([{ $ref: 'user#/a' }]);
    await expect.poll(() => session.editable.tools[0]?.tool.description).toBe('one');
    writeFile(USER_FILE, '{ "a": { "description": "two" } }');
    editor.changedOnDisk.fire();
    await expect.poll(() => session.editable.tools[0]?.tool.description).toBe('two');
  });

  test('says how to create a library', async () => {
    const { tools, session } = await open();
    editor.answers.push(choose('From a tool library'));
    await tools.import(session);
    expect(messages()[0]).toContain('“Edit User Tool Library” makes one');
  });

  test('asks about existing names', async () => {
    const { tools, session, written, backing } = await open([{ name: 'a', mocks: [{ ask: true }] }]);
    editor.clipboard = '[{ "name": "a", "parameters": { "type": "null" } }]';
    const source = choose('From the clipboard');
    editor.answers.push(source, undefined);
    await tools.import(session);
    expect(backing.edits).toBe(0);
    editor.answers.push(source, 'Keep Both', undefined, source, 'Replace');
    await tools.import(session);
    expect(written()[1]).toMatchObject({ name: 'a_2' });
    await tools.import(session);
    expect(written()).toMatchObject([
      { name: 'a', parameters: { type: 'null' }, mocks: [{ ask: true }] },
      { name: 'a_2', parameters: { type: 'null' } },
    ]);
    expect(messages()[0]).toBe('The playground already has tools with these names: a.');
  });

  test('changes nothing when the user cancels', async () => {
    lm.tools = [{ name: 'search', description: '', inputSchema: undefined, tags: [] }];
    const { tools, session, backing } = await open();
    await tools.import(session);
    editor.answers.push(choose('From a file'));
    await tools.import(session);
    editor.answers.push(choose('Tools of the editor'), []);
    await tools.import(session);
    expect(backing.edits).toBe(0);
    expect(messages()).toEqual([]);
  });
});

describe('PlaygroundTools.sourceFor', () => {
  test('resolves references, and runs real tools', async () => {
    writeFile(USER_FILE, '{ "a": {} }');
    const source = openTools().sourceFor(new MemoryBacking('{}'));
    expect(await source.resolve('user#/a')).toMatchObject({ name: 'a' });
    expect(await source.resolve('user#/b')).toBe('The tool library of the user has no tool b.');
    const { signal } = new AbortController();
    await expect(source.invoke('gone', {}, signal)).rejects.toThrow('The editor has no tool gone.');
  });

  test('asks separately for each playground before a tool runs', async () => {
    lm.tools = [{ name: 'search', description: '', inputSchema: undefined, tags: [] }];
    const tools = openTools();
    const { signal } = new AbortController();
    const [one, other] = ['1', '2'].map((id) => tools.sourceFor(new MemoryBacking('{}', id)));
    editor.answers.push('Invoke, and do not ask again for this tool in this session');
    await one?.invoke('search', {}, signal);
    await one?.invoke('search', {}, signal);
    expect(editor.asked).toHaveLength(1);
    await expect(other?.invoke('search', {}, signal)).rejects.toThrow('It was not confirmed.');
  });
});

describe('PlaygroundTools.editUserLibrary', () => {
  test('opens the file, and creates it if there is none', async () => {
    await openTools().editUserLibrary();
    expect(editor.files.has(USER_FILE)).toBe(true);
    expect(editor.shown).toMatchObject([{ uri: { path: USER_FILE } }]);
  });
});
