import { describe, expect, it } from 'vitest';
import { findDifference } from '../../../../webview/text/text-difference';

const partOf = (text: string, other: string): [string, string] | undefined => {
  const found = findDifference(text, other);
  return found && [text.slice(found.start, found.end), other.slice(found.start, found.otherEnd)];
};

describe('findDifference', () => {
  it.each([
    ['{"unit":"celsius"}', '{"unit":"Celsius"}', ['"celsius"', '"Celsius"']],
    ['w {"a":1}', 'w {"a":12}', ['1', '12']],
    ['', 'x', ['', 'x']],
    ['at most 300 tokens', 'no tokens', ['at most 300', 'no']],
  ])('marks whole words of %s and %s', (text, other, parts) => {
    expect(partOf(text, other)).toEqual(parts);
  });

  it('finds none in equal texts', () => {
    expect(findDifference('a', 'a')).toBeUndefined();
  });
});
