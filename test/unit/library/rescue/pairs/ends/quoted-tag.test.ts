import { describe, expect, it } from 'vitest';
import { TextSource } from '../../../../../../src/library/rescue/core/rescue-context';
import { ValueQuotes } from '../../../../../../src/library/rescue/pairs/ends/quoted-tag';
import { fc, runs } from '../../../../../support/arbitrary/properties';

const TAG = '<b>';

const findTags = (text: string): { start: number; end: number }[] =>
  Array.from(text.matchAll(/<b>/g), ({ index }) => ({ start: index, end: index + TAG.length }));

/** For each tag of the text, whether it is in quotes. */
function hasEach(text: string, from = 0): boolean[] {
  const quoted = ValueQuotes.of(new TextSource(text), from);
  return findTags(text.slice(from)).map(
    ({ start, end }) => quoted?.has({ start: start + from, end: end + from }) ?? false,
  );
}

describe('ValueQuotes', () => {
  it('has a tag between quotes on its line', () => {
    expect(hasEach('a "<b>" <b> "c" "<b>"')).toEqual([true, false, true]);
    expect(hasEach("say('<b>') it's <b> isn't")).toEqual([true, false]);
    expect(hasEach('"\n<b>"')).toEqual([false]);
  });

  it('takes a quote at the beginning of the value for one that opens', () => {
    expect(hasEach('x"<b>"', 1)).toEqual([true]);
    expect(hasEach('x"<b>"')).toEqual([false]);
  });

  it('ignores quotes that are too far away', () => {
    expect(hasEach(`"${'a'.repeat(511)}<b>"`)).toEqual([true]);
    expect(hasEach(`"${'a'.repeat(512)}<b>"`)).toEqual([false]);
  });

  it('answers the same for a tag whichever tags were asked for before', () => {
    const parts = fc.constantFrom('"', "'", ':"', " '", 'a', ' ', '\n', '{', '>', TAG, TAG);
    const value = fc.tuple(fc.array(parts, { maxLength: 24 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(value, ([pieces, times]) => {
        const text = pieces.join('').repeat(times);
        expect(hasEach(text)).toEqual(
          findTags(text).map((tag) => ValueQuotes.of(new TextSource(text), 0)?.has(tag) ?? false),
        );
      }),
      { numRuns: runs(2000) },
    );
  });
});
