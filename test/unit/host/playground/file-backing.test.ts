import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FileBacking } from '../../../../src/host/playground/file-backing';
import type { EventEmitter } from '../../../support/vscode-stub';

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

/** What the editor does with an edit, and what it says of a file system. */
const editor = vi.hoisted(() => ({
  applied: [] as Replacement[][],
  answer: (): Promise<boolean> => Promise.resolve(true),
  isWritable: true as boolean | undefined,
  permissions: undefined as number | undefined,
  changed: undefined as unknown,
}));

vi.mock('vscode', async (importOriginal) => {
  const { EventEmitter: Emitter } = await importOriginal<{ EventEmitter: typeof EventEmitter }>();
  const emitter = new Emitter<Change>();
  editor.changed = emitter;
  return {
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

/** A text document, with offsets for positions. */
function openDocument(path = '/projects/weather.playground.json', text = '{}') {
  const document = {
    uri: { path, scheme: 'file', toString: () => `file://${path}` },
    text,
    getText: () => document.text,
    positionAt: (offset: number) => offset,
  };
  return document;
}
const toBacking = (document: object): FileBacking => new FileBacking(document as never);
const fire = (change: Change): void => (editor.changed as EventEmitter<Change>).fire(change);

beforeEach(() => {
  editor.applied.length = 0;
  editor.answer = () => Promise.resolve(true);
  editor.isWritable = true;
  editor.permissions = undefined;
});

describe('FileBacking', () => {
  test('is named after its file, and its runs after where the file lies', () => {
    const { id, title, kind } = toBacking(openDocument('/projects/a b/weather.playground.json'));
    expect({ id, title, kind }).toEqual({
      id: 'file:file:///projects/a b/weather.playground.json',
      title: 'weather',
      kind: 'file',
    });
    expect(toBacking(openDocument('/projects/other.json')).title).toBe('other.json');
  });

  test('reads what the editor has, saved or not', () => {
    const document = openDocument();
    const backing = toBacking(document);
    document.text = '{ "system": "unsaved" }';
    expect(backing.read()).toBe('{ "system": "unsaved" }');
  });

  test('makes the edits of one action in one step, at their places in the text before', async () => {
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
    ['fails with', () => Promise.reject(new Error('no'))],
  ])('says so when the editor %s an edit', async (_, answer) => {
    editor.answer = answer;
    expect(await toBacking(openDocument()).apply([{ offset: 0, length: 0, text: 'x' }])).toBe(false);
  });

  test('tells of changes of its own text, whoever made them, until nobody listens', () => {
    const document = openDocument();
    const backing = toBacking(document);
    const seen = vi.fn();
    const stop = backing.onDidChange(seen);
    fire({ document, contentChanges: [{}] });
    fire({ document: openDocument(), contentChanges: [{}] });
    // such as after saving
    fire({ document, contentChanges: [] });
    expect(seen).toHaveBeenCalledTimes(1);
    stop();
    fire({ document, contentChanges: [{}] });
    expect(seen).toHaveBeenCalledTimes(1);
  });

  test('tells nothing once it is disposed', () => {
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
  ])('where the file system says %s about writing', (isWritable, words) => {
    editor.isWritable = isWritable;
    const { readOnly } = toBacking(openDocument());
    if (words === undefined) expect(readOnly).toBeUndefined();
    else expect(readOnly).toContain(words);
  });

  test('is read-only when the file itself is, as soon as that is known', async () => {
    editor.permissions = 1;
    const backing = toBacking(openDocument());
    const changed = vi.fn();
    backing.onDidChange(changed);
    await vi.waitFor(() => expect(changed).toHaveBeenCalled());
    expect(backing.readOnly).toContain('cannot be written to');
  });
});
