import { describe, expect, test } from 'vitest';
import { followPlaces } from '../../../../webview/tools/follow-places';
import { fc } from '../../../support/properties';

const follow = (before: string, after: string): (number | undefined)[] =>
  followPlaces(before.split(''), after.split(''));

describe('followPlaces', () => {
  test.each<[string, string, string, (number | undefined)[]]>([
    ['nothing', 'abc', 'abc', [0, 1, 2]],
    ['a removal', 'abc', 'ac', [0, undefined, 1]],
    ['an insertion', 'ab', 'axb', [0, 2]],
    ['a copy beside it', 'ab', 'aab', [0, 2]],
    ['a renaming', 'abc', 'axc', [0, 1, 2]],
    ['a move', 'abcd', 'acbd', [0, 2, 1, 3]],
    ['a move over others', 'abc', 'cab', [1, 2, 0]],
    ['a removal and a renaming, which cannot be told apart', 'abc', 'xc', [undefined, undefined, 1]],
    ['an emptied list', 'ab', '', [undefined, undefined]],
    ['a new list', '', 'ab', []],
  ])('follows %s', (_what, before, after, places) => {
    expect(follow(before, after)).toEqual(places);
  });

  test('never assigns an index twice, and only existing indexes', () => {
    const lists = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const places = followPlaces(before, after).filter((place) => place !== undefined);
        expect(new Set(places).size).toBe(places.length);
        for (const place of places) expect(after[place]).toBeDefined();
      }),
    );
  });

  test('assigns every element its index if only one was removed', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), (before, seed) => {
        const gone = seed % before.length;
        const after = before.toSpliced(gone, 1);
        expect(followPlaces(before, after)).toEqual(
          before.map((_name, at) => (at === gone ? undefined : at - Number(at > gone))),
        );
      }),
    );
  });
});
