import { describe, expect, test } from 'vitest';
import type { ParameterRow } from '../../../../src/protocol';
import { fromParametersTable, parametersTable } from '../../../../src/protocol';
import type { JsonSchema } from '../../../../src/types';
import { fc } from '../../../support/arbitrary/properties';

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    city: { type: 'string', description: 'A city', minLength: 1 },
    unit: { enum: ['celsius', 'fahrenheit'], default: 'celsius' },
    days: { maximum: 14, type: 'integer' },
    exact: { type: 'boolean', description: '' },
    tags: { type: 'array', items: { type: 'string', maxLength: 5 }, maxItems: 3 },
  },
  required: ['city', 'gone', 'days'],
  additionalProperties: false,
};
const rowsOf = (schema: JsonSchema): ParameterRow[] => {
  const table = parametersTable(schema);
  if ('why' in table) throw new Error(table.why);
  return table.rows;
};
const rows = rowsOf(SCHEMA);
const change = (name: string, fields: Partial<ParameterRow>): ParameterRow[] =>
  rows.map((row) => (row.name === name ? { ...row, ...fields } : row));

describe('parametersTable', () => {
  test('has a row per property, in the order of the schema', () => {
    expect(rows).toEqual([
      { name: 'city', type: 'string', description: 'A city', isRequired: true, more: ['minLength'] },
      {
        name: 'unit',
        type: 'enum',
        options: ['celsius', 'fahrenheit'],
        description: '',
        isRequired: false,
        more: ['default'],
      },
      { name: 'days', type: 'integer', description: '', isRequired: true, more: ['maximum'] },
      { name: 'exact', type: 'boolean', description: '', isRequired: false },
      {
        name: 'tags',
        type: 'list',
        description: '',
        isRequired: false,
        more: ['maxItems', 'items.maxLength'],
      },
    ]);
    expect(rowsOf({})).toEqual([]);
  });

  test.each<[JsonSchema, string]>([
    [{ type: 'array' }, 'The schema does not describe an object'],
    [{ anyOf: [] }, 'The schema has anyOf'],
    [{ properties: [] }, 'The schema has a value of `properties` that is not an object'],
    [{ required: true }, 'The schema has a value of `required` that is not a list'],
    [{ properties: { a: { type: 'object', properties: {} } } }, '"a" has nested objects'],
    [{ properties: { a: true } }, '"a" has a schema that is not an object'],
    [{ properties: { a: {} } }, '"a" has no type'],
    [{ properties: { a: { type: ['string', 'null'] } } }, '"a" has several types'],
    [{ properties: { a: { type: 'null' } } }, '"a" has a type that the table does not know'],
    [{ properties: { a: { enum: ['a', 1] } } }, '"a" has a list of values that are not all texts'],
    [{ properties: { a: { type: 'array' } } }, '"a" is a list that contains something other than texts'],
    [
      { properties: { a: { type: 'array', items: { type: 'object' } } } },
      '"a" is a list that contains something other than texts',
    ],
    [{ properties: { a: { $ref: '#' } } }, '"a" has $ref'],
    [{ properties: { a: { type: 'string', description: 5 } } }, '"a" has a description that is not text'],
  ])('gives the reason why %j has no table', (schema, why) => {
    expect(parametersTable(schema)).toEqual({ why: `${why}: edit it as JSON` });
  });
});

