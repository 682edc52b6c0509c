import { describe, expect, test } from 'vitest';
import { applyTextEdits, toTextEdits } from '../../../../../src/session/document/text/text-edits';
import { fc, runs } from '../../../../support/arbitrary/properties';

/** Texts in which halves of surrogate pairs and of line ends are adjacent. */
const units = fc.string({
  unit: fc.constantFrom('a', 'b', '\r', '\n', '\uD83D', '\uDE00', '\uD83C'),
  maxLength: 12,
});
const isCut = (text: string, at: number): boolean =>
  /^(\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(Math.max(at - 1, 0), at + 1));

describe('toTextEdits', () => {
  test('returns no edit for equal texts', () => {
    expect(toTextEdits('same', 'same')).toEqual([]);
  });

  test.each([
    ['ab', 'axb', { offset: 1, length: 0, text: 'x' }],
    ['aab', 'ab', { offset: 1, length: 1, text: '' }],
    ['a😀b', 'a😁b', { offset: 1, length: 2, text: '😁' }],
    ['a\nb', 'a\r\nb', { offset: 1, length: 1, text: '\r\n' }],
    ['', 'new', { offset: 0, length: 0, text: 'new' }],
  ])('replaces only what differs: %j → %j', (before, after, edit) => {
    expect(toTextEdits(before, after)).toEqual([edit]);
  });

  test('returns edits that turn any text into any other without splitting a surrogate pair or a line end', () => {
    fc.assert(
      fc.property(units, units, (before, after) => {
        const edits = toTextEdits(before, after);
        expect(applyTextEdits(before, edits)).toBe(after);
        for (const { offset, length, text } of edits) {
          expect([isCut(before, offset), isCut(before, offset + length)]).toEqual([false, false]);
          expect([isCut(after, offset), isCut(after, offset + text.length)]).toEqual([false, false]);
        }
      }),
      { numRuns: runs(5_000) },
    );
  });
});

describe('applyTextEdits', () => {
  test('interprets all offsets in the previous text', () => {
    const edits = [
      { offset: 0, length: 1, text: 'long' },
      { offset: 2, length: 0, text: '-' },
    ];
    expect(applyTextEdits('abc', edits)).toBe('longb-c');
  });
});
