import { describe, expect, it } from 'vitest';
import type { SegmentMark, TextPoint } from '../../../../webview/text/text-segments';
import { segmentText } from '../../../../webview/text/text-segments';
import { fc } from '../../../support/arbitrary/properties';

const mark = (start: number, end: number, number?: number): SegmentMark => ({
  start,
  end,
  kind: 'taken',
  number,
});

/** Each piece with the numbers of the marks around it. */
const cut = (text: string, marks: SegmentMark[], points: TextPoint[] = []) =>
  segmentText(text, marks, points).map((piece) => [
    piece.text,
    piece.marks.map(({ number }) => number),
    ...(piece.opens.length > 0 ? [{ opens: piece.opens.map(({ number }) => number) }] : []),
    ...(piece.point ? [piece.point.shape] : []),
  ]);

describe('segmentText', () => {
  it('keeps a text without marks in one piece', () => {
    expect(cut('a text', [])).toEqual([['a text', []]]);
    expect(cut('', [])).toEqual([]);
  });

  it('splits where marks begin and end', () => {
    expect(cut('abcdef', [mark(4, 6, 2), mark(1, 3, 1)])).toEqual([
      ['a', []],
      ['bc', [1], { opens: [1] }],
      ['d', []],
      ['ef', [2], { opens: [2] }],
    ]);
  });

  it('handles overlapping and nested marks, the innermost last', () => {
    expect(cut('abcdef', [mark(2, 4, 2), mark(0, 5, 1), mark(3, 6, 3)])).toEqual([
      ['ab', [1], { opens: [1] }],
      ['c', [1, 2], { opens: [2] }],
      ['d', [1, 2, 3], { opens: [3] }],
      ['e', [1, 3]],
      ['f', [3]],
    ]);
  });

  it('keeps the numbers of marks that begin together, and of an empty one', () => {
    expect(cut('ab', [mark(0, 1, 2), mark(0, 2, 1), mark(2, 2, 3)])).toEqual([
      ['a', [1, 2], { opens: [1, 2] }],
      ['b', [1]],
      ['', [], { opens: [3] }],
    ]);
  });

  it('ignores marks beyond the text', () => {
    expect(cut('ab', [mark(1, 90, 1), mark(50, 60, 2)], [{ at: 70, shape: 'changed' }])).toEqual([
      ['a', []],
      ['b', [1], { opens: [1] }],
    ]);
  });

  it('separates a repaired character without splitting it', () => {
    expect(cut('a😀b', [mark(0, 4, 1)], [{ at: 1, shape: 'changed' }])).toEqual([
      ['a', [1], { opens: [1] }],
      ['😀', [1], 'changed'],
      ['b', [1]],
    ]);
  });

  it('places missing text at the end of a mark inside it, before the next number', () => {
    const points: TextPoint[] = [{ at: 2, shape: 'inserted' }];
    expect(cut('abcd', [mark(0, 2, 1), mark(2, 4, 2)], points)).toEqual([
      ['ab', [1], { opens: [1] }],
      ['', [1], 'inserted'],
      ['cd', [2], { opens: [2] }],
    ]);
    expect(cut('ab', [mark(0, 2, 1)], points)).toEqual([
      ['ab', [1], { opens: [1] }],
      ['', [1], 'inserted'],
    ]);
  });

  it('places missing text at the beginning of a mark after its number', () => {
    expect(cut('ab', [mark(0, 2, 1)], [{ at: 0, shape: 'inserted' }])).toEqual([
      ['', [1], { opens: [1] }, 'inserted'],
      ['ab', [1]],
    ]);
  });

  it('loses neither characters nor numbers, for any marks', () => {
    const place = fc.integer({ min: -2, max: 14 });
    const marks = fc
      .array(fc.tuple(place, place))
      .map((pairs) =>
        pairs.map(([one, other], index) => mark(Math.min(one, other), Math.max(one, other), index)),
      );
    const shapes = fc.constantFrom('changed' as const, 'removed' as const, 'inserted' as const);
    const points = fc.array(fc.record({ at: place, shape: shapes }));
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), marks, points, (text, all, damaged) => {
        const pieces = segmentText(text, all, damaged);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        const opened = pieces.flatMap(({ opens }) => opens.map(({ number }) => number));
        const begun = all.filter(({ start }) => start >= 0 && start <= text.length);
        expect(new Set(opened)).toEqual(new Set(begun.map(({ number }) => number)));
        expect(opened).toHaveLength(begun.length);
      }),
    );
  });
});
