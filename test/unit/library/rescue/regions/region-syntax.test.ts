import { describe, expect, it } from 'vitest';
import { Prefilter } from '../../../../../src/library/rescue/text/prefilter';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';

const marksOf = (text: string): string[] => {
  const marks: string[] = [];
  const search = new Prefilter(text, DIALECTS.regions.tags);
  for (let at = search.next(0); at < text.length; at = search.next(at + 1))
    marks.push(text.slice(at, at + 3));
  return marks;
};

describe('RegionSyntax', () => {
  it('finds the tags of reasoning', () => {
    expect(marksOf('a `b\n~~~\n  > c\n<think>d</think>[THINK]')).toEqual(['<th', '</t', '[TH']);
  });

  it('finds nothing in prose, however much punctuation it has', () => {
    expect(marksOf('a > b, f => c, <b>d</b> [1] ~ 3 <thinker>')).toEqual([]);
  });
});
