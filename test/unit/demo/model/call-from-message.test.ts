import { describe, expect, test } from 'vitest';
import { bestCall, fittingCalls } from '../../../../src/demo/model/call-from-message';
import type { JsonSchema, ToolType } from '../../../../src/types';

function tool(name: string, properties: JsonSchema, required = Object.keys(properties)): ToolType {
  return { name, parameters: { type: 'object', properties, required } };
}

const text = { type: 'string' };
const weather = tool('get_weather', { city: text, unit: text }, ['city']);
const flights = tool('searchFlights', { from: text, to: text, date: text }, ['from', 'to']);
const argumentsOf = (properties: JsonSchema, message = 'Find the invoice of Ada'): unknown =>
  bestCall(message, [tool('find', properties)])?.arguments;

describe('bestCall', () => {
  test('fills a weather tool with the city in the message', () => {
    expect(bestCall('What is the weather in Oslo?', [weather])).toEqual({
      name: 'get_weather',
      arguments: { city: 'Oslo' },
    });
  });

  test('chooses the tool whose name fits, at any position', () => {
    const message = 'I want to fly from Oslo to New York';
    expect(bestCall(message, [weather, flights])).toEqual({
      name: 'searchFlights',
      arguments: { from: 'Oslo', to: 'New York' },
    });
  });

  test('chooses the first tool when none fits, and returns undefined when none is offered', () => {
    expect(bestCall('hi', [flights, weather])?.name).toBe('searchFlights');
    expect(bestCall('hi', [])).toBeUndefined();
  });

  test('creates a value of every type in the schema', () => {
    const made = argumentsOf({
      count: { type: 'integer' },
      ratio: { type: ['number', 'null'] },
      isNew: { type: 'boolean' },
      tags: { type: 'array', items: text },
      color: { enum: ['red', 'green'] },
      kind: { const: 'x' },
      either: { anyOf: [{ type: 'number' }, text] },
      nothing: { type: 'null' },
      who: text,
      inner: { type: 'object', properties: { a: { type: 'number' }, b: text }, required: ['a'] },
    });
    expect(made).toEqual({
      count: 1,
      ratio: 1,
      isNew: true,
      tags: [],
      color: 'red',
      kind: 'x',
      either: 1,
      nothing: null,
      who: 'Ada',
      inner: { a: 1 },
    });
  });

  test('leaves optional properties out and accepts any schema', () => {
    expect(bestCall('hi', [tool('x', { a: text }, [])])?.arguments).toEqual({});
    expect(bestCall('hi', [{ name: 'x', parameters: {} }])?.arguments).toEqual({});
    expect(argumentsOf({ a: true, b: {} })).toEqual({ a: 'Ada', b: 'Ada' });
  });

  test('terminates for a schema that contains itself', () => {
    const schema: Record<string, unknown> = { type: 'object', required: ['next'] };
    schema['properties'] = { next: schema };
    expect(bestCall('hi', [{ name: 'x', parameters: schema }])?.arguments).toHaveProperty('next.next.next');
  });

  test.each(['constructor', '__proto__', 'toString', 'valueOf'])(
    'accepts %s as the name of anything',
    (name) => {
      const required = tool(`get_${name}`, {}, [name]);
      const made = bestCall('Which constructor won?', [tool('other', {}), required]);
      expect(made?.name).toBe(name === 'constructor' ? required.name : 'other');
      expect(Object.entries(bestCall('Which one won?', [required])?.arguments ?? {})).toEqual([
        [name, 'won'],
      ]);
    },
  );

  test('returns a property named __proto__ as a plain argument', () => {
    const properties = JSON.parse('{"__proto__":{"type":"number"}}') as JsonSchema;
    const made = argumentsOf(properties);
    expect(JSON.stringify(made)).toBe('{"__proto__":1}');
  });
});

describe('fittingCalls', () => {
  test('returns a call of every tool that fits the message, in the offered order', () => {
    const message = 'Any flights from Oslo to Rome, and what is the forecast for Rome?';
    expect(fittingCalls(message, [weather, flights])).toEqual([
      { name: 'get_weather', arguments: { city: 'Rome' } },
      { name: 'searchFlights', arguments: { from: 'Oslo', to: 'Rome' } },
    ]);
  });

  test('returns a single call when no tool fits, and none when no tool is offered', () => {
    expect(fittingCalls('hi', [weather, flights]).map(({ name }) => name)).toEqual(['get_weather']);
    expect(fittingCalls('hi', [])).toEqual([]);
  });
});
