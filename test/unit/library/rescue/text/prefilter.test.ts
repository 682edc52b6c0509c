import { describe, expect, it } from 'vitest';
import {
  FirstPrefilter,
  groupByFirst,
  Prefilter,
  toLiteralSource,
  toPattern,
} from '../../../../../src/library/rescue/text/prefilter';
import type { StartSource } from '../../../../../src/library/rescue/text/prefilter';

function findAll(text: string, ...sources: [string, StartSource[]][]): number[] {
  const search = new Prefilter(text, toPattern(new Map(sources)));
  const found: number[] = [];
  for (let at = search.next(0); at < text.length; at = search.next(at + 1)) found.push(at);
  return found;
}

describe('Prefilter', () => {
  it('returns the places of all its patterns from left to right', () => {
    expect(findAll('a < b { c < d', ['<', ['']], ['{', ['']])).toEqual([2, 6, 10]);
    expect(findAll('nothing here', ['<', ['']])).toEqual([]);
    expect(findAll('nothing here')).toEqual([]);
  });

  it('matches a character only with what precedes and follows it in its pattern', () => {
    expect(findAll('a:b x:b a:c', [':', ['b', '(?<=a:)']])).toEqual([1, 5, 9]);
    expect(findAll('a(x b(x c(x c (', ['(', [{ before: 'a' }, { before: 'c ?' }]])).toEqual([1, 9, 14]);
    expect(findAll('(  a (b (c (', ['(', ['c', { afterBlanks: 'a' }, { afterBlanks: '$' }]])).toEqual([
      0, 8, 11,
    ]);
    expect(findAll('a(x b(y b(x', ['(', ['y', { before: 'a' }]])).toEqual([1, 5]);
  });

  it('does not search the same text again', () => {
    const search = new Prefilter('a < b < c', toPattern(new Map([['<', ['']]])));
    expect([search.next(0), search.next(1), search.next(2), search.next(3)]).toEqual([2, 2, 2, 6]);
  });

  it('shares its pattern with another text', () => {
    const pattern = toPattern(new Map([['<', ['']]]));
    const [one, other] = [new Prefilter('<a<', pattern), new Prefilter('b<', pattern)];
    expect([one.next(0), other.next(0), one.next(1), other.next(2)]).toEqual([0, 1, 2, 2]);
  });
});

describe('toPattern for a text that may grow', () => {
  const test = (source: StartSource, text: string): boolean =>
    toPattern(new Map([['<', [source]]]), { mayGrow: true }).test(text);

  it('also matches where the text ends within a match', () => {
    const source = '(?:to|at)[ol]{2}?\\w{1,3}(?<=a)>';
    for (const text of ['<', '<t', '<to', '<too', '<tooo', '<toola', '<atoob', '<toola>'])
      expect(test(source, text), text).toBe(true);
    for (const text of ['<x', '<tox', '<tool>', '<tooob>', '<toolaaaa', '<toola.', 't'])
      expect(test(source, text), text).toBe(false);
    expect(['<', '<  ', '<  a', '<  b'].map((text) => test({ afterBlanks: 'a' }, text))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('matches only whole what comes before the first character', () => {
    expect(['ab<', 'b<'].map((text) => test({ before: 'ab' }, text))).toEqual([true, false]);
  });
});

describe('FirstPrefilter', () => {
  const open = (text: string, asked: string[] = []): FirstPrefilter =>
    new FirstPrefilter(text, /[<{:]/g, (first) => {
      asked.push(first);
      return toPattern(new Map([[first, ['b']]]), { flag: 'y' });
    });

  it('returns the places where the pattern for their first character matches', () => {
    const search = open('<b :a {b b< <<b');
    expect([0, 1, 7, 13, 15].map((from) => search.next(from))).toEqual([0, 6, 13, 13, 15]);
  });

  it('compiles only the patterns for characters that occur in the text', () => {
    const asked: string[] = [];
    expect(open('no sign', asked).next(0)).toBe(7);
    expect(open('one: :b', asked).next(0)).toBe(5);
    expect(asked).toEqual([':', ':']);
  });
});

describe('toLiteralSource', () => {
  const toRegExp = (literals: string[], depth = Infinity): RegExp =>
    new RegExp(`^(?:${toLiteralSource(literals, depth)})`);

  it('matches each literal in either case, and punctuation literally', () => {
    const pattern = toRegExp(['<tool>', '[a|b]', '(*.+?)', 'Grüße', '✿x']);
    for (const text of ['<tool>', '<TOOL>', '[A|b]', '(*.+?)', 'GRÜßE', '✿X'])
      expect(pattern.test(text), text).toBe(true);
    for (const text of ['<toll>', '[a', '(xx+?)', '✿']) expect(pattern.test(text), text).toBe(false);
  });

  it('compares at most the given number of characters', () => {
    expect(toRegExp(['<tool>'], 3).test('<tip')).toBe(false);
    expect(toRegExp(['<tool>'], 3).test('<topic')).toBe(true);
  });

  it('matches the shorter of two literals too', () => {
    expect(toRegExp(['<tool>', '<t']).test('<table')).toBe(true);
  });
});

describe('groupByFirst', () => {
  it('groups the rest of each literal by its first character', () => {
    expect([...groupByFirst(['<a', '<b', 'Xy', 'xz'])]).toEqual([
      ['<', ['a', 'b']],
      ['x', ['y', 'z']],
    ]);
  });
});
