import { describe, expect, test, vi } from 'vitest';
import { DocumentKeeper, EditRefusedError } from '../../../src/session/document-keeper';
import type { ToolSource } from '../../../src/session';
import { FakeClock } from '../../support/fake-clock';
import { MemoryBacking } from '../../support/scripted-session';

const GATHER_MS = 1_000;

function open(text = '{}', tools: Partial<ToolSource> = {}) {
  const backing = new MemoryBacking(text);
  const clock = new FakeClock();
  const onChange = vi.fn();
  const keeper = new DocumentKeeper({
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
  return { backing, clock, keeper, onChange };
}
const system = (value: string) => [{ path: ['system'], value }];
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('DocumentKeeper', () => {
  test('an edit changes the text and the document, and is told', async () => {
    const { backing, keeper, onChange } = open('{ "system": "a" } // mine');
    const { version } = keeper;
    await keeper.edit(system('b'));
    expect(backing.text).toBe('{ "system": "b" } // mine');
    expect(keeper.document.system).toBe('b');
    expect(keeper.version).toBeGreaterThan(version);
    expect(onChange).toHaveBeenCalled();
  });

  test('edits follow each other: each is made on what the one before left', async () => {
    const { keeper, backing } = open();
    const add = (content: string) =>
      keeper.edit([
        { path: ['messages', keeper.document.messages.length], value: { role: 'user', content } },
      ]);
    await Promise.all([keeper.edit(system('a')), keeper.edit(system('b')), keeper.edit(system('c'))]);
    await add('one');
    await add('two');
    expect(keeper.document).toMatchObject({
      system: 'c',
      messages: [{ content: 'one' }, { content: 'two' }],
    });
    expect(backing.edits).toBe(5);
  });

  test('an edit that changes nothing is no step', async () => {
    const { backing, keeper } = open('{ "system": "a" }');
    await keeper.edit(system('a'));
    expect(backing.edits).toBe(0);
  });

  describe('gathering', () => {
    test('typing is one step, made when it rests', async () => {
      const { backing, clock, keeper } = open();
      for (const text of ['W', 'Wh', 'What']) {
        await keeper.edit(system(text), 'typing');
        clock.advance(GATHER_MS / 10);
      }
      expect(backing.edits).toBe(0);
      clock.advance(GATHER_MS);
      await settle();
      expect(backing.edits).toBe(1);
      expect(keeper.document.system).toBe('What');
      expect(clock.pending).toBe(0);
    });

    test('edits of other places under the same word are made together', async () => {
      const { backing, keeper } = open();
      await keeper.edit(system('a'), 'g');
      await keeper.edit([{ path: ['lanes', 0, 'model'], value: 'm' }], 'g');
      await keeper.flush();
      expect(backing.edits).toBe(1);
      expect(keeper.document).toMatchObject({ system: 'a', lanes: [{ model: 'm' }] });
    });

    test('another word, or an edit without one, makes what was gathered first', async () => {
      const { backing, keeper } = open();
      await keeper.edit(system('a'), 'one');
      await keeper.edit([{ path: ['lanes', 0, 'model'], value: 'm' }], 'other');
      expect(backing.edits).toBe(1);
      await keeper.edit([{ path: ['embedding', 'model'], value: 'e' }]);
      expect(backing.edits).toBe(3);
      expect(keeper.document).toMatchObject({
        system: 'a',
        lanes: [{ model: 'm' }],
        embedding: { model: 'e' },
      });
    });

    test('what is dropped is not made, and what is gathered under another word is', async () => {
      const { backing, clock, keeper } = open();
      await keeper.edit(system('a'), 'draft');
      keeper.dropGathered('other');
      keeper.dropGathered('draft');
      clock.advance(GATHER_MS);
      await keeper.flush();
      expect(backing.edits).toBe(0);
      expect(clock.pending).toBe(0);
    });

    test('is refused when the text can no longer be read, and harms nothing', async () => {
      const { backing, clock, keeper } = open();
      await keeper.edit(system('a'), 'g');
      backing.replace('{');
      await expect(keeper.flush()).rejects.toBeInstanceOf(EditRefusedError);
      await keeper.edit(system('b'), 'g');
      clock.advance(GATHER_MS);
      await settle();
      expect(backing.text).toBe('{');
    });

    test('the last word is made when a session ends', async () => {
      const { backing, clock, keeper } = open();
      await keeper.edit(system('a'), 'g');
      await keeper.flush();
      keeper.dispose();
      expect(JSON.parse(backing.text)).toMatchObject({ system: 'a' });
      expect(clock.pending).toBe(0);
    });
  });

  describe('a change from outside', () => {
    test('is there at once', () => {
      const { backing, keeper, onChange } = open();
      onChange.mockClear();
      backing.replace('{ "system": "outside" }');
      expect(keeper.document.system).toBe('outside');
      expect(onChange).toHaveBeenCalled();
    });

    test('that says the same is no change', () => {
      const { backing, keeper } = open('{ "system": "a" }');
      const { version } = keeper;
      backing.replace('{ "system": "a" }');
      expect(keeper.version).toBe(version);
    });

    test('that could never be read has nothing to show, until it can be', () => {
      const { backing, keeper } = open('{ "lanes": [{ "id": "mine", "connection": "demo" }');
      expect(keeper.error).toBeDefined();
      expect(keeper.document).toMatchObject({ messages: [], tools: [], lanes: [] });
      backing.replace('{ "lanes": [{ "id": "mine", "connection": "demo" }] }');
      expect(keeper.document.lanes.map(({ id }) => id)).toEqual(['mine']);
    });

    test('that cannot be read is told with its line; the last good state stays until it can be', () => {
      const { backing, keeper } = open('{ "system": "a" }');
      backing.replace('{\n "system": 7 }');
      expect(keeper.error?.line).toBe(2);
      expect(keeper.document.system).toBe('a');
      backing.replace('{ "system": "b", "unknown": 1 }');
      expect(keeper.error).toBeUndefined();
      expect(keeper.warnings).toHaveLength(1);
      expect(keeper.document.system).toBe('b');
    });

    test('before an edit is made: the edit is made on it', async () => {
      const { backing, keeper } = open('{ "system": "a" }');
      const edited = keeper.edit([{ path: ['lanes', 0, 'model'], value: 'm' }]);
      backing.replace('{ "system": "outside" }');
      await edited;
      expect(keeper.document).toMatchObject({ system: 'outside', lanes: [{ model: 'm' }] });
    });

    test('is told when only what is said of changes is another one', async () => {
      const { backing, keeper, onChange } = open();
      await settle();
      onChange.mockClear();
      backing.unkept = 'The tab is locked.';
      backing.unlock = () => {
        backing.unkept = backing.unlock = undefined;
        return Promise.resolve(backing.replace(backing.text));
      };
      backing.replace(backing.text);
      expect([keeper.unkept, keeper.canUnlock]).toEqual(['The tab is locked.', true]);
      expect(onChange).toHaveBeenCalledTimes(1);
      await keeper.unlock();
      expect([keeper.unkept, keeper.canUnlock]).toEqual([undefined, false]);
      expect(onChange).toHaveBeenCalledTimes(2);
    });

    test('is told no more once it is disposed', () => {
      const { backing, keeper, onChange } = open();
      keeper.dispose();
      onChange.mockClear();
      backing.replace('{ "system": "late" }');
      expect(onChange).not.toHaveBeenCalled();
    });
  });

  describe('an edit is refused', () => {
    test('when the document cannot be changed, with the reason', async () => {
      const { backing, keeper } = open();
      backing.readOnly = 'It is on a read-only disk.';
      expect(keeper.readOnly).toBe('It is on a read-only disk.');
      await expect(keeper.edit(system('a'))).rejects.toThrow('It is on a read-only disk.');
      expect(backing.text).toBe('{}');
    });

    test('when the editor does not take it', async () => {
      const { backing, keeper } = open();
      vi.spyOn(backing, 'apply').mockResolvedValueOnce(false);
      await expect(keeper.edit(system('a'))).rejects.toBeInstanceOf(EditRefusedError);
      expect(keeper.document.system).toBe('');
      await keeper.edit(system('b'));
      expect(keeper.document.system).toBe('b');
    });

    test('when the document would be none any more, as a whole', async () => {
      const { backing, keeper } = open();
      const edits = [...system('a'), { path: ['lanes', 0, 'rescueToolCalls'], value: 'maybe' }];
      await expect(keeper.edit(edits)).rejects.toBeInstanceOf(EditRefusedError);
      expect(backing.text).toBe('{}');
    });
  });

  test('names places that hold something like a secret, without it', () => {
    const { backing, keeper } = open(
      '{ "lanes": [{ "id": "a", "raw": { "api_key": "sk-canary-0123456789" } }] }',
    );
    expect(keeper.secrets).toHaveLength(1);
    expect(JSON.stringify(keeper.secrets)).not.toContain('canary');
    backing.replace('{}');
    expect(keeper.secrets).toEqual([]);
  });

  test('a tool that is named by reference is looked up, and again when libraries changed', async () => {
    let onLibrary = (): void => undefined;
    let found: Awaited<ReturnType<ToolSource['resolve']>> = 'There is no such library.';
    const { keeper } = open('{ "tools": [{ "$ref": "./tools.json#/t" }] }', {
      resolve: () => Promise.resolve(found),
      onDidChange: (listener) => {
        onLibrary = listener;
        return () => undefined;
      },
    });
    await keeper.resolved();
    expect(keeper.toolViews()).toMatchObject([{ problems: ['There is no such library.'], isOffered: false }]);
    found = { name: 't', parameters: { type: 'object' }, offered: true, mocks: [] };
    onLibrary();
    await settle();
    expect(keeper.toolViews()).toMatchObject([
      { name: 't', problems: [], reference: './tools.json#/t', isOffered: true },
    ]);
  });

  test('of two look-ups the later one counts, however they end', async () => {
    const answers: ((name: string) => void)[] = [];
    const { backing, keeper } = open('{}', {
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
    expect(keeper.toolViews().map(({ name }) => name)).toEqual(['later']);
  });

  test('the messages of a lane are those for all and those for it', () => {
    const messages = [
      { role: 'user', content: 'all' },
      { role: 'user', content: 'b', lanes: ['b'] },
      { role: 'user', content: 'both', lanes: ['a', 'b'] },
    ];
    const { keeper } = open(JSON.stringify({ messages }));
    expect(keeper.messagesOf('a').map(({ content }) => content)).toEqual(['all', 'both']);
    expect(keeper.messagesOf('gone').map(({ content }) => content)).toEqual(['all']);
  });
});
