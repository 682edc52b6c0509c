import { describe, expect, it, test } from 'vitest';
import { findFault } from '../../../../src/inspect/tool-schema/schema-faults';
import { listSchemas } from '../../../../src/inspect/tool-schema/walk-schema';

const find = (said: string, properties: object, more: object = {}) =>
  findFault(listSchemas({ type: 'object', properties, ...more }), said);

describe('findFault', () => {
  test.each<[said: string, properties: object, name: string, what: RegExp]>([
    [
      "Pattern must start with '^' and end with '$'",
      { a: { type: 'string', pattern: '^a$' }, b: { type: 'string', pattern: '^a' } },
      'b',
      /^its `pattern` `\^a` does not begin/,
    ],
    ['failed to parse grammar', { a: { pattern: '^(?!x)y$' } }, 'a', /looks around/],
    ['unknown escape at \\d', { a: { pattern: '^\\d$' } }, 'a', /escape/],
    ['failed to parse grammar', { a: { maxLength: 10_000 } }, 'a', /bound/],
    [
      'failed to parse grammar: repetitions exceed sane defaults',
      { a: { maxLength: 1_500 }, b: { maxItems: 2_000 } },
      'b',
      /bound/,
    ],
    [
      'Error resolving ref #/$defs/B',
      { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/B' } },
      'b',
      /\$defs\/B/,
    ],
    ['enum[0]: cannot be empty', { a: { enum: ['x'] }, b: { enum: ['x', ''] } }, 'b', /enum/],
    ['array schema missing items', { a: { type: 'array' } }, 'a', /its items/],
    ['cannot unmarshal array into …type', { a: { type: ['string', 'null'] } }, 'a', /is a list/],
    ['object schema missing properties', { a: { type: 'object' } }, 'a', /without `properties`/],
    ['type is not defined', { a: { description: 'x' } }, 'a', /`type` is missing/],
    ['not supported by xgrammar', { a: { type: 'number', multipleOf: 2 } }, 'a', /`multipleOf`/],
    ['Unimplemented keys: ["propertyNames"]', { a: { propertyNames: {} } }, 'a', /`propertyNames`/],
    ['Unknown name "$comment"', { a: { type: 'string', $comment: 'x' } }, 'a', /`\$comment`/],
  ])('finds in %j what the words are about', (said, properties, name, what) => {
    const found = find(said, properties);
    expect(found?.place.name).toBe(name);
    expect(found?.fault.what).toMatch(what);
    expect(found?.fault.next).toMatch(/\.$/);
  });

  it('takes no member of a schema for a pattern, whatever its name', () => {
    for (const key of ['a(b', '*', '[', 'x-note+(', '$a.b']) {
      expect(find('Unknown field', { a: { type: 'string', [key]: 1 } })).toBeUndefined();
      expect(find(`Unknown field "${key}"`, { a: { type: 'string', [key]: 1 } })?.place.name).toBe('a');
    }
  });

  it('finds a required parameter that there is not', () => {
    expect(find('`required` present', { a: {} }, { required: ['a', 'b'] })?.fault.what).toContain('`b`');
  });

  it('finds nothing in a plain schema, nor by the usual words of a sentence', () => {
    const plain = { a: { type: 'string', default: 'x', title: 'A', description: 'a' } };
    for (const said of [
      'failed to parse grammar',
      'the default type of items is not supported',
      'Bad request',
    ])
      expect(find(said, plain)).toBeUndefined();
  });
});
