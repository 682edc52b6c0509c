import { describe, expect, test } from 'vitest';
import { toJsonSchema, toWireTools } from '../../../../src/library/wire/tools';

describe('toWireTools', () => {
  test('declares a function with its schema as it is, execute left out', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } };
    expect(toWireTools([{ name: 'f', description: 'does f', parameters, execute: () => 1 }])).toEqual([
      { type: 'function', function: { name: 'f', description: 'does f', parameters } },
    ]);
  });
});

describe('toJsonSchema', () => {
  test('a schema that is missing is an object without properties: Ollama’s runner refuses none at all', () => {
    expect(toJsonSchema(undefined)).toEqual({ type: 'object', properties: {} });
  });

  test('a Standard Schema that can tell its JSON Schema is asked for it', () => {
    const made = { type: 'object', properties: { a: { type: 'number' } } };
    const standard = { '~standard': { version: 1, vendor: 'x', jsonSchema: { input: () => made } } };
    expect(toJsonSchema(standard)).toEqual(made);
    expect(toJsonSchema({ toJSONSchema: () => made })).toEqual(made);
  });
});
