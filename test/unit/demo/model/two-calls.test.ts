import { describe, expect, test } from 'vitest';
import { twoCalls } from '../../../../src/demo/model/two-calls';
import type { ToolType } from '../../../../src/types';

const tool = (name: string, ...required: string[]): ToolType => ({
  name,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(required.map((key) => [key, { type: 'string' }])),
    required,
  },
});
const weather = tool('get_weather', 'city');
const flights = tool('search_flights', 'from', 'to');
const now = tool('now');
const shortly = (message: string, tools: readonly ToolType[]): string[] =>
  twoCalls(message, tools).map(
    (call) => `${call.name}(${Object.values(call.arguments).map(String).join(', ')})`,
  );

describe('twoCalls', () => {
  test.each([
    [
      'two tools that fit',
      'a flight to Rome and its weather',
      [now, flights, weather],
      'search_flights(Oslo, Rome) get_weather(Oslo)',
    ],
    [
      'the fitting tool for two places',
      'the weather in Rome, Bergen and Oslo',
      [now, flights, weather],
      'get_weather(Rome) get_weather(Bergen)',
    ],
    [
      'the fitting tool and the first other one',
      'the weather in Rome',
      [flights, weather, now],
      'search_flights(Oslo, Paris) get_weather(Rome)',
    ],
    [
      'the first two tools when none fits',
      'Hello',
      [flights, now, weather],
      'search_flights(Oslo, Paris) now()',
    ],
    [
      'the only tool for another place too',
      'the weather in Rome',
      [weather],
      'get_weather(Rome) get_weather(Oslo)',
    ],
    [
      'the only tool for two places when none is named',
      'the weather',
      [weather],
      'get_weather(Oslo) get_weather(Paris)',
    ],
    ['the only tool twice when it takes no place', 'Hello', [now], 'now() now()'],
    ['nothing when no tool is offered', 'the weather in Oslo and Rome', [], ''],
  ])('calls %s, in the offered order', (_, message, tools, calls) => {
    expect(shortly(message, tools).join(' ')).toBe(calls);
  });
});
