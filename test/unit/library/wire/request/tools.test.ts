import { describe, expect, test } from 'vitest';
import { toJsonSchema, toWireTools } from '../../../../../src/library/wire/request/tools';

describe('toWireTools', () => {
  test('declares a function with its schema unchanged, without execute', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } };
    expect(toWireTools([{ name: 'f', description: 'does f', parameters, execute: () => 1 }])).toEqual([
      { type: 'function', function: { name: 'f', description: 'does f', parameters } },
    ]);
  });
});

describe('toJsonSchema', () => {
  test('replaces a missing schema by an object without properties, because Ollama’s runner requires one', () => {
    expect(toJsonSchema(undefined)).toEqual({ type: 'object', properties: {} });
  });

  test('gets the JSON Schema from a Standard Schema that provides it', () => {
    const made = { type: 'object', properties: { a: { type: 'number' } } };
    const standard = { '~standard': { version: 1, vendor: 'x', jsonSchema: { input: () => made } } };
    expect(toJsonSchema(standard)).toEqual(made);
    expect(toJsonSchema({ toJSONSchema: () => made })).toEqual(made);
  });
});
