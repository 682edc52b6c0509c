import { describe, expect, test } from 'vitest';
import { matchValue } from '../../../../src/inspect/matching/match-value';

const options = { checkSchema: (value: unknown) => (value === 'bad' ? '/x is not good' : undefined) };

const messageOf = (pattern: unknown, value: unknown): string | undefined =>
  matchValue(pattern, value, options).mismatches[0]?.message;

describe('matchValue', () => {
  test.each<[name: string, pattern: unknown, value: unknown]>([
    ['a named key, others may exist', { city: 'Oslo' }, { city: 'Oslo', unit: 'c' }],
    ['equal numbers', { n: 1 }, { n: 1.0 }],
    ['null, which is there', { n: null }, { n: null }],
    ['lists of one length', { a: [1, { b: 2 }] }, { a: [1, { b: 2, c: 3 }] }],
    [
      'an equal object, whatever the order of its keys',
      { a: { $equals: { b: 1, c: [] } } },
      { a: { c: [], b: 1 } },
    ],
    ['an object with keys that begin with $', { a: { $equals: { $min: 1 } } }, { a: { $min: 1 } }],
    ['one of several', { $oneOf: ['NYC', { $loose: 'new york' }] }, ' New  York '],
    ['case, width and spaces', { $loose: 'São Paulo 1' }, 'são paulo １'],
    ['a regular expression, not anchored', { $matches: 'slo' }, 'Oslo'],
    ['its flags', { $matches: '^oslo$', $flags: 'i' }, 'OSLO'],
    ['a text that contains one', { $contains: '4 °C' }, 'It is 4 °C.'],
    ['a text that contains each of them', { $contains: ['4', '°C'] }, 'It is 4 °C.'],
    ['a list that contains an element like it', { $contains: { id: 1 } }, [{ id: 2 }, { id: 1, n: 0 }]],
    ['a list that contains all of them', { $contains: [1, { $min: 5 }] }, [7, 1]],
    ['a number within a distance', { $near: 59.91, $within: 0.05 }, 59.96],
    ['a number within a share', { $near: -200, $percent: 10 }, -180],
    ['a number between bounds', { $min: 1, $max: 5 }, 5],
    ['a length between bounds', { $min: 1, $max: 2, $length: true }, ['a', 'b']],
    ['an integer, which is a number', { $type: 'number' }, 4],
    ['one of several types', { $type: ['string', 'null'] }, null],
    ['a value that fits a schema', { $schema: { type: 'string' } }, 'good'],
    ['a text that is JSON', { $json: { stars: { $min: 1 } } }, '{"stars":4}'],
    ['JSON in a code fence', { $json: [1] }, '\n```json\n[1]\n```\n'],
    ['JSON in a longer code fence', { $json: [1] }, '````\n[1]\n````'],
    ['JSON in a code fence of tildes', { $json: [1] }, '~~~json\n[1]\n~~~'],
    ['any value, even null', { a: { $any: true } }, { a: null }],
    ['no value', { a: { $absent: true } }, {}],
    ['an optional value that is absent', { a: { $optional: 'x' } }, {}],
    ['an optional value that is there', { a: { $optional: 'x' } }, { a: 'x' }],
    ['a list in any order', { $unordered: [{ $type: 'string' }, 'b'] }, ['b', 'a']],
    ['each element', { $each: { $min: 1 } }, [1, 2]],
    ['a negation', { $not: { $matches: String.raw`^\s*$` } }, 'text'],
    ['own keys only', { constructor: { $absent: true } }, {}],
  ])('accepts %s', (_name, pattern, value) => {
    expect(matchValue(pattern, value, options)).toMatchObject({ mismatches: [] });
  });

  test.each<[pattern: unknown, value: unknown, message: string]>([
    [{ city: 'Oslo' }, { city: 'Bergen' }, 'city is "Bergen"; expected "Oslo".'],
    [{ city: 'Oslo' }, {}, 'city is absent; expected "Oslo".'],
    [{ n: 1 }, { n: '1' }, 'n is the text "1"; expected 1.'],
    [{ n: null }, {}, 'n is absent; expected null.'],
    [{ a: ['x'] }, { a: [] }, 'a is []; expected ["x"].'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b is 2; expected 1.'],
    [{ a: { $equals: { b: 1 } } }, { a: { b: 1, c: 2 } }, 'a is {"b":1,"c":2}; expected {"b":1}.'],
    [
      { city: { $oneOf: ['NYC', { $loose: 'new york' }] } },
      { city: 'Newark' },
      'city is "Newark"; expected "NYC" or "new york" (any case).',
    ],
    [
      { date: { $matches: '^2026-11-2[0-9]$' } },
      { date: '21 Nov' },
      'date is "21 Nov"; expected a text that matches ^2026-11-2[0-9]$.',
    ],
    [{ lat: { $near: 59.91, $within: 0.05 } }, { lat: 60.39 }, 'lat is 60.39; expected 59.91 ± 0.05.'],
    [
      { lat: { $near: 59.91, $within: 0.05 } },
      { lat: '59.91' },
      'lat is the text "59.91"; expected a number.',
    ],
    [{ n: { $near: 10, $percent: 5 } }, { n: 11 }, 'n is 11; expected 10 ± 5 %.'],
    [
      { units: { $optional: 'metric' } },
      { units: 'imperial' },
      'units is "imperial"; expected "metric" or no value.',
    ],
    [{ stars: { $min: 1, $max: 5 } }, { stars: 6 }, 'stars is 6; expected at most 5.'],
    [{ name: { $max: 2, $length: true } }, { name: 'abc' }, 'name is "abc"; expected a length of at most 2.'],
    [{ $json: { stars: { $max: 5 } } }, '{"stars":6}', 'stars is 6; expected at most 5.'],
    [{ $json: {} }, 'Sorry, no.', 'The text is not JSON: unexpected "S" at character 1.'],
    [{ $json: {} }, '{"a":1', 'The text is not JSON: it ends too early.'],
    [{ $json: {} }, '```json\n{"a":}\n```', 'The text is not JSON: unexpected "}" at character 14.'],
    [{ a: { $type: 'integer' } }, { a: 1.5 }, 'a is 1.5; expected a whole number.'],
    [{ a: { $schema: {} } }, { a: 'bad' }, 'a breaks the schema: /x is not good.'],
    [{ a: { $absent: true } }, { a: null }, 'a is null; expected no value.'],
    [{ a: { $any: true } }, {}, 'a is absent; expected any value.'],
    [{ a: { $not: 'x' } }, { a: 'x' }, 'a is "x"; expected not "x".'],
    [{ a: { $each: { $min: 1 } } }, { a: [1, 0] }, 'a[1] is 0; expected at least 1.'],
    [
      { a: { $unordered: ['x', 'y'] } },
      { a: ['x', 'x'] },
      'a is ["x","x"]; expected ["x","y"] in any order.',
    ],
    [{ a: { $contains: 'x' } }, { a: 'abc' }, 'a is "abc"; expected something that contains "x".'],
    [{ b: { $loose: 'A b' } }, { b: 'A-b' }, 'b is "A-b"; expected "A b" (any case).'],
  ])('says of %j and %j: %s', (pattern, value, message) => {
    expect(messageOf(pattern, value)).toBe(message);
  });

  test('names every place that differs, and counts those that match', () => {
    const match = matchValue({ a: 1, b: { c: 2, d: 3 } }, { a: 1, b: { c: 0, d: 0 } }, options);
    expect(match.matched).toBe(1);
    expect(match.mismatches.map(({ at }) => at)).toEqual([
      ['b', 'c'],
      ['b', 'd'],
    ]);
  });

  test('cannot tell when a regular expression could take too long on the text', () => {
    const match = matchValue({ $not: { $matches: '(a+)+$' } }, 'a'.repeat(5_000), options);
    expect(match).toMatchObject({ mismatches: [], untried: expect.stringContaining('5000 characters') });
  });

  test('tries a simple regular expression on a long text', () => {
    expect(messageOf({ $not: { $matches: String.raw`^\s*$` } }, 'x'.repeat(100_000))).toBeUndefined();
  });

  test('bounds the work of nested alternatives', () => {
    let pattern: unknown = 0;
    for (let level = 0; level < 25; level++) pattern = { $oneOf: [pattern, pattern] };
    expect(matchValue(pattern, 1, options)).toMatchObject({
      mismatches: [],
      untried: 'There is too much to compare',
    });
  });
});
