import { describe, expect, test } from 'vitest';
import { findEvaluationPlaces, isReadable } from '../../../../src/session';

describe('findEvaluationPlaces', () => {
  test('finds the lines of expectations and lanes', () => {
    const text = '{ // c\n"lanes": [\n{"id": "a"},\n{"id": "b"}],\n"expect": [\n{},\n\n{}]}';
    expect(findEvaluationPlaces(text)).toEqual({
      expect: 5,
      expectations: [6, 8],
      lanes: new Map([
        ['a', 3],
        ['b', 4],
      ]),
    });
  });

  test.each(['[]', '{"expect": []}', '{"expect": {"calls": []}}', '{"tools": [{"expect": [1]}]}'])(
    'finds nothing where nothing is expected: %s',
    (text) => {
      expect(findEvaluationPlaces(text)).toBeUndefined();
    },
  );

  test.each(['', '{', '{"expect": [{}'])('finds nothing in a text that is not JSON: %s', (text) => {
    expect([findEvaluationPlaces(text), isReadable(text)]).toEqual([undefined, false]);
    expect(isReadable('{ // c\n}')).toBe(true);
  });

  test('finds the limits, if there are any', () => {
    expect(findEvaluationPlaces('{\n"evaluate": {},\n"expect": [{}]}')).toMatchObject({
      evaluate: 2,
      expect: 3,
    });
  });
});
