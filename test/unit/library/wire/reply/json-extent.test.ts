import { describe, expect, test } from 'vitest';
import { JsonExtent } from '../../../../../src/library/wire/reply/json-extent';

function read(...pieces: string[]): [number[], boolean] {
  const extent = new JsonExtent();
  for (const piece of pieces) extent.read(piece);
  return [extent.ends, extent.isAtEnd];
}

describe('JsonExtent', () => {
  test.each<[string, number[], boolean]>([
    ['', [], true],
    ['  ', [], true],
    ['{', [], false],
    ['{"a":[1,{}]} ', [12], true],
    ['{}{"b":"}{"}', [2, 12], true],
    ['{"a":"\\"}{"}x', [12], false],
    ['}{', [], false],
  ])('returns the ends of the values in %j, and whether the text is complete', (text, ends, isAtEnd) => {
    expect(read(text)).toEqual([ends, isAtEnd]);
    expect(read(...text.split(''))).toEqual([ends, isAtEnd]);
  });
});
