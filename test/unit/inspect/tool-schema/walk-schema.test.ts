import { describe, expect, it, test } from 'vitest';
import { followPath, listSchemas } from '../../../../src/inspect/tool-schema/walk-schema';

const PARAMETERS = {
  type: 'object',
  properties: {
    level: { type: 'string', enum: [1, 2] },
    edits: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'string' } } } },
    either: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/place' }] },
    any: true,
  },
  $defs: { place: { type: 'object' } },
};

describe('listSchemas', () => {
  it('lists every schema with its pointer and the name of its parameter, from the top down', () => {
    expect(listSchemas(PARAMETERS).map(({ pointer, name }) => [pointer, name])).toEqual([
      ['', ''],
      ['/properties/level', 'level'],
      ['/properties/edits', 'edits'],
      ['/properties/edits/items', 'edits[]'],
      ['/properties/edits/items/properties/a~1b', 'edits[].a/b'],
      ['/properties/either', 'either'],
      ['/properties/either/anyOf/0', 'either'],
      ['/properties/either/anyOf/1', 'either'],
      ['/$defs/place', 'place'],
    ]);
  });

  it('ends in a schema that contains itself, and finds none in a value that is no object', () => {
    const own: Record<string, unknown> = {};
    own['items'] = own;
    expect(listSchemas(own).length).toBeGreaterThan(10);
    expect(listSchemas(undefined)).toEqual([]);
  });
});

describe('followPath', () => {
  test.each([
    ['properties[0].value.enum[0]', 'level', true],
    ['properties[edits].items.properties', 'edits[]', true],
    ['properties.either.anyOf.1.$ref', 'either', true],
    ['properties.gone.items', '', false],
    ['properties[9].value', '', false],
  ])('leads by %s to %j', (path, name, isWhole) => {
    expect(followPath(PARAMETERS, path)).toMatchObject({ place: { name }, isWhole });
  });

  it('leads nowhere without parameters', () => {
    expect(followPath(undefined, 'properties.a')).toBeUndefined();
  });
});
