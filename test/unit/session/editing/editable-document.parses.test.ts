// How often an edit parses and checks the whole document: a file may have megabytes, and every pause in typing is an edit.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DocumentEdit } from '../../../../src/protocol';
import { DocumentSchema } from '../../../../src/protocol';
import { checkSchema } from '../../../../src/session/document/check-schema';
import { readJson } from '../../../../src/session/document/text/json-text';
import { EditableDocument } from '../../../../src/session/editing/editable-document';
import { FakeClock } from '../../../support/fake-clock';
import { MemoryBacking } from '../../../support/session/scripted-session';

vi.mock(import('../../../../src/session/document/text/json-text'), async (load) => {
  const real = await load();
  return { ...real, readJson: vi.fn(real.readJson) };
});
vi.mock(import('../../../../src/session/document/check-schema'), async (load) => {
  const real = await load();
  return { ...real, checkSchema: vi.fn(real.checkSchema) as typeof real.checkSchema };
});

beforeEach(() => vi.clearAllMocks());

const cost = () => ({
  parsed: vi.mocked(readJson).mock.calls.length,
  checked: vi.mocked(checkSchema).mock.calls.filter(([schema]) => schema === DocumentSchema).length,
});
const ONCE = { parsed: 1, checked: 1 };

function open(text: string) {
  const backing = new MemoryBacking(text);
  backing.kind = 'scratch';
  const editable = new EditableDocument({
    backing,
    clock: new FakeClock(),
    onChange: () => undefined,
    tools: {
      resolve: () => Promise.resolve('There is none.'),
      invoke: () => Promise.reject(new Error('No.')),
      onDidChange: () => () => undefined,
    },
  });
  return { backing, editable };
}

describe('EditableDocument', () => {
  test('parses and checks its text once when it is opened', () => {
    open('{ "system": "a" }');
    expect(cost()).toEqual(ONCE);
  });

  test.each<[string, string, DocumentEdit]>([
    ['a value', '{ "system": "a" }', { path: ['system'], value: 'b' }],
    ['a value that has its default', '{}', { path: ['lanes', 0, 'model'], value: 'm' }],
    ['an empty text', '', { path: ['messages', 0, 'content'], value: 'Is it cold?' }],
    ['an element', '{ "tools": [{ "name": "t" }] }', { path: ['tools', 0] }],
  ])('parses and checks the text once for an edit of %s', async (_what, text, edit) => {
    const { editable } = open(text);
    vi.clearAllMocks();
    await editable.edit([edit]);
    expect(cost()).toEqual(ONCE);
  });

  test('parses and checks the text once for an undo', async () => {
    const { editable } = open('{ "system": "a" }');
    await editable.edit([{ path: ['system'], value: 'b' }]);
    vi.clearAllMocks();
    await editable.undoOrRedo('undo');
    expect([editable.document.system, cost()]).toEqual(['a', ONCE]);
  });

  test('parses what the backing made of an edit if that is another text', async () => {
    const { backing, editable } = open('{ "system": "a" }');
    const apply = backing.apply.bind(backing);
    backing.apply = async (edits) => {
      const isDone = await apply(edits);
      backing.replace('{ "system": "formatted on the way" }');
      return isDone;
    };
    await editable.edit([{ path: ['system'], value: 'b' }]);
    expect(editable.document.system).toBe('formatted on the way');
  });
});
