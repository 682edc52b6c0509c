import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../../src/library/rescue/formats/index';
import { OpenerIndex, StartExpressions } from '../../../../../src/library/rescue/candidates/opener-index';
import { ToolIndex } from '../../../../../src/library/rescue/core/tool-index';
import { fc, runs, someOf } from '../../../../support/arbitrary/properties';
import { CORPUS, createContext, OWN_CORPUS, toolsOf } from '../rescue-fixtures';

const SIGNS = ['<', '[', '{', '(', '>', '*', ']', ':', '=', '`', '~', '：', '"', '✿'];
const INDEX = new OpenerIndex(RESCUE_FORMATS, ['<think>']);

/** Lines put before a text to make it long, because long texts are searched in another way. */
const MANY_LINES = '\n'.repeat(5000);

function placesOf(text: string, names: readonly string[], index = INDEX): number[] {
  const places: number[] = [];
  const search = index.search(text, names);
  for (let at = search.next(0); at < text.length; at = search.next(at + 1)) places.push(at);
  return places;
}

const startsOf = (text: string, names: readonly string[] = []): string[] => {
  const starts: string[] = [];
  const search = INDEX.search(text, names);
  for (let at = search.next(0); at < text.length; at = search.next(at + 1))
    starts.push(text.slice(at, at + 4));
  return starts;
};

describe('OpenerIndex.search', () => {
  it('stops at every place where a format reads a call or rejects one', () => {
    const missed: string[] = [];
    for (const { id, text, tools } of someOf([...CORPUS, ...OWN_CORPUS], 0)) {
      const index = new ToolIndex(toolsOf(tools));
      const search = INDEX.search(text, index.names);
      for (let at = 0; at < text.length; at += 1) {
        const matches = [...INDEX.marked(text, at), ...INDEX.bare(text, at)];
        const readers = matches.filter(({ format, opener }) => {
          const reading = format.parse(createContext(text, toolsOf(tools)), at, opener);
          return reading && reading.kind !== 'text';
        });
        if (readers.length > 0 && search.next(at) !== at) missed.push(`${id} at ${at}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it('stops at the same places in a short text as in a long one', () => {
    let count = 0;
    let fresh = INDEX;
    const expectSame = (text: string, names: readonly string[]): void => {
      // After many places, short texts are searched as long ones are.
      if (count++ % 10 === 0) fresh = new OpenerIndex(RESCUE_FORMATS, ['<think>']);
      const places = placesOf(MANY_LINES + text, names).map((at) => at - MANY_LINES.length);
      expect(placesOf(text, names, fresh), text).toEqual(places);
    };
    for (const { text, tools } of [...CORPUS, ...OWN_CORPUS])
      expectSame(text, new ToolIndex(toolsOf(tools)).names);
    const openers = RESCUE_FORMATS.flatMap((format) => format.openers);
    const part = fc.constantFrom(...SIGNS, 'search', 'Action', ' ', '\n', 'to', '1', ...openers);
    const anyText = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    const check = fc.property(anyText, (text) => expectSame(text, ['search', 'a.b']));
    fc.assert(check, { numRuns: runs(5000) });
  });

  it('stops in a text that may grow wherever it may stop once the text has grown', () => {
    const names = ['search', 'a.b'];
    const growing = (text: string): Set<number> => {
      const places = new Set<number>();
      const search = INDEX.searchGrowing(text, names);
      for (let at = search.next(0); at < text.length; at = search.next(at + 1)) places.add(at);
      return places;
    };
    const openers = RESCUE_FORMATS.flatMap((format) => format.openers);
    const part = fc.constantFrom(...SIGNS, ...names, 'Action', ' ', '\n', '   ', '"k"', '1', 'x', ...openers);
    const anyText = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    const caseText = fc.constantFrom(...[...CORPUS, ...OWN_CORPUS].map(({ text }) => text));
    const check = fc.property(fc.oneof(anyText, caseText), fc.nat(), (text, cut) => {
      const written = text.slice(0, cut % (text.length + 1));
      const found = growing(written);
      const missed = placesOf(text, names).filter((at) => at < written.length && !found.has(at));
      expect(missed, written).toEqual([]);
    });
    fc.assert(check, { numRuns: runs(5000) });
  });

  it('compiles the pattern for the whole text only after many places were looked at', () => {
    const patterns = new StartExpressions(RESCUE_FORMATS, [], []);
    const look = (count: number): void => {
      for (let done = 0; done < count; done += 1) patterns.of(':');
    };
    look(1000);
    expect(patterns.isWorthwhile).toBe(false);
    look(9000);
    expect(patterns.isWorthwhile).toBe(true);
  });

  it('does not stop at brackets, angle brackets and tags that occur in prose', () => {
    const prose =
      'Let `{ a, b }` be {x} or [1], see [docs] (really): a < b > c = d.\n> **Bold**, f => {g}; ~ </p>\n';
    expect(startsOf(prose)).toEqual([]);
  });

  it('stops at openers in any case, and at the tags of reasoning', () => {
    expect(startsOf('a <TOOL_CALL> b <think> c [tool_calls]')).toEqual(['<TOO', '<thi', '[too']);
  });

  it('stops at the start of a run of backticks, and at the innermost bracket', () => {
    expect(startsOf('\n```````\n')).toEqual(['````']);
    expect(startsOf('So: {{{"a": 1}}}')).toEqual(['{"a"']);
  });

  it('stops at a bracket after the name of an offered tool, and at an element or a bracket of that name', () => {
    const text = 'route(1) a_search (2) Search{3} <search> <b> [search]{4} [docs]{5} SEARCH(6)';
    expect(startsOf(text, ['search', 'stamp'])).toEqual(['(2) ', '{3} ', '<sea', '[sea', '(6)']);
  });

  it('compares the names literally, punctuation included, and in any case', () => {
    expect(startsOf('a.b(1) aXb(2) c+d(3) Früh(4)', ['a.b', 'c+d', 'früh'])).toEqual(['(1) ', '(3) ', '(4)']);
  });

  it('compares only the ends of the names when there are very many', () => {
    const names = Array.from({ length: 500 }, (_, index) => `tool_number_${index}_x`);
    expect(startsOf('tool_number_7_x(1) other_x(2) other(3)', names)).toEqual(['(1) ', '(2) ']);
  });
});
