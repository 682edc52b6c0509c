import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../../../src/library/rescue/schema/check-arguments';

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    days: { type: 'integer' },
    tags: { type: 'array' },
    place: { type: 'object' },
    exact: { type: ['boolean', 'null'] },
    other: { $ref: '#/$defs/other' },
  },
  required: ['city'],
};

describe('checkArguments', () => {
  it('finds nothing in arguments that fit', () => {
    const value = {
      city: 'Ghent',
      unit: 'celsius',
      days: 2,
      tags: [],
      place: {},
      exact: null,
      other: 1,
      more: true,
    };
    expect(checkArguments(value, SCHEMA)).toEqual([]);
  });

  it.each([
    [{}, '/city', 'is missing'],
    [{ city: 1 }, '/city', 'is a number; the schema requires text'],
    [{ city: 'G', unit: 'kelvin' }, '/unit', 'is not one of celsius, fahrenheit'],
    [{ city: 'G', days: '2' }, '/days', 'is text; the schema requires an integer'],
    [{ city: 'G', days: 2.5 }, '/days', 'is a number; the schema requires an integer'],
    [{ city: 'G', tags: {} }, '/tags', 'is an object; the schema requires a list'],
    [{ city: 'G', place: [] }, '/place', 'is a list; the schema requires an object'],
    [{ city: 'G', exact: 1 }, '/exact', 'is a number; the schema requires true or false or null'],
  ])('reports what is wrong in %j', (value, path, message) => {
    expect(checkArguments(value, SCHEMA)).toEqual([{ path, message }]);
  });

  it('writes paths as JSON Pointers', () => {
    const schema = { required: ['a/b', 'c~d'] };
    expect(checkArguments({}, schema).map(({ path }) => path)).toEqual(['/a~1b', '/c~0d']);
  });

  it('requires an object', () => {
    expect(checkArguments('Ghent', SCHEMA)).toEqual([
      { path: '', message: 'is text; the schema requires an object' },
    ]);
  });

  it('requires nothing when the schema is empty or malformed', () => {
    for (const schema of [
      {},
      { required: 'city' },
      { properties: [] },
      { properties: { a: { type: 'date' } } },
    ]) {
      expect(checkArguments({ a: 1 }, schema)).toEqual([]);
    }
  });
});