describe('fromParametersTable', () => {
  test('leaves the schema unchanged when no row was changed', () => {
    expect(JSON.stringify(fromParametersTable(rows, SCHEMA))).toBe(JSON.stringify(SCHEMA));
    expect(fromParametersTable([], {})).toEqual({});
    expect(fromParametersTable([], { properties: {}, required: [] })).toEqual({
      properties: {},
      required: [],
    });
  });

  test('changes what a row contains, and keeps everything else', () => {
    const changed = fromParametersTable(change('city', { description: '', isRequired: false }), SCHEMA);
    expect(changed).toEqual({
      ...SCHEMA,
      properties: { ...SCHEMA.properties, city: { type: 'string', minLength: 1 } },
      required: ['gone', 'days'],
    });
    expect(fromParametersTable(change('unit', { options: ['k'] }), SCHEMA)).toHaveProperty(
      'properties.unit',
      {
        enum: ['k'],
        default: 'celsius',
      },
    );
    expect(fromParametersTable(change('days', { type: 'list' }), SCHEMA)).toHaveProperty('properties.days', {
      type: 'array',
      items: { type: 'string' },
      maximum: 14,
    });
    expect(fromParametersTable(change('tags', { type: 'enum', options: ['a'] }), SCHEMA)).toHaveProperty(
      'properties.tags',
      { type: 'string', enum: ['a'], maxItems: 3 },
    );
  });

  test('renames a property in its place and keeps everything else of it', () => {
    const renamed = fromParametersTable(change('city', { name: 'town' }), SCHEMA);
    expect(Object.entries(renamed['properties'] as object)[0]).toEqual(['town', SCHEMA.properties.city]);
    expect(renamed['required']).toEqual(['town', 'gone', 'days']);
  });

  test('adds and removes properties', () => {
    const added: ParameterRow = { name: 'new', type: 'number', description: 'New', isRequired: true };
    const changed = fromParametersTable([...rows.slice(1), added], SCHEMA);
    expect(Object.keys(changed['properties'] as object)).toEqual(['unit', 'days', 'exact', 'tags', 'new']);
    expect(changed).toHaveProperty('properties.new', { type: 'number', description: 'New' });
    expect(changed['required']).toEqual(['gone', 'days', 'new']);
    expect(fromParametersTable([added], { type: 'object' })).toEqual({
      type: 'object',
      properties: { new: { type: 'number', description: 'New' } },
      required: ['new'],
    });
  });

  test('ignores the second of two rows with the same name', () => {
    const twice: ParameterRow[] = [
      ...rows,
      { name: 'city', type: 'number', description: '', isRequired: false },
    ];
    expect(fromParametersTable(twice, SCHEMA)).toEqual(SCHEMA);
  });

  const name = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('__proto__', 'constructor', '1'));
  const row = fc
    .record(
      {
        name,
        type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'enum', 'list'),
        description: fc.string(),
        isRequired: fc.boolean(),
      },
      { noNullPrototype: true },
    )
    .chain((made) =>
      made.type === 'enum'
        ? fc.array(fc.string()).map((options): ParameterRow => ({ ...made, type: 'enum', options }))
        : fc.constant(made),
    );
  const table = fc.uniqueArray(row, { selector: (each) => each.name, maxLength: 6 });

  test('writes a schema that is read back as the same table', () => {
    fc.assert(
      fc.property(table, table, (first, second) => {
        const schema = fromParametersTable(first, { type: 'object' });
        const again = (written: JsonSchema): ParameterRow[] =>
          rowsOf(written).toSorted((one, other) => one.name.localeCompare(other.name));
        const sorted = (each: ParameterRow[]): ParameterRow[] =>
          each.toSorted((one, other) => one.name.localeCompare(other.name));
        expect(sorted(rowsOf(schema))).toEqual(sorted(first));
        expect(again(fromParametersTable(second, schema))).toEqual(sorted(second));
        expect(JSON.stringify(fromParametersTable(rowsOf(schema), schema))).toBe(JSON.stringify(schema));
      }),
    );
  });

  test('leaves any schema that is a table unchanged', () => {
    const property = fc.record(
      {
        type: fc.constantFrom('string', 'number', 'array'),
        items: fc.constant({ type: 'string' }),
        enum: fc.array(fc.string(), { maxLength: 2 }),
        description: fc.string({ maxLength: 2 }),
        default: fc.jsonValue(),
        minimum: fc.integer(),
      },
      { requiredKeys: ['type'] },
    );
    const schema = fc.record(
      {
        type: fc.constant('object'),
        title: fc.string(),
        properties: fc.dictionary(name, property, { maxKeys: 4 }),
        required: fc.array(name, { maxLength: 4 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(schema, (given) => {
        const read = parametersTable(given);
        if ('why' in read) return;
        expect(JSON.stringify(fromParametersTable(read.rows, given))).toBe(JSON.stringify(given));
      }),
    );
  });

  test('never throws for any JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('type', 'properties', 'required'), fc.jsonValue()),
        (given) => {
          const read = parametersTable(given);
          if ('rows' in read) fromParametersTable(read.rows, given);
        },
      ),
    );
  });
});
