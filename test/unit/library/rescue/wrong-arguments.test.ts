import { describe, expect, it } from 'vitest';
import {
  checkArguments,
  findMarkup,
  nearestTools,
  parser,
  RescueScanner,
  rescueToolCalls,
} from '../../../../src/library';
import { GHENT, tag, WEATHER } from './rescue-fixtures';

const REPLY = tag(GHENT);
const WRONG: readonly unknown[] = [undefined, null, 7, true, {}, [null], [{ name: 7 }], () => 1];

const scan = (tools: unknown, options: unknown, ending: unknown): number => {
  const scanner = new RescueScanner(tools as never, options as never);
  scanner.feed(REPLY);
  return scanner.finish(ending as never).report.calls.length;
};

describe('code that handles replies', () => {
  it.each(WRONG)('finds nothing in %j in place of a text', (text) => {
    expect(findMarkup(text as never)).toEqual([]);
    expect(nearestTools(text as never, WEATHER)).toEqual([]);
    expect(rescueToolCalls(text as never, WEATHER).calls).toEqual([]);
    expect(new RescueScanner(WEATHER).feed(text as never)).toBe('');
  });

  it.each(WRONG)('offers no tool with %j in place of tools', (tools) => {
    expect(nearestTools('get_wether', tools as never)).toEqual([]);
    expect(rescueToolCalls(REPLY, tools as never).calls).toEqual([]);
    expect(scan(tools, {}, {})).toBe(0);
  });

  it.each(WRONG.filter((value) => !Array.isArray(value)))('ignores %j in place of options', (options) => {
    expect(rescueToolCalls(REPLY, WEATHER, options as never).calls).toHaveLength(1);
    expect(rescueToolCalls(REPLY, WEATHER, { formats: options as never }).calls).toHaveLength(1);
    expect(scan(WEATHER, options, options)).toBe(1);
    expect(scan(WEATHER, { formats: options }, { report: options })).toBe(1);
  });
});

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
};

describe.each([
  ['Standard', { '~standard': { jsonSchema: { input: () => SCHEMA } } }],
  ['zod', { toJSONSchema: () => SCHEMA }],
  ['arktype', Object.assign(() => undefined, { toJSONSchema: () => SCHEMA })],
])('a %s schema', (_, schema) => {
  const parameters = schema as Record<string, unknown>;
  const tools = [{ name: 'get_weather', parameters }];
  const text = '<function=get_weather><parameter=city>7</parameter><parameter=days>3</parameter></function>';

  it('gives rescued arguments their types, whoever rescues them', () => {
    const expected = [{ name: 'get_weather', arguments: { city: '7', days: 3 } }];
    expect(rescueToolCalls(text, tools).calls).toMatchObject(expected);
    expect(parser.toolCalls(text, tools)).toMatchObject(expected);
    const scanner = new RescueScanner(tools);
    scanner.feed(text);
    expect(scanner.finish().report.calls).toMatchObject(expected);
  });

  it('is what arguments are checked against', () => {
    expect(checkArguments({ days: '3' }, parameters)).toEqual([
      { path: '/city', message: 'is missing' },
      { path: '/days', message: 'is text; the schema requires an integer' },
    ]);
  });
});

it('names the values of an enum that JSON cannot hold by their type', () => {
  const parameters = { type: 'object', properties: { city: { enum: ['Oslo', 10n, Symbol('x')] } } };
  const message = 'is not one of Oslo, bigint, symbol';
  expect(checkArguments({ city: 'Ghent' }, parameters)).toEqual([{ path: '/city', message }]);
  const { calls } = rescueToolCalls(REPLY, [{ name: 'get_weather', parameters }]);
  expect(calls[0]?.schemaIssues).toEqual([{ path: '/city', message }]);
});

it('checks no arguments against a schema that cannot be written as JSON Schema', () => {
  const parameters = {
    toJSONSchema: () => {
      throw new Error('Date cannot be represented in JSON Schema');
    },
  };
  expect(checkArguments({ a: 1 }, parameters)).toEqual([]);
  expect(
    rescueToolCalls(tag('{"name": "f", "arguments": {}}'), [{ name: 'f', parameters }]).calls,
  ).toHaveLength(1);
});
