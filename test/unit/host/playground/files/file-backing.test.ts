import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FileBacking } from '../../../../../src/host/playground/files/file-backing';
import type { EventEmitter } from '../../../../support/vscode/vscode-stub';

/** Long enough for a busy machine. */
const SOON = { timeout: 60_000, interval: 20 };

interface Replacement {
  uri: unknown;
  start: number;
  end: number;
  text: string;
}
interface Change {
  document: unknown;
  contentChanges: unknown[];
}

/** What the editor returns for an edit, and what it says about the file system. */
const editor = vi.hoisted(() => ({
  applied: [] as Replacement[][],
  answer: (): Promise<boolean> => Promise.resolve(true),
  isWritable: true as boolean | undefined,
  permissions: undefined as number | undefined,
  changed: undefined as unknown,
  opened: undefined as unknown,
  configured: undefined as unknown,
  saved: undefined as unknown,
  /** Settings of the section `files`. */
  settings: {} as Record<string, unknown>,
  /** The patterns that match the document. */
  matching: [] as string[],
  commands: [] as string[],
}));

vi.mock('vscode', async (importOriginal) => {
  const { EventEmitter: Emitter } = await importOriginal<{ EventEmitter: typeof EventEmitter }>();
  const emitter = new Emitter<Change>();
  editor.changed = emitter;
  const opened = new Emitter<unknown>();
  editor.opened = opened;
  const configured = new Emitter<unknown>();
  editor.configured = configured;
  const saved = new Emitter<unknown>();
  editor.saved = saved;
  return {
    Disposable: {
      from: (...parts: { dispose: () => void }[]) => ({ dispose: () => parts.map((part) => part.dispose()) }),
    },
    languages: {
      match: (filters: { pattern: string }[]) =>
        filters.some(({ pattern }) => editor.matching.includes(pattern)) ? 10 : 0,
    },
    commands: {
      executeCommand: (command: string) => Promise.resolve(void editor.commands.push(command)),
    },
    Range: class {
      readonly start: number;
      readonly end: number;
      constructor(start: number, end: number) {
        this.start = start;
        this.end = end;
      }
    },
    WorkspaceEdit: class {
      readonly replaced: Replacement[] = [];
      replace(uri: unknown, { start, end }: { start: number; end: number }, text: string): void {
        this.replaced.push({ uri, start, end, text });
      }
    },
    workspace: {
      onDidChangeTextDocument: emitter.event,
      onDidOpenTextDocument: opened.event,
      onDidChangeConfiguration: configured.event,
      onDidSaveTextDocument: saved.event,
      getConfiguration: () => ({ get: (name: string) => editor.settings[name] }),
      getWorkspaceFolder: () => undefined,
      fs: {
        isWritableFileSystem: () => editor.isWritable,
        stat: () => Promise.resolve({ permissions: editor.permissions }),
      },
      applyEdit: ({ replaced }: { replaced: Replacement[] }) => {
        editor.applied.push(replaced);
        return editor.answer();
      },
    },
  };
});

