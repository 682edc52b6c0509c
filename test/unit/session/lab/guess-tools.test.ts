// Guessing tools from a text alone, in every format.
import { describe, expect, it } from 'vitest';
import { formatToolCalls, rescueFormats, rescueToolCalls } from '../../../../src/library';
import { guessTools } from '../../../../src/session/lab/guess-tools';
import { leastComputedMs } from '../../../support/computed-ms';

const CALLS = [{ name: 'get_weather', arguments: { city: 'Oslo', days: 3 } }];

describe('guessTools', () => {
  it.each(rescueFormats().map(({ id }) => id))(
    'finds the tool of a call in %s, so that the call can be read',
    (id) => {
      const text = formatToolCalls(CALLS, id);
      const tools = guessTools(text);
      expect(tools.map(({ name }) => name)).toEqual(['get_weather']);
      const [call] = rescueToolCalls(text, tools).calls;
      expect(call?.name).toBe('get_weather');
      expect(Object.keys(call?.arguments as object)).toEqual(['city', 'days']);
      expect(tools[0]?.parameters).toMatchObject({ properties: { city: { type: 'string' } } });
    },
  );

  it('finds every tool, in the order of the text', () => {
    const text = formatToolCalls(
      [
        { name: 'zeta', arguments: { list: [1], on: true, share: 0.5, none: null, map: { a: 1 } } },
        { name: 'alpha', arguments: {} },
        { name: 'zeta', arguments: { more: 7 } },
      ],
      'hermes-json',
    );
    expect(guessTools(text)).toEqual([
      {
        name: 'zeta',
        parameters: {
          type: 'object',
          properties: {
            list: { type: 'array' },
            on: { type: 'boolean' },
            share: { type: 'number' },
            none: { type: 'null' },
            map: { type: 'object' },
            more: { type: 'integer' },
          },
        },
      },
      { name: 'alpha', parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('finds a tool whose arguments are unreadable', () => {
    expect(guessTools('<tool_call>\n{"name": "get_weather", "arguments": [1, 2]}\n</tool_call>')).toEqual([
      { name: 'get_weather', parameters: { type: 'object', properties: {} } },
    ]);
  });

  it.each([
    ['prose', 'The weather in Oslo is fine. Call me (city = Oslo)'],
    ['an HTML page', '<div>\n<p>Hello</p>\n</div>\n<my_list>nothing here</my_list>'],
    ['JSON data', '{"items": [{"title": "a"}], "total": 3}'],
    ['reasoning', '<think>\n<b>I should</b>\n</think>\nDone.'],
    ['an empty wrapper', '<tool_call>\n</tool_call>'],
    ['nothing', ''],
  ])('finds none in %s', (_, text) => {
    expect(guessTools(text)).toEqual([]);
  });

  it('returns at most 50 tools', () => {
    const calls = Array.from({ length: 80 }, (_, index) => ({ name: `tool_${index}`, arguments: { index } }));
    expect(guessTools(formatToolCalls(calls, 'hermes-json'))).toHaveLength(50);
  });

  describe('in a text of a million characters', () => {
    const PROSE = 'The weather in Oslo is fine today.\n'.repeat(9_000);
    const write = (name: string, args: object): string =>
      formatToolCalls([{ name, arguments: args }], 'hermes-json');
    const toText = (city: string): string => write('get_weather', { city });

    it.each([
      ['a call that is longer than the beginning', toText('Oslo '.repeat(190_000))],
      ['a call after the beginning', PROSE.repeat(3) + toText('Oslo')],
      ['a Python call after the beginning', `${PROSE}\nget_weather(city="Oslo")\n`],
    ])('finds the tool of %s', (_, text) => {
      expect(guessTools(text)).toEqual([
        { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      ]);
    });

    it('finds the tools and arguments that only its end has, after those of its beginning', () => {
      const [first, later] = [write('search', { query: 'x' }), write('search', { query: 'x', limit: 3 })];
      const tools = guessTools(first + PROSE + toText('Oslo') + later);
      expect(tools.map(({ name }) => name)).toEqual(['search', 'get_weather']);
      expect(tools[0]?.parameters).toMatchObject({
        properties: { query: { type: 'string' }, limit: { type: 'integer' } },
      });
    });

    it('takes a moment for a text of a megabyte', () => {
      const text = toText('Oslo '.repeat(190_000));
      expect(leastComputedMs(() => void guessTools(text))).toBeLessThan(2_000);
    });
  });
});
