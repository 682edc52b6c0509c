import { describe, expect, it } from 'vitest';
import {
  changeKind,
  fromMatcherForm,
  MATCHER_KINDS,
  toMatcherForm,
} from '../../../../webview/evaluate/matcher-form';

const MATCHERS: readonly [matcher: unknown, id: string, text: string][] = [
  ['Oslo', 'is', '"Oslo"'],
  [1, 'is', '1'],
  [{ city: 'Oslo' }, 'is', '{ "city": "Oslo" }'],
  [{ $equals: { $min: 1 } }, 'is', '{ "$min": 1 }'],
  [{ $oneOf: ['celsius', 'Celsius'] }, '$oneOf', '"celsius", "Celsius"'],
  [{ $loose: 'new york' }, '$loose', '"new york"'],
  [{ $not: { $contains: '°F' } }, '$not $contains', '"°F"'],
  [{ $not: 'x' }, '$not', '"x"'],
  [{ $matches: '^2026' }, '$matches', '"^2026"'],
  [{ $near: 59.91, $within: 0.05 }, '$near', '59.91, 0.05'],
  [{ $any: true }, '$any', ''],
  [{ $absent: true }, '$absent', ''],
  [{ $optional: 'metric' }, '$optional', '"metric"'],
  [{ $unordered: [1, 2] }, '$unordered', '1, 2'],
];

describe('toMatcherForm and fromMatcherForm', () => {
  it.each(MATCHERS)('show %j, and read back the same', (matcher, id, text) => {
    expect(toMatcherForm(matcher)).toEqual({ id, text });
    expect(fromMatcherForm({ id, text })).toEqual({ value: matcher });
  });

  it('leave a matcher that has no word as JSON', () => {
    const matcher = { $matches: 'a', $flags: 'i' };
    expect(toMatcherForm(matcher).id).toBe('');
    expect(fromMatcherForm(toMatcherForm(matcher))).toEqual({ value: matcher });
  });

  it.each([
    ['is', 'Oslo', /texts?.*in quotes/],
    ['$oneOf', '', /"a", "b"/],
    ['$loose', '1', /a text in quotes/],
    ['$min', '"1"', /a number/],
    ['$near', '59.91', /59.91, 0.05/],
    ['$matches', '"("', /regular expression/],
  ])('refuse for %s the value %s', (id, text, problem) => {
    expect(fromMatcherForm({ id, text }).problem).toMatch(problem);
  });
});

describe('changeKind', () => {
  it('keeps the value where the other matcher can have it', () => {
    expect(changeKind({ id: 'is', text: '"celsius"' }, '$oneOf')).toEqual({
      id: '$oneOf',
      text: '"celsius"',
    });
    expect(changeKind({ id: '$oneOf', text: '"a", "b"' }, 'is')).toEqual({ id: 'is', text: '"a"' });
    expect(changeKind({ id: 'is', text: '59.91' }, '$near')).toEqual({ id: '$near', text: '59.91, 0' });
    expect(changeKind({ id: '$any', text: '' }, 'is')).toEqual({ id: 'is', text: '""' });
  });

  it('has a word for every kind', () => {
    const words = MATCHER_KINDS.map(({ word }) => word());
    expect(new Set(words).size).toBe(words.length);
  });
});
