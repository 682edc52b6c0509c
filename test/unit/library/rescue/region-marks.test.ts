import { describe, expect, it } from 'vitest';
import { searchRegionMarks } from '../../../../src/library/rescue/region-marks';

const marksOf = (text: string): string[] => {
  const marks: string[] = [];
  const search = searchRegionMarks(text);
  for (let at = search.next(0); at < text.length; at = search.next(at + 1))
    marks.push(text.slice(at, at + 3));
  return marks;
};

describe('searchRegionMarks', () => {
  it('finds code, fences, quotes and the tags of thinking', () => {
    expect(marksOf('a `b\n~~~\n  > c\n<think>d</think>[THINK]')).toEqual([
      '`b\n',
      '~~~',
      '> c',
      '<th',
      '</t',
      '[TH',
    ]);
  });

  it('finds nothing in prose, however many signs it has', () => {
    expect(marksOf('a > b, f => c, <b>d</b> [1] ~ 3 <thinker>')).toEqual([]);
  });
});
