import { describe, expect, test } from 'vitest';
import { checkSchema } from '../../../../../src/session';
import { fc, runs } from '../../../../support/arbitrary/properties';

const linesOf = (schema: unknown): string[] =>
  checkSchema(schema).map(({ path, message }) => `${path} ${message}`);

describe('checkSchema', () => {
  test('finds nothing in typical schemas of tools', () => {
    expect(linesOf({ type: 'object', properties: {} })).toEqual([]);
    expect(
      linesOf({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {
          city: { type: 'string', description: 'A city', minLength: 1, examples: ['Oslo'] },
          unit: { enum: ['celsius', 1, null], default: 'celsius' },
          stops: { type: 'array', items: { $ref: '#/definitions/stop' }, uniqueItems: true },
          pair: { type: 'array', items: [{ type: 'number' }, true] },
          exact: { type: ['boolean', 'null'] },
          any: true,
          never: false,
          old: { minimum: 1, exclusiveMinimum: true },
          type: { pattern: '^[a-z]+$' },
        },
        definitions: {
          stop: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: false }] },
        },
        required: ['city'],
        'x-order': 1,
      }),
    ).toEqual([]);
  });

  test.each<[unknown, string]>([
    [
      { properties: { city: { type: 'strnig' } } },
      '/properties/city/type is not one of string, number, integer, boolean, array, object, null',
    ],
    [{ required: 'city' }, '/required is text; JSON Schema requires a list'],
    [{ required: ['a', 'a'] }, '/required has the same item twice'],
    [
      { properties: { a: { required: true } } },
      '/properties/a/required is true; JSON Schema requires a list',
    ],
    [{ properties: { a: 5 } }, '/properties/a is 5; JSON Schema requires an object or true or false'],
    [
      { properties: { a: { items: { minLength: -1 } } } },
      '/properties/a/items/minLength is -1; JSON Schema requires at least 0',
    ],
    [
      { properties: { a: { anyOf: [] } } },
      '/properties/a/anyOf has 0 items; JSON Schema requires at least 1',
    ],
    [{ properties: { a: { pattern: '(' } } }, '/properties/a/pattern is not a regular expression'],
    [{ properties: { a: { $ref: '#/$defs/b' } } }, '/properties/a/$ref refers to nothing in this schema'],
    [
      { properties: { a: { $ref: 'http://[' } } },
      ' has an $id or a $ref that is not an address, or the same $id twice',
    ],
  ])('reports for %j: %s', (schema, line) => {
    expect(linesOf({ type: 'object', ...(schema as object) })).toEqual([line]);
  });

  test('requires an object at the top, because arguments are an object', () => {
    expect(linesOf({})).toEqual(['/type is missing; servers require "object"']);
    expect(linesOf({ type: 'array' })).toEqual([
      '/type is "array"; servers require "object" at the top level',
    ]);
    expect(linesOf({ type: 'strnig' })).toHaveLength(2);
    for (const none of [undefined, null, true, 'text', []]) expect(linesOf(none)).toHaveLength(1);
  });

  test('reports several problems, at most 50', () => {
    const properties = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`p${at}`, { type: 'x' }]));
    expect(linesOf({ type: 'object', properties })).toHaveLength(50);
  });

  test('reports only that a schema is too large', () => {
    let deep: unknown = {};
    for (let level = 0; level < 10_000; level++) deep = { items: deep };
    expect(linesOf(deep)).toEqual([' is too large to check']);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (schema) => void checkSchema(schema)),
      { numRuns: runs(500) },
    );
  });
});
