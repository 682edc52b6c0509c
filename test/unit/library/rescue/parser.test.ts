import { describe, expect, it } from 'vitest';
import { parser } from '../../../../src/library/rescue/parser';
import { toolsOf } from './rescue-fixtures';

const CALL = '{"name": "get_weather", "arguments": {"city": "Ghent"}}';

describe('parser', () => {
  it('is frozen', () => {
    expect(Object.isFrozen(parser)).toBe(true);
  });

  it('returns the calls of offered tools, and undefined when there are none', () => {
    expect(parser.toolCalls(`<tool_call>${CALL}</tool_call>`, toolsOf('weather'))).toMatchObject([
      { name: 'get_weather', arguments: { city: 'Ghent' } },
    ]);
    expect(parser.toolCalls('Rain.', toolsOf('weather'))).toBeUndefined();
    expect(parser.toolCalls(CALL, [])).toBeUndefined();
  });

  it.each([
    ['the whole text', '{"a": [1, 2]}', { a: [1, 2] }],
    ['encoded twice', JSON.stringify('{"a": 1}'), { a: 1 }],
    ['in a fence', 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
    ['after prose', 'The {answer} is {"a": 1}.', { a: 1 }],
    ['damaged', "{'a': True, b: [1, 2,],}", { a: true, b: [1, 2] }],
    ['a plain value', ' 42 ', 42],
    ['a plain text', '"Ghent"', 'Ghent'],
    ['cut', '{"a": [1, 2', undefined],
    ['absent', 'no value here', undefined],
  ])('reads JSON: %s', (_, text, value) => {
    expect(parser.json(text)).toEqual(value);
  });

  it('removes closed reasoning from a text, and nothing that only looks like it', () => {
    expect(parser.stripReasoning('<think>a</think>\n\nThe `<think>` tag.')).toBe('The `<think>` tag.');
    expect(parser.stripReasoning('in the prompt</think>Yes.')).toBe('Yes.');
    expect(parser.stripReasoning('<think>never closed')).toBe('<think>never closed');
    const call = '<tool_call>{"name": "x", "arguments": {"t": "a</think>b"}}</tool_call>';
    expect(parser.stripReasoning(call)).toBe(call);
  });

  it('does not throw for values of any type', () => {
    const { toolCalls, json, stripReasoning } = parser as unknown as Record<
      string,
      (...values: unknown[]) => unknown
    >;
    expect([toolCalls?.(null, null), json?.(null), stripReasoning?.(7)]).toEqual([undefined, undefined, '']);
    expect(json?.('['.repeat(100_000))).toBeUndefined();
  });
});