/** A text document whose positions are offsets. */
function openDocument(path = '/projects/weather.playground.json', text = '{}') {
  const document = {
    uri: { path, scheme: 'file', fsPath: path, toString: () => `file://${path}` },
    text,
    isDirty: true,
    getText: () => document.text,
    positionAt: (offset: number) => offset,
  };
  return document;
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const toBacking = (document: object): FileBacking => new FileBacking(document as never);
const configure = (settings: Record<string, unknown>): void => {
  editor.settings = settings;
  (editor.configured as EventEmitter<unknown>).fire({
    affectsConfiguration: (name: string) => name === 'files.readonlyInclude',
  });
};
const fire = (change: Change): void => (editor.changed as EventEmitter<Change>).fire(change);

beforeEach(() => {
  editor.applied.length = 0;
  editor.answer = () => Promise.resolve(true);
  editor.isWritable = true;
  editor.permissions = undefined;
  editor.settings = {};
  editor.matching = [];
  editor.commands = [];
});

describe('FileBacking', () => {
  test('takes its title from its file, and its id from the URI', () => {
    const { id, title, kind } = toBacking(openDocument('/projects/a b/weather.playground.json'));
    expect({ id, title, kind }).toEqual({
      id: 'file:file:///projects/a b/weather.playground.json',
      title: 'weather',
      kind: 'file',
    });
    expect(toBacking(openDocument('/projects/other.json')).title).toBe('other.json');
  });

  test('returns the text in the editor, saved or not', () => {
    const document = openDocument();
    const backing = toBacking(document);
    document.text = '{ "system": "unsaved" }';
    expect(backing.read()).toBe('{ "system": "unsaved" }');
  });

  test('applies the edits of one action in one step, with offsets in the previous text', async () => {
    const document = openDocument();
    const done = await toBacking(document).apply([
      { offset: 4, length: 2, text: 'two' },
      { offset: 0, length: 0, text: 'one' },
    ]);
    expect(done).toBe(true);
    expect(editor.applied).toEqual([
      [
        { uri: document.uri, start: 4, end: 6, text: 'two' },
        { uri: document.uri, start: 0, end: 0, text: 'one' },
      ],
    ]);
  });

  test.each([
    ['refuses', () => Promise.resolve(false)],
    ['fails to apply', () => Promise.reject(new Error('no'))],
  ])('returns false when the editor %s an edit', async (_, answer) => {
    editor.answer = answer;
    expect(await toBacking(openDocument()).apply([{ offset: 0, length: 0, text: 'x' }])).toBe(false);
  });

  test('reports every change of its own text until the listener is removed', () => {
    const document = openDocument();
    const backing = toBacking(document);
    const seen = vi.fn();
    const stop = backing.onDidChange(seen);
    fire({ document, contentChanges: [{}] });
    fire({ document: openDocument(), contentChanges: [{}] });
    // As after saving.
    fire({ document, contentChanges: [] });
    expect(seen).toHaveBeenCalledTimes(1);
    stop();
    fire({ document, contentChanges: [{}] });
    expect(seen).toHaveBeenCalledTimes(1);
  });

  test('follows its file when the editor has closed it and opens it again', () => {
    const backing = toBacking(openDocument());
    const seen = vi.fn();
    backing.onDidChange(seen);
    const again = openDocument(undefined, '{ "system": "new" }');
    (editor.opened as EventEmitter<unknown>).fire(openDocument('/projects/other.playground.json'));
    expect(seen).not.toHaveBeenCalled();
    (editor.opened as EventEmitter<unknown>).fire(again);
    expect(seen).toHaveBeenCalledTimes(1);
    expect(backing.read()).toBe('{ "system": "new" }');
    fire({ document: again, contentChanges: [{}] });
    expect(seen).toHaveBeenCalledTimes(2);
  });

  test('reports nothing after disposal', () => {
    const document = openDocument();
    const backing = toBacking(document);
    const seen = vi.fn();
    backing.onDidChange(seen);
    backing.dispose();
    fire({ document, contentChanges: [{}] });
    expect(seen).not.toHaveBeenCalled();
  });

  test.each([
    [true, undefined],
    [undefined, undefined],
    [false, 'Save it under another name'],
  ])('when the file system reports %s as writable, is read-only only for false', (isWritable, words) => {
    editor.isWritable = isWritable;
    const { readOnly } = toBacking(openDocument());
    if (words === undefined) expect(readOnly).toBeUndefined();
    else expect(readOnly).toContain(words);
  });

  test('is read-only when the file is, as soon as its permissions are known', async () => {
    editor.permissions = 1;
    const backing = toBacking(openDocument());
    const changed = vi.fn();
    backing.onDidChange(changed);
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), SOON);
    expect(backing.readOnly).toContain('cannot be written to');
  });

  describe('where a setting keeps the file read-only', () => {
    const INCLUDED = { readonlyInclude: { 'generated/**': true } };

    test('is read-only or writable as the settings change', async () => {
      editor.matching = ['generated/**'];
      const backing = toBacking(openDocument());
      const seen: (string | undefined)[] = [];
      backing.onDidChange(() => seen.push(backing.readOnly));
      configure(INCLUDED);
      await settle();
      configure({});
      await settle();
      expect(seen).toEqual([expect.stringContaining('files.readonlyInclude'), undefined]);
    });

    test('is writable once it was made writable in this session, whatever the settings', async () => {
      Object.assign(editor, { matching: ['generated/**'], settings: INCLUDED });
      const backing = toBacking(openDocument());
      await settle();
      await backing.unlock?.();
      expect(editor.commands).toEqual(['workbench.action.files.setActiveEditorWriteableInSession']);
      expect([backing.readOnly, editor.applied]).toEqual([undefined, []]);
      configure(INCLUDED);
      await settle();
      expect(backing.readOnly).toBeUndefined();
    });

    test('is writable once it was changed in another way', async () => {
      Object.assign(editor, { matching: ['generated/**'], settings: INCLUDED });
      const document = openDocument();
      document.isDirty = false;
      const backing = toBacking(document);
      await settle();
      fire({ document, contentChanges: [{}] });
      expect(backing.readOnly).toContain('files.readonlyInclude');
      document.isDirty = true;
      fire({ document, contentChanges: [] });
      expect(backing.readOnly).toBeUndefined();
    });
  });

  describe('when only the tab is locked', () => {
    const edit = [{ offset: 0, length: 0, text: ' ' }];

    test('reports a change that did not make the document dirty, and accepts more', async () => {
      const document = openDocument();
      document.isDirty = false;
      const backing = toBacking(document);
      expect(backing.notWritten).toBeUndefined();
      const seen = vi.fn();
      backing.onDidChange(seen);
      expect(await backing.apply(edit)).toBe(true);
      expect(backing.notWritten).toContain('your changes here are not written to it');
      expect(backing.readOnly).toBeUndefined();
      expect(seen).toHaveBeenCalledTimes(1);
      expect(await backing.apply(edit)).toBe(true);
    });

    test('accepts a change that was saved at once', async () => {
      const document = openDocument();
      document.isDirty = false;
      editor.answer = () => {
        (editor.saved as EventEmitter<unknown>).fire(document);
        return Promise.resolve(true);
      };
      const backing = toBacking(document);
      await backing.apply(edit);
      expect(backing.notWritten).toBeUndefined();
    });

    test('keeps earlier changes once the file is made writable', async () => {
      const document = openDocument();
      document.isDirty = false;
      const backing = toBacking(document);
      await backing.apply(edit);
      editor.answer = () => {
        document.isDirty = true;
        return Promise.resolve(true);
      };
      editor.applied.length = 0;
      await backing.unlock?.();
      expect(editor.applied.flat().map(({ text }) => text)).toEqual(['\n', '']);
      expect([backing.notWritten, backing.unlock]).toEqual([undefined, undefined]);
    });

    test('reports it again if unlocking had no effect', async () => {
      const document = openDocument();
      document.isDirty = false;
      const backing = toBacking(document);
      await backing.apply(edit);
      await backing.unlock?.();
      expect(backing.notWritten).toContain('your changes here are not written to it');
    });
  });
});
