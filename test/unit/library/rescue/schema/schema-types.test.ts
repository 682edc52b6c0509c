import { describe, expect, it } from 'vitest';
import {
  findProperties,
  findTypes,
  toKnownType,
} from '../../../../../src/library/rescue/schema/schema-types';

const ROOT = {
  type: 'object',
  properties: { id: { $ref: '#/$defs/id' }, loop: { $ref: '#/$defs/loop' }, far: { $ref: 'other.json#/a' } },
  $defs: {
    id: { type: 'string' },
    loop: { anyOf: [{ $ref: '#/$defs/loop' }, { type: 'integer' }] },
    'a/b': { type: 'boolean' },
  },
};

describe('findTypes', () => {
  it.each([
    [{ type: 'integer' }, ['integer']],
    [{ type: ['string', 'integer', 'null'] }, ['null', 'integer', 'string']],
    [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, ['array', 'string']],
    [{ oneOf: [{ type: 'number' }, { type: 'null' }] }, ['null', 'number']],
    [{ allOf: [{ description: 'x' }, { type: 'boolean' }] }, ['boolean']],
    [{ type: 'integer', nullable: true }, ['null', 'integer']],
    [{ enum: ['a', 1] }, ['number', 'string']],
    [{ const: true }, ['boolean']],
    [{ properties: {} }, ['object']],
    [{ items: {} }, ['array']],
    [{ type: 'int' }, ['integer']],
    [{}, []],
    [undefined, []],
  ])('returns the types of %j, with string last', (schema, types) => {
    expect(findTypes(schema, ROOT)).toEqual(types);
  });

  it('follows references inside the document, but none to other documents or in a circle', () => {
    expect(findTypes(ROOT.properties.id, ROOT)).toEqual(['string']);
    expect(findTypes({ $ref: '#/$defs/a~1b' }, ROOT)).toEqual(['boolean']);
    expect(findTypes(ROOT.properties.loop, ROOT)).toEqual(['integer']);
    expect(findTypes(ROOT.properties.far, ROOT)).toEqual([]);
    expect(findTypes({ $ref: '#/constructor' }, ROOT)).toEqual([]);
  });
});

describe('findProperties', () => {
  it('returns the parameters, including those behind references and unions', () => {
    const schema = {
      $ref: '#/$defs/all',
      $defs: { all: { allOf: [{ properties: { a: {} } }, { anyOf: [{ properties: { b: {} } }] }] } },
    };
    expect(Object.keys(findProperties(schema) ?? {})).toEqual(['a', 'b']);
  });

  it('returns undefined for a schema that names none', () => {
    expect(findProperties({ type: 'object', properties: {} })).toBeUndefined();
    expect(findProperties(undefined)).toBeUndefined();
  });
});

describe('toKnownType', () => {
  it.each([
    ['float', 'number'],
    [' String ', 'string'],
    ['dict', 'object'],
    ['colour', undefined],
  ])('maps %j to %j', (written, type) => expect(toKnownType(written)).toBe(type));
});
