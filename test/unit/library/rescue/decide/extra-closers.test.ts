import { describe, expect, it, vi } from 'vitest';
import { rescue, tag, GHENT } from '../rescue-fixtures';

describe('noteExtraClosers', () => {
  it.each(['</tool_call>', '</tool_call>\n', '}', ']'])(
    'notes only a few of a thousand repeated closers %j',
    (closer) => {
      const [call] = rescue(tag(GHENT) + closer.repeat(1000)).calls;
      const notes = call?.repairs.filter(({ kind }) => kind === 'extra-closer') ?? [];
      expect(notes.length).toBeGreaterThan(0);
      expect(notes.length).toBeLessThan(70);
    },
  );

  it('notes only a few when there are empty wrappers between the closers', () => {
    const [call] = rescue(tag(GHENT) + '</tool_call>}<tool_call></tool_call>'.repeat(1000)).calls;
    expect(call?.repairs.length).toBeLessThan(70);
  });

  it('searches the text once for each closer, however many calls it follows', () => {
    const text = `${tag(GHENT)}</tool_calls>\n`.repeat(400);
    const search = vi.spyOn(String.prototype, 'indexOf');
    try {
      const { calls } = rescue(text);
      expect(calls.every(({ repairs }) => repairs.some(({ kind }) => kind === 'extra-closer'))).toBe(true);
      const searches = search.mock.calls.filter(([needle]) => needle === '<tool_calls');
      expect(searches).toHaveLength(1);
    } finally {
      search.mockRestore();
    }
  });

  it.each([
    ['', '</tool_calls>', ['extra-closer']],
    ['<tool_calls>', '</tool_calls>', []],
    ['<tool_calls></tool_calls>', '</tool_calls>', ['extra-closer']],
  ])('notes no closer of an element that began before the call: %j, %j', (before, after, kinds) => {
    const [call] = rescue(`An example. ${before}${tag(GHENT)}${after}`).calls;
    expect(call?.repairs.map(({ kind }) => kind)).toEqual(kinds);
  });
});
