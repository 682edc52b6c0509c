import { describe, expect, test } from 'vitest';
import { checkMatchers } from '../../../../src/inspect/matching/check-matchers';

describe('checkMatchers', () => {
  test.each<[pattern: unknown]>([
    [{ city: 'Oslo', at: [{ $min: 1, $max: 2 }] }],
    [{ $equals: { $unknown: 1 } }],
    [{ $schema: { $ref: '#/x' } }],
    [{ price: 1, $currency: 'USD' }],
    [{ $matches: '^a', $flags: 'i' }],
    [{ $contains: ['a', { $loose: 'b' }] }],
    [{}],
    [[]],
  ])('accepts %j', (pattern) => {
    expect(checkMatchers(pattern)).toBeUndefined();
  });

  test.each<[pattern: unknown]>([
    [{ at: [{ $min: 1, $max: 'later' }] }],
    [{ $near: 1, $within: 'later' }],
    [{ $near: 'later', $percent: 1 }],
    [{ $oneOf: [1, { $matches: 'later' }] }],
  ])('accepts %j when one of its operands is known later', (pattern) => {
    expect(checkMatchers(pattern, [], (operand) => operand === 'later')).toBeUndefined();
    expect(checkMatchers(JSON.parse(JSON.stringify(pattern).replace('later', '(')))).toBeDefined();
  });

  test.each<[pattern: unknown, path: (string | number)[], message: RegExp]>([
    [{ a: [{ $like: 1 }] }, ['a', 0, '$like'], /^is no matcher; those are \$equals, .*\$equals": …/],
    [{ constructor: { $constructor: 1 } }, ['constructor', '$constructor'], /^is no matcher/],
    [{ a: { $min: '1' } }, ['a', '$min'], /^must be a number$/],
    [{ a: { $oneOf: 'x' } }, ['a', '$oneOf'], /^must be a list$/],
    [{ a: { $oneOf: [] } }, ['a', '$oneOf'], /^must not be empty$/],
    [{ a: { $oneOf: [1, { $within: 1 }] } }, ['a', '$oneOf', 1, '$within'], /^may only stand beside \$near$/],
    [{ a: { $near: 1 } }, ['a', '$near'], /^needs either \$within or \$percent/],
    [{ a: { $near: 1, $within: 1, $percent: 1 } }, ['a', '$near'], /^needs either/],
    [{ a: { $matches: '(' } }, ['a', '$matches'], /^is no regular expression$/],
    [{ a: { $matches: '(a+)+(b+)+(c+)+$' } }, ['a', '$matches'], /could take too long$/],
    [{ a: { $matches: 'a', $flags: 'g' } }, ['a', '$matches'], /flags other than/],
    [{ a: { $type: 'text' } }, ['a', '$type'], /^must be one of string, number/],
    [{ a: { $absent: false } }, ['a', '$absent'], /^must be true$/],
    [{ a: { $max: 1, $length: 3 } }, ['a', '$max'], /\$length that is not true/],
    [
      { a: { $not: { $each: { $json: { $x: 1 } } } } },
      ['a', '$not', '$each', '$json', '$x'],
      /^is no matcher/,
    ],
  ])('refuses %j', (pattern, path, message) => {
    const problem = checkMatchers(pattern);
    expect(problem?.path).toEqual(path);
    expect(problem?.message).toMatch(message);
  });
});
