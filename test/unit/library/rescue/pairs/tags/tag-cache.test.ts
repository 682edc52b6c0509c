import { describe, expect, it } from 'vitest';
import { TagCache } from '../../../../../../src/library/rescue/pairs/tags/tag-cache';
import type { Tag } from '../../../../../../src/library/rescue/pairs/tags/tag';

const toTag = (start: number, end: number): Tag => ({
  start,
  end,
  isCloser: false,
  isEmpty: false,
  space: '',
  name: 'a',
  role: 'call',
  label: 'b',
  style: 'shorthand',
  attributes: new Map(),
  damage: undefined,
});

describe('TagCache', () => {
  it('finds a tag with the same text elsewhere', () => {
    const cache = new TagCache();
    cache.add('<a=b> x <a=b>', toTag(0, 5));
    expect(cache.find('<a=b> x <a=b>', 8)).toEqual(toTag(8, 13));
    expect(cache.find('<a=c>', 0)).toBeUndefined();
    expect(cache.find('<a=b', 0)).toBeUndefined();
  });

  it.each(['<a b=">">', '<a=b', `<a=${'b'.repeat(80)}>`])('does not keep %s', (text) => {
    const cache = new TagCache();
    cache.add(text, toTag(0, text.length));
    expect(cache.find(text, 0)).toBeUndefined();
  });

  it('drops the tags of a long text when another text adds one, because they keep that text in memory', () => {
    const cache = new TagCache();
    const [short, long, next] = ['<a=b>', `<a=c>${' '.repeat(70_000)}`, '<a=d>'];
    cache.add(short, toTag(0, 5));
    cache.add(long, toTag(0, 5));
    expect([cache.find(short, 0), cache.find(long, 0)]).toEqual([toTag(0, 5), toTag(0, 5)]);
    cache.add(next, toTag(0, 5));
    expect([cache.find(long, 0), cache.find(next, 0)]).toEqual([undefined, toTag(0, 5)]);
  });
});
