import { describe, expect, it } from 'vitest';
import { MarkRule, MarkSearch } from '../../../../src/library/rescue/mark-search';
import type { Mark } from '../../../../src/library/rescue/mark-search';
import { ToolIndex } from '../../../../src/library/rescue/tool-index';

const NAMES = new ToolIndex([{ name: 'get_weather', parameters: {} }]).edges;

function findAll(text: string, ...rules: MarkRule[]): number[] {
  const search = new MarkSearch(text, rules, NAMES);
  const found: number[] = [];
  for (let at = search.next(0); at < text.length; at = search.next(at + 1)) found.push(at);
  return found;
}

const rule = (needle: string, ...marks: Mark[]): MarkRule => new MarkRule(needle, marks);

describe('MarkSearch', () => {
  it('gives the marks of all its rules from left to right', () => {
    expect(findAll('a < b { c < d', rule('<', {}), rule('{', {}))).toEqual([2, 6, 10]);
    expect(findAll('nothing here', rule('<', {}))).toEqual([]);
  });

  it('looks at the characters around a mark in either case, and lets all but ASCII stand there', () => {
    expect(findAll('a:B x:b é:b', rule(':', { before: 'a', after: 'B' }))).toEqual([1, 9]);
    expect(findAll(':b', rule(':', { before: 'a' }))).toEqual([0]);
    expect(findAll('a:', rule(':', { after: 'b' }))).toEqual([1]);
  });

  it('looks at the second character after a mark as well', () => {
    expect(findAll('<i> <if> <I', rule('<', { after: 'i', second: 'f' }))).toEqual([4, 9]);
  });

  it('asks one of the marks after the other', () => {
    const isAt = (text: string, at: number): boolean => text.startsWith('(!)', at);
    expect(findAll('(a) (b) (!)', rule('(', { after: 'a' }, { isAt }))).toEqual([0, 8]);
  });

  it('knows the names of the tools that are offered', () => {
    const before: Mark = { isAt: (text, at, names) => names.mayEnd(text, at) };
    expect(findAll('route(1) Get_Weather (2)', rule('(', before))).toEqual([21]);
  });

  it('looks only at the end of a long run', () => {
    let count = 0;
    const isAt = (): boolean => {
      count += 1;
      return false;
    };
    expect(findAll('<'.repeat(100_000), rule('<', { isAt }))).toEqual([]);
    expect(count).toBeLessThan(10);
    expect(findAll('<<<<<<[x]', rule('<', { isAt: (text, at) => text.startsWith('<<<[', at) }))).toEqual([3]);
  });

  it('finds what is longer than a character', () => {
    expect(findAll('* ** **Tool', rule('**', { after: 't' }))).toEqual([5]);
  });
});
