import { describe, expect, test, vi } from 'vitest';
import { EditableDocument, EditRefusedError } from '../../../../src/session/editing/editable-document';
import type { ToolSource } from '../../../../src/session';
import { NEW_PLAYGROUND_TEXT } from '../../../../src/session';
import { FakeClock } from '../../../support/fake-clock';
import { MemoryBacking } from '../../../support/session/scripted-session';

const GATHER_MS = 1_000;

function open(text = '{}', tools: Partial<ToolSource> = {}, kind: 'file' | 'scratch' = 'file') {
  const backing = new MemoryBacking(text);
  backing.kind = kind;
  const clock = new FakeClock();
  const onChange = vi.fn();
  const editable = new EditableDocument({
    backing,
    clock,
    onChange,
    tools: {
      resolve: (reference) => Promise.resolve(`There is no tool ${reference}.`),
      invoke: () => Promise.reject(new Error('No.')),
      onDidChange: () => () => undefined,
      ...tools,
    },
  });
  return { backing, clock, editable, onChange };
}
const system = (value: string) => [{ path: ['system'], value }];
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('EditableDocument', () => {
  test('changes the text and the document, and notifies its listener', async () => {
    const { backing, editable, onChange } = open('{ "system": "a" } // mine');
    const { version } = editable;
    await editable.edit(system('b'));
    expect(backing.text).toBe('{ "system": "b" } // mine');
    expect(editable.document.system).toBe('b');
    expect(editable.version).toBeGreaterThan(version);
    expect(onChange).toHaveBeenCalled();
  });

  test('applies edits one after the other, each to the result of the previous one', async () => {
    const { editable, backing } = open();
    const add = (content: string) =>
      editable.edit([
        { path: ['messages', editable.document.messages.length], value: { role: 'user', content } },
      ]);
    await Promise.all([editable.edit(system('a')), editable.edit(system('b')), editable.edit(system('c'))]);
    await add('one');
    await add('two');
    expect(editable.document).toMatchObject({
      system: 'c',
      messages: [{ content: 'one' }, { content: 'two' }],
    });
    expect(backing.edits).toBe(5);
  });

  test('makes no undo step for an edit that changes nothing', async () => {
    const { backing, editable } = open('{ "system": "a" }');
    await editable.edit(system('a'));
    expect(backing.edits).toBe(0);
  });

  describe('edits with a group', () => {
    test('combines typing into one step after a pause', async () => {
      const { backing, clock, editable } = open();
      for (const text of ['W', 'Wh', 'What']) {
        await editable.edit(system(text), 'typing');
        clock.advance(GATHER_MS / 10);
      }
      expect(backing.edits).toBe(0);
      clock.advance(GATHER_MS);
      await settle();
      expect(backing.edits).toBe(1);
      expect(editable.document.system).toBe('What');
      expect(clock.pending).toBe(0);
    });

    test('combines edits of different places if they have the same group', async () => {
      const { backing, editable } = open();
      await editable.edit(system('a'), 'g');
      await editable.edit([{ path: ['lanes', 0, 'model'], value: 'm' }], 'g');
      await editable.flush();
      expect(backing.edits).toBe(1);
      expect(editable.document).toMatchObject({ system: 'a', lanes: [{ model: 'm' }] });
    });

    test('applies a group before an edit of another group or of none', async () => {
      const { backing, editable } = open();
      await editable.edit(system('a'), 'one');
      await editable.edit([{ path: ['lanes', 0, 'model'], value: 'm' }], 'other');
      expect(backing.edits).toBe(1);
      await editable.edit([{ path: ['embedding', 'model'], value: 'e' }]);
      expect(backing.edits).toBe(3);
      expect(editable.document).toMatchObject({
        system: 'a',
        lanes: [{ model: 'm' }],
        embedding: { model: 'e' },
      });
    });

    test('drops a group on request, but not another one', async () => {
      const { backing, clock, editable } = open();
      await editable.edit(system('a'), 'draft');
      editable.dropGathered('other');
      editable.dropGathered('draft');
      clock.advance(GATHER_MS);
      await editable.flush();
      expect(backing.edits).toBe(0);
      expect(clock.pending).toBe(0);
    });

    test('refuses a group when the text has become invalid meanwhile, and keeps that text', async () => {
      const { backing, clock, editable } = open();
      await editable.edit(system('a'), 'g');
      backing.replace('{');
      await expect(editable.flush()).rejects.toBeInstanceOf(EditRefusedError);
      await editable.edit(system('b'), 'g');
      clock.advance(GATHER_MS);
      await settle();
      expect(backing.text).toBe('{');
    });

    test('applies the last group when a session ends', async () => {
      const { backing, clock, editable } = open();
      await editable.edit(system('a'), 'g');
      await editable.flush();
      editable.dispose();
      expect(JSON.parse(backing.text)).toMatchObject({ system: 'a' });
      expect(clock.pending).toBe(0);
    });
  });

  describe('a step of a scratch', () => {
    const openScratch = (text?: string) => open(text, {}, 'scratch');

    test('undoes and redoes the last edit, and notifies the listener', async () => {
      const { backing, editable, onChange } = openScratch('{ "system": "a" } // mine');
      await editable.edit(system('b'));
      onChange.mockClear();
      expect(await editable.undoOrRedo('undo')).toBe('taken');
      expect(backing.text).toBe('{ "system": "a" } // mine');
      expect(editable.document.system).toBe('a');
      expect(onChange).toHaveBeenCalled();
      await editable.undoOrRedo('redo');
      expect(editable.document.system).toBe('b');
    });

    test('comprises what was typed in one field in quick succession, even if it was not applied yet', async () => {
      const { clock, editable } = openScratch('{ "system": "a" }');
      for (const text of ['W', 'Wh']) {
        await editable.edit(system(text), 'typing');
        clock.advance(GATHER_MS / 10);
      }
      await editable.undoOrRedo('undo');
      expect(editable.document.system).toBe('a');
      await editable.undoOrRedo('redo');
      expect(editable.document.system).toBe('Wh');
    });

    test('leaves a new playground as it was, and stays possible after a message was typed', async () => {
      const { backing, editable } = openScratch('');
      const before = editable.document;
      await editable.edit([{ path: ['tools', 0] }]);
      await editable.edit([{ path: ['messages', 0, 'content'], value: 'Is it cold?' }], 'draft');
      expect(await editable.undoOrRedo('undo')).toBe('taken');
      expect(editable.document).toEqual({
        ...before,
        messages: [{ ...before.messages[0], content: 'Is it cold?' }],
      });
      await editable.edit([{ path: ['messages', 0, 'content'], value: before.messages[0]?.content }]);
      expect(backing.text).toBe(NEW_PLAYGROUND_TEXT);
    });

    test('never changes messages', async () => {
      const { editable } = openScratch();
      await editable.edit([{ path: ['messages', 0], value: { role: 'user', content: 'Hello' } }]);
      expect(await editable.undoOrRedo('undo')).toBe('none');
      expect(editable.document.messages).toMatchObject([{ content: 'Hello' }]);
    });

    test('is not taken if the change is not accepted', async () => {
      const { backing, editable } = openScratch();
      await editable.edit(system('a'));
      const accept = backing.apply.bind(backing);
      backing.apply = () => Promise.resolve(false);
      expect(await editable.undoOrRedo('undo')).toBe('none');
      backing.apply = accept;
      expect(await editable.undoOrRedo('undo')).toBe('none');
      expect(editable.document.system).toBe('a');
    });

    test('is not taken if the text would become invalid', async () => {
      const { backing, editable } = openScratch();
      await editable.edit(system('a'));
      // Without the system prompt, the comma before the messages is wrong.
      await editable.edit([{ path: ['messages', 0], value: { role: 'user', content: 'Hello' } }]);
      const { text } = backing;
      expect(text).toMatch(/"system": "a",\s*"messages"/);
      expect(await editable.undoOrRedo('undo')).toBe('none');
      expect(backing.text).toBe(text);
    });

    test('changes nothing if nothing was edited, or another window has changed the text since', async () => {
      const { backing, editable } = openScratch();
      expect(await editable.undoOrRedo('undo')).toBe('none');
      expect(backing.edits).toBe(0);
      await editable.edit(system('a'));
      backing.replace('{ "system": "outside" }');
      await editable.undoOrRedo('undo');
      expect(editable.document.system).toBe('outside');
    });

    test('is none of a file, whose editor has the steps; what was typed is written first', async () => {
      const { backing, editable } = open('{ "system": "a" }');
      await editable.edit(system('b'), 'typing');
      expect(await editable.undoOrRedo('undo')).toBe('in-editor');
      expect(backing.text).toBe('{ "system": "b" }');
    });
  });

  describe('a change from outside', () => {
    test('is visible at once', () => {
      const { backing, editable, onChange } = open();
      onChange.mockClear();
      backing.replace('{ "system": "outside" }');
      expect(editable.document.system).toBe('outside');
      expect(onChange).toHaveBeenCalled();
    });

    test('is not reported if the text is equal', () => {
      const { backing, editable } = open('{ "system": "a" }');
      const { version } = editable;
      backing.replace('{ "system": "a" }');
      expect(editable.version).toBe(version);
    });

    test('to a file that was never valid shows nothing until the text is valid', () => {
      const { backing, editable } = open('{ "lanes": [{ "id": "mine", "connection": "demo" }');
      expect(editable.error).toBeDefined();
      expect(editable.document).toMatchObject({ messages: [], tools: [], lanes: [] });
      backing.replace('{ "lanes": [{ "id": "mine", "connection": "demo" }] }');
      expect(editable.document.lanes.map(({ id }) => id)).toEqual(['mine']);
    });

    test('to invalid text is reported with its line; the last valid document stays until the text is valid again', () => {
      const { backing, editable } = open('{ "system": "a" }');
      backing.replace('{\n "system": 7 }');
      expect(editable.error?.line).toBe(2);
      expect(editable.document.system).toBe('a');
      backing.replace('{ "system": "b", "unknown": 1 }');
      expect(editable.error).toBeUndefined();
      expect(editable.warnings).toHaveLength(1);
      expect(editable.document.system).toBe('b');
    });

    test('before an edit is the base of that edit', async () => {
      const { backing, editable } = open('{ "system": "a" }');
      const edited = editable.edit([{ path: ['lanes', 0, 'model'], value: 'm' }]);
      backing.replace('{ "system": "outside" }');
      await edited;
      expect(editable.document).toMatchObject({ system: 'outside', lanes: [{ model: 'm' }] });
    });

    test('is reported if only the notice about unsaved changes differs', async () => {
      const { backing, editable, onChange } = open();
      await settle();
      onChange.mockClear();
      backing.notWritten = 'The tab is locked.';
      backing.unlock = () => {
        backing.notWritten = backing.unlock = undefined;
        return Promise.resolve(backing.replace(backing.text));
      };
      backing.replace(backing.text);
      expect([editable.notWritten, editable.canUnlock]).toEqual(['The tab is locked.', true]);
      expect(onChange).toHaveBeenCalledTimes(1);
      await editable.unlock();
      expect([editable.notWritten, editable.canUnlock]).toEqual([undefined, false]);
      expect(onChange).toHaveBeenCalledTimes(2);
    });

    test('is not reported after disposal', () => {
      const { backing, editable, onChange } = open();
      editable.dispose();
      onChange.mockClear();
      backing.replace('{ "system": "late" }');
      expect(onChange).not.toHaveBeenCalled();
    });
  });

  describe('an edit is refused', () => {
    test('with the reason if the document is read-only', async () => {
      const { backing, editable } = open();
      backing.readOnly = 'It is on a read-only disk.';
      expect(editable.readOnly).toBe('It is on a read-only disk.');
      await expect(editable.edit(system('a'))).rejects.toThrow('It is on a read-only disk.');
      expect(backing.text).toBe('{}');
    });

    test('if the editor refuses it', async () => {
      const { backing, editable } = open();
      vi.spyOn(backing, 'apply').mockResolvedValueOnce(false);
      await expect(editable.edit(system('a'))).rejects.toBeInstanceOf(EditRefusedError);
      expect(editable.document.system).toBe('');
      await editable.edit(system('b'));
      expect(editable.document.system).toBe('b');
    });

    test('as a whole if the document would become invalid', async () => {
      const { backing, editable } = open();
      const edits = [...system('a'), { path: ['lanes', 0, 'rescueToolCalls'], value: 'maybe' }];
      await expect(editable.edit(edits)).rejects.toBeInstanceOf(EditRefusedError);
      expect(backing.text).toBe('{}');
    });
  });

  test('names places with a possible secret without quoting it', () => {
    const { backing, editable } = open(
      '{ "lanes": [{ "id": "a", "raw": { "api_key": "sk-canary-0123456789" } }] }',
    );
    expect(editable.secrets).toHaveLength(1);
    expect(JSON.stringify(editable.secrets)).not.toContain('canary');
    backing.replace('{}');
    expect(editable.secrets).toEqual([]);
  });

  test('resolves a tool reference, and again when libraries change', async () => {
    let onLibrary = (): void => undefined;
    let found: Awaited<ReturnType<ToolSource['resolve']>> = 'There is no such library.';
    const { editable } = open('{ "tools": [{ "$ref": "./tools.json#/t" }] }', {
      resolve: () => Promise.resolve(found),
      onDidChange: (listener) => {
        onLibrary = listener;
        return () => undefined;
      },
    });
    await editable.resolved();
    expect(editable.toolViews()).toMatchObject([
      { problems: ['There is no such library.'], isOffered: false },
    ]);
    found = { name: 't', parameters: { type: 'object' }, offered: true, mocks: [] };
    onLibrary();
    await settle();
    expect(editable.toolViews()).toMatchObject([
      { name: 't', problems: [], reference: './tools.json#/t', isOffered: true },
    ]);
  });

  test('uses the result of the later of two look-ups, in whatever order they end', async () => {
    const answers: ((name: string) => void)[] = [];
    const { backing, editable } = open('{}', {
      resolve: () =>
        new Promise((resolve) =>
          answers.push((name) => resolve({ name, parameters: {}, offered: true, mocks: [] })),
        ),
    });
    backing.replace('{ "tools": [{ "$ref": "one#/t" }] }');
    backing.replace('{ "tools": [{ "$ref": "two#/t" }] }');
    answers[1]?.('later');
    await settle();
    answers[0]?.('earlier');
    await settle();
    expect(editable.toolViews().map(({ name }) => name)).toEqual(['later']);
  });

  test('returns the messages of a lane: those for all lanes and those for it', () => {
    const messages = [
      { role: 'user', content: 'all' },
      { role: 'user', content: 'b', lanes: ['b'] },
      { role: 'user', content: 'both', lanes: ['a', 'b'] },
    ];
    const { editable } = open(JSON.stringify({ messages }));
    expect(editable.messagesOf('a').map(({ content }) => content)).toEqual(['all', 'both']);
    expect(editable.messagesOf('gone').map(({ content }) => content)).toEqual(['all']);
  });
});
