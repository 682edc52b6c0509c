import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { OpenerIndex } from '../../../../src/library/rescue/opener-index';
import { RescueContext } from '../../../../src/library/rescue/rescue-context';
import { ToolIndex } from '../../../../src/library/rescue/tool-index';
import { CORPUS, OWN_CORPUS, toolsOf } from './rescue-fixtures';

const INDEX = new OpenerIndex(RESCUE_FORMATS, ['<think>']);

const startsOf = (text: string): string[] => {
  const starts: string[] = [];
  const search = INDEX.search(text, new ToolIndex([]).edges);
  for (let at = search.next(0); at < text.length; at = search.next(at + 1))
    starts.push(text.slice(at, at + 4));
  return starts;
};

describe('OpenerIndex.search', () => {
  it('stops wherever a format reads a call, or says why it could not', () => {
    const missed: string[] = [];
    for (const { id, text, tools } of [...CORPUS, ...OWN_CORPUS]) {
      const index = new ToolIndex(toolsOf(tools));
      const search = INDEX.search(text, index.edges);
      for (let at = INDEX.nextPlace(text, 0); at < text.length; at = INDEX.nextPlace(text, at + 1)) {
        const matches = [...INDEX.marked(text, at), ...INDEX.bare(text, at)];
        const readers = matches.filter(({ format, opener }) => {
          const reading = format.parse(new RescueContext(text, index, false), at, opener);
          return reading && reading.kind !== 'text';
        });
        if (readers.length > 0 && search.next(at) !== at) missed.push(`${id} at ${at}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it('stops at no bracket, sign or tag as prose has them', () => {
    const prose =
      'Let `{ a, b }` be {x} or [1], see [docs] (really): a < b > c = d.\n> **Bold**, f => {g}; ~ </p>\n';
    expect(startsOf(prose)).toEqual([]);
  });

  it('stops at openers in any case, and at the marks it was given', () => {
    expect(startsOf('a <TOOL_CALL> b <think> c [tool_calls]')).toEqual(['<TOO', '<thi', '[too']);
  });

  it('stops at the start of a run of backticks, and at the innermost bracket', () => {
    expect(startsOf('\n```````\n')).toEqual(['````']);
    expect(startsOf('So: {{{"a": 1}}}')).toEqual(['{"a"']);
  });
});
