import { validate } from '@cfworker/json-schema';
import type { Schema } from '@cfworker/json-schema';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkAgainstSchema } from '../../../../../src/session';
import type { SchemaIssue } from '../../../../../src/session';
import type { JsonSchema } from '../../../../../src/types';
import { fc, runs } from '../../../../support/arbitrary/properties';

/** Stops the clock, so that only the number of steps counts. */
const stopClock = (): unknown => vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
afterEach(() => void vi.restoreAllMocks());

const issuesOf = (value: unknown, schema: JsonSchema): SchemaIssue[] => {
  const { issues, schemaError } = checkAgainstSchema(value, schema);
  expect(schemaError).toBeUndefined();
  return issues;
};
const linesOf = (value: unknown, schema: JsonSchema): string[] =>
  issuesOf(value, schema).map(({ path, message }) => `${path} ${message}`);
const errorOf = (value: unknown, schema: unknown): string | undefined => {
  const { issues, schemaError } = checkAgainstSchema(value, schema as JsonSchema);
  expect(issues).toEqual([]);
  return schemaError;
};
const nest = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

describe('checkAgainstSchema', () => {
  test('finds nothing in a valid value', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    expect(checkAgainstSchema({ city: 'Oslo', more: 1 }, schema)).toEqual({ issues: [] });
  });

  test.each<[unknown, JsonSchema, string]>([
    [5, { type: 'string' }, ' is 5; the schema requires text'],
    ['5', { type: 'integer' }, ' is text; the schema requires an integer'],
    [1.5, { type: 'integer' }, ' is 1.5; the schema requires an integer'],
    [true, { type: ['string', 'null'] }, ' is true; the schema requires text or null'],
    ['k', { enum: ['celsius', 'fahrenheit'] }, ' is not one of celsius, fahrenheit'],
    [5, { type: 'string', enum: ['a'] }, ' is 5; the schema requires text'],
    ['b', { const: 'a' }, ' is not "a"'],
    [{}, { required: ['city'] }, '/city is required and missing'],
    [{ a: 1 }, { additionalProperties: false }, '/a is not a property of the schema'],
    [{ a: 1 }, { unevaluatedProperties: false }, '/a is not a property of the schema'],
    [{ a: 1 }, { properties: { a: false } }, '/a is not allowed by the schema'],
    [{ a: 1 }, { dependentRequired: { a: ['b'] } }, '/b is required with a and missing'],
    [{ a: 1 }, { dependencies: { a: ['b'] } }, '/b is required with a and missing'],
    [{ aB: 1 }, { propertyNames: { pattern: '^[a-z]$' } }, '/aB is not a name that the schema allows'],
    [{ a: 1 }, { minProperties: 2 }, ' has 1 property; the schema requires at least 2'],
    [[1, 2], { maxItems: 1 }, ' has 2 items; the schema allows at most 1'],
    [[1, 1], { uniqueItems: true }, ' has the same item twice'],
    [[1], { contains: { type: 'string' } }, ' has no item that matches `contains` of the schema'],
    [
      ['a', 1],
      { contains: { type: 'string' }, minContains: 2 },
      ' has fewer matching items than the schema requires',
    ],
    [[1], { items: { contains: true, type: 'string' } }, '/0 is 1; the schema requires text'],
    [['a', 1], { prefixItems: [{}, { type: 'string' }] }, '/1 is 1; the schema requires text'],
    [3, { minimum: 5 }, ' is 3; the schema requires at least 5'],
    [5, { exclusiveMaximum: 5 }, ' is 5; the schema requires less than 5'],
    [3, { multipleOf: 2 }, ' is 3; the schema requires a multiple of 2'],
    ['😀', { minLength: 2 }, ' has 1 character; the schema requires at least 2'],
    ['x', { pattern: '^\\d+$' }, ' does not match the pattern ^\\d+$'],
    ['x', { format: 'date' }, ' is not of the format date'],
    [{ a: 1 }, { not: { required: ['a'] } }, ' is a value that the schema forbids'],
    [
      { a: 1 },
      JSON.parse('{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }') as JsonSchema,
      '/b is required and missing',
    ],
    [{ 'a/~': 1 }, { properties: { 'a/~': { type: 'string' } } }, '/a~1~0 is 1; the schema requires text'],
    [{ 'ä %#': 1 }, { properties: { 'ä %#': { type: 'string' } } }, '/ä %# is 1; the schema requires text'],
    [{ $ref: 1 }, { properties: { $ref: { type: 'string' } } }, '/$ref is 1; the schema requires text'],
  ])('checks %j against %j and finds: %s', (value, schema, line) => {
    expect(linesOf(value, schema)).toEqual([line]);
  });

  test('reports only the innermost violations, even through references', () => {
    const schema = {
      $ref: '#/$defs/trip',
      $defs: {
        trip: { allOf: [{ properties: { stops: { items: { $ref: '#/$defs/stop' } } } }] },
        stop: { type: 'object', properties: { day: { type: 'integer' } }, required: ['city'] },
      },
    };
    expect(linesOf({ stops: [{ city: 'Oslo', day: 1 }, { day: '2' }] }, schema)).toEqual([
      '/stops/1/city is required and missing',
      '/stops/1/day is text; the schema requires an integer',
    ]);
  });

  describe('with alternatives', () => {
    const schema = {
      anyOf: [
        { type: 'string' },
        { type: 'null' },
        { $ref: '#/$defs/place' },
        { type: 'array', title: 'Stops' },
      ],
      $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    };

    test('names them if the value has the type of none', () => {
      expect(linesOf(5, schema)).toEqual([
        ' fits none of the alternatives: text, null, an object with city, Stops',
      ]);
    });

    test('reports the violations within the only one of the value’s type', () => {
      expect(linesOf({ city: 5 }, schema)).toEqual(['/city is 5; the schema requires text']);
    });

    test('reports the violations within the one whose constant matches', () => {
      const kind = (name: string): JsonSchema => ({
        type: 'object',
        properties: { kind: { const: name }, at: { type: 'integer' } },
      });
      const value = { kind: 'b', at: 'now' };
      expect(linesOf(value, { oneOf: [kind('a'), kind('b'), kind('c')] })).toEqual([
        '/at is text; the schema requires an integer',
      ]);
      expect(linesOf({ kind: 'd' }, { anyOf: [{ const: 1 }, { enum: ['x', 'y'] }] })).toEqual([
        ' fits none of the alternatives: 1, one of x, y',
      ]);
    });

    test('reports the number of matching ones if oneOf has several', () => {
      expect(linesOf(5, { oneOf: [{}, { type: 'integer' }, { type: 'string' }, false] })).toEqual([
        ' fits 2 of the alternatives; the schema requires exactly one',
      ]);
    });
  });

  test('does not report a known but invalid property as unknown', () => {
    const schema = { allOf: [{ properties: { a: { type: 'string' } } }], unevaluatedProperties: false };
    expect(linesOf({ a: 1, b: 2 }, schema)).toEqual([
      '/a is 1; the schema requires text',
      '/b is not a property of the schema',
    ]);
  });

  test('selects the draft by $schema, and uses 2020-12 without one', () => {
    const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 5, exclusiveMinimum: true };
    expect(linesOf(5, draft4)).toEqual([' is 5; the schema requires more than 5']);
    expect(linesOf(5, { ...draft4, $schema: undefined })).toEqual([]);
    const beside = { $ref: '#/$defs/a', type: 'string', $defs: { a: {} } };
    expect(linesOf(5, beside)).toHaveLength(1);
    expect(linesOf(5, { ...beside, $schema: 'http://json-schema.org/draft-07/schema#' })).toEqual([]);
  });

  test('ignores keywords with invalid values', () => {
    const schema = {
      type: 'strnig',
      required: 'city',
      enum: 'abc',
      anyOf: {},
      properties: { city: null, day: 5 },
      minimum: '5',
      format: 'toString',
      items: 'text',
    };
    expect(issuesOf({ city: 1, day: 2 }, schema)).toEqual([]);
  });

  test.each([undefined, { a: [undefined] }, { a: () => 1 }, { a: 1n }, { a: Symbol('a') }])(
    'reports that %o is not JSON',
    (value) => {
      expect(issuesOf(value, {})).toHaveLength(1);
    },
  );

  test('treats `__proto__` and `constructor` as ordinary names', () => {
    const value: unknown = JSON.parse('{ "__proto__": 1, "constructor": 2 }');
    const schema = JSON.parse(
      '{ "properties": { "__proto__": { "type": "string" } }, "required": ["valueOf"] }',
    ) as JsonSchema;
    expect(linesOf(value, schema)).toEqual([
      '/valueOf is required and missing',
      '/__proto__ is 1; the schema requires text',
    ]);
    expect(
      linesOf({}, { properties: { constructor: { type: 'string' } }, required: ['constructor'] }),
    ).toEqual(['/constructor is required and missing']);
  });

  test('changes neither the value nor the schema, even frozen ones', () => {
    const schema = Object.freeze({
      $ref: '#/$defs/a',
      $defs: Object.freeze({ a: Object.freeze({ pattern: '^a$' }) }),
    });
    expect(issuesOf(Object.freeze({ a: 1 }), schema)).toEqual([]);
    expect(Object.getOwnPropertyNames(schema)).toEqual(['$ref', '$defs']);
  });

  describe('explains why a schema cannot be used', () => {
    test.each<[string, unknown, RegExp]>([
      ['not an object', 'text', /not a JSON object/],
      ['a reference to nothing', { $ref: '#/$defs/a' }, /\/\$ref refers to nothing in it/],
      ['a reference that is not an address', { $ref: 'http://[' }, /not an address/],
      ['a reference to itself', { $ref: '#' }, /too large/],
      [
        'an invalid regular expression',
        { properties: { a: { pattern: '(' } } },
        /\/properties\/a\/pattern is not a regular expression/,
      ],
      ['a nested quantifier', { pattern: '^(a+)+$' }, /\/pattern is a pattern that could take too long/],
      ['slow patternProperties', { patternProperties: { '(a|a)*$': {} } }, /could take too long/],
      ['a lone surrogate', { properties: { '\uD800': {} } }, /surrogate/],
      ['too many levels', { const: nest(250) }, /too large/],
      ['too many values', { enum: Array.from({ length: 200_001 }, () => 1) }, /too large/],
    ])('%s', (_, schema, words) => {
      expect(errorOf({ a: 'a' }, schema)).toMatch(words);
    });

    test('a cycle', () => {
      const schema: Record<string, unknown> = {};
      schema['not'] = schema;
      expect(errorOf(1, schema)).toMatch(/too large/);
    });
  });

  test('ignores an unresolved reference that the value does not reach', () => {
    expect(issuesOf({}, { properties: { a: { $ref: '#/$defs/a' } } })).toEqual([]);
  });

  test('refuses to check a value that is too deep or too large', () => {
    expect(errorOf(nest(100_000), {})).toMatch(/too large/);
    expect(
      errorOf(
        Array.from({ length: 300_000 }, () => 1),
        {},
      ),
    ).toMatch(/too large/);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(errorOf(cycle, {})).toMatch(/too large/);
    expect(errorOf({ '\uDC00': 1 }, { additionalProperties: { type: 'string' } })).toMatch(/surrogate/);
    const long = Array.from({ length: 20_000 }, (_, at) => at);
    expect(errorOf(long, { uniqueItems: true })).toMatch(/too large/);
    expect(issuesOf(long, { uniqueItems: false })).toEqual([]);
  });

  test('lists at most 50 violations, and at least one for a huge number', () => {
    stopClock();
    const many = Array.from({ length: 90_000 }, () => 'x');
    expect(issuesOf(many.slice(0, 1_000), { items: { type: 'integer' } })).toHaveLength(50);
    expect(
      issuesOf({ a: many }, { properties: { a: { items: { type: 'integer' } } } }).length,
    ).toBeGreaterThan(0);
  });

  test('tests no pattern on a text of more than 1,000 characters', () => {
    const schema = { type: 'object', properties: { a: { pattern: '^\\d+$' } } };
    expect(issuesOf({ a: 'x'.repeat(1_000) }, schema)).toHaveLength(1);
    expect(issuesOf({ a: 'x'.repeat(1_001) }, schema)).toEqual([]);
    // Within `not`, skipping the pattern would turn into a violation.
    expect(errorOf({ a: 'x'.repeat(1_001) }, { ...schema, not: { pattern: 'x' } })).toMatch(/too large/);
    expect(errorOf({ ['x'.repeat(1_001)]: 1 }, { patternProperties: { '^y': {} } })).toMatch(/too large/);
  });

  describe('agrees with the underlying validator', () => {
    const key = fc.constantFrom('a', 'b', 'c', '__proto__');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, 0, 1, 2.5, '', 'a', 'ab'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    }));
    const { schema } = fc.letrec((tie) => {
      const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
      return {
        schema: fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          fc.boolean(),
          fc.constantFrom(
            { type: 'string' },
            { type: 'integer' },
            { type: ['object', 'null'] },
            { $ref: '#/$defs/d' },
          ),
          fc.record(
            {
              type: fc.constantFrom('string', 'number', 'array', 'object', 'boolean'),
              enum: fc.array(value, { minLength: 1, maxLength: 2 }),
              const: value,
              minimum: fc.constantFrom(0, 1, 2),
              maxLength: fc.constantFrom(0, 1),
              pattern: fc.constantFrom('^a', 'b$', '^(ab)+$'),
              required: fc.uniqueArray(key, { maxLength: 2 }),
              properties: fc.dictionary(key, tie('schema'), { maxKeys: 2 }),
              patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), tie('schema'), { maxKeys: 1 }),
              additionalProperties: tie('schema'),
              unevaluatedProperties: tie('schema'),
              dependentRequired: fc.dictionary(key, fc.array(key, { maxLength: 1 }), { maxKeys: 1 }),
              propertyNames: tie('schema'),
              items: tie('schema'),
              prefixItems: list,
              contains: tie('schema'),
              minContains: fc.constantFrom(0, 2),
              uniqueItems: fc.boolean(),
              allOf: list,
              anyOf: list,
              oneOf: list,
              not: tie('schema'),
              ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, tie('schema')])),
            },
            { requiredKeys: [] },
          ),
        ),
      };
    });

    test('for any small schema and value', () => {
      fc.assert(
        fc.property(value, schema, (given, inner) => {
          const whole = { allOf: [inner], $defs: { d: { type: 'object', maxProperties: 1 } } };
          const { valid } = validate(given, structuredClone(whole) as Schema, '2020-12');
          const { issues, schemaError } = checkAgainstSchema(given, whole);
          expect(schemaError).toBeUndefined();
          expect(issues.length === 0).toBe(valid);
        }),
        { numRuns: runs(2_000) },
      );
    });

    test('and never throws', () => {
      fc.assert(
        fc.property(fc.anything(), fc.anything(), (given, any) => {
          const { issues, schemaError } = checkAgainstSchema(given, any as JsonSchema);
          if (schemaError !== undefined) expect(issues).toEqual([]);
        }),
        { numRuns: runs(500) },
      );
    });
  });
});

describe('a schema that is used again', () => {
  test('is compiled once, with the same results', () => {
    let reads = 0;
    const properties = {
      get city() {
        reads++;
        return { type: 'string', pattern: '^[A-Z]' };
      },
    };
    const schema = { type: 'object', properties, required: ['city'] };
    expect(linesOf({ city: 'oslo' }, schema)).toEqual(
      linesOf({ city: 'oslo' }, { ...schema, properties: { ...properties } }),
    );
    const readsOfOne = reads;
    for (let time = 0; time < 100; time++) {
      expect(linesOf({ city: 1 }, schema)).toEqual(['/city is 1; the schema requires text']);
      expect(linesOf({ city: 'Oslo' }, schema)).toEqual([]);
    }
    expect(reads).toBe(readsOfOne);
  });
});
