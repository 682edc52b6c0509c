import { describe, expect, test } from 'vitest';
import type { DocumentEdit } from '../../../../src/protocol';
import type { Marks } from '../../../../src/session/editing/element-ids';
import { ElementIds } from '../../../../src/session/editing/element-ids';
import { fc } from '../../../support/arbitrary/properties';

/** Each letter is a name; a digit after it is the content. */
const marksOf = (text: string): Marks[] =>
  (text.match(/[a-z]\d?/g) ?? []).map((mark) => [mark, mark.charAt(0)]);

function idsOf(text: string): ElementIds {
  const ids = new ElementIds();
  ids.follow(marksOf(text));
  return ids;
}

/** The ids after a change from outside. Before it they are 0, 1, 2 … */
function follow(before: string, after: string): string {
  const ids = idsOf(before);
  ids.follow(marksOf(after));
  return ids.ids.join('');
}

describe('a change from outside', () => {
  test.each([
    ['nothing', 'abc', 'abc', '012'],
    ['a removal', 'abc', 'ac', '02'],
    ['an insertion', 'ab', 'axb', '021'],
    ['a copy beside it', 'ab', 'aab', '021'],
    ['the removal of one of three equal ones', 'xaa', 'aa', '12'],
    ['a renaming', 'abc', 'axc', '012'],
    ['a new content', 'a1b1', 'a2b1', '01'],
    ['a new content while another one came before it', 'a1', 'c1a2', '10'],
    ['a move', 'abcd', 'acbd', '0213'],
    ['a move over others', 'abc', 'cab', '201'],
    ['a removal and a renaming, which cannot be told apart', 'abc', 'xc', '32'],
    ['an emptied list', 'ab', '', ''],
    ['a new list', '', 'ab', '01'],
  ])('keeps the ids through %s', (_what, before, after, expected) => {
    expect(follow(before, after)).toBe(expected);
  });

  test('gives an element that was removed and returns its id again', () => {
    const ids = idsOf('a1b1');
    for (const text of ['b1', 'b1c1', 'b1c1a2']) ids.follow(marksOf(text));
    expect(ids.ids).toEqual(['1', '2', '0']);
  });

  test('never gives two elements one id', () => {
    const lists = fc.array(
      fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1').map((mark): string => mark),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.array(lists, { maxLength: 4 }), (texts) => {
        const ids = new ElementIds();
        for (const text of texts) {
          ids.follow(marksOf(text.join('')));
          expect(new Set(ids.ids).size).toBe(text.length);
        }
      }),
    );
  });

  test('keeps every id of a list of which only one element was removed', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), (names, seed) => {
        const ids = new ElementIds();
        ids.follow(names.map((name) => [name]));
        const before = ids.ids;
        const gone = seed % names.length;
        ids.follow(names.toSpliced(gone, 1).map((name) => [name]));
        expect(ids.ids).toEqual(before.toSpliced(gone, 1));
      }),
    );
  });
});

describe('an edit of the session', () => {
  test.each<[string, string, DocumentEdit, string, string]>([
    ['a removal among equal ones', 'aaa', { path: [0] }, 'aa', '12'],
    ['a move among equal ones', 'aab', { path: [0], movedFrom: 1 }, 'aab', '102'],
    ['an insertion among equal ones', 'aa', { path: [1], value: {}, isInsertion: true }, 'aaa', '021'],
    ['one at the end', 'a', { path: [1], value: {} }, 'ab', '01'],
    ['another value', 'ab', { path: [0], value: {} }, 'xb', '01'],
    ['a part', 'ab', { path: [1, 'name'], value: 'x' }, 'ax', '01'],
    ['the whole list', 'ab', { path: [], value: [] }, 'ba', '10'],
  ])('keeps the ids: %s', (_what, before, edit, after, expected) => {
    const ids = idsOf(before);
    ids.carry(edit);
    ids.follow(marksOf(after));
    expect(ids.ids.join('')).toBe(expected);
  });

  test('keeps the ids of a list inside an element, which moves with it', () => {
    const ids = idsOf('ab');
    const names = (text: string): Marks[] => text.split('').map((name) => [name]);
    ids.listIn(0, 'mocks').follow(names('xxy'));
    ids.carry({ path: [0, 'mocks', 0] });
    ids.carry({ path: [1], movedFrom: 0 });
    ids.follow(marksOf('ba'));
    ids.listIn(1, 'mocks').follow(names('xy'));
    expect(ids.listIn(1, 'mocks').ids).toEqual(['1', '2']);
  });
});
