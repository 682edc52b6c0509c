import { describe, expect, it } from 'vitest';
import { unwrapAnswer } from '../../../../../src/library/rescue/decide/build-report';
import { rescue, tag, GHENT } from '../rescue-fixtures';

const TAGS = [{ open: '<response>', close: '</response>' }];

describe('unwrapAnswer', () => {
  it('removes answer tags that enclose the whole content', () => {
    expect(unwrapAnswer('<response>\nIch sehe nach.\n</response>', TAGS)).toBe('Ich sehe nach.');
  });

  it.each([
    'Ich sehe nach.',
    '<response>half',
    'half</response>',
    '<response>one</response><response>two</response>',
    '',
  ])('leaves %j as it is', (content) => {
    expect(unwrapAnswer(content, TAGS)).toBe(content);
  });

  it('removes the opening tag alone when a call preceded the missing closing tag', () => {
    expect(unwrapAnswer('<response>\nIch sehe nach.', TAGS, true)).toBe('Ich sehe nach.');
    expect(unwrapAnswer('<response>\n<item>1</item>', TAGS, true)).toBe('<response>\n<item>1</item>');
  });
});

describe('buildReport', () => {
  it.each([
    ['kimi-k3, cut', '<|open|>tools<|sep|><|open|>call tool="get_weather" index="0"<|sep|>'],
    [
      'kimi-k3',
      '<|open|>tools<|sep|><|open|>call tool="fly" index="0"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ],
    ['tool-calls-tag', '<tool_calls>[{"name": "fly", "arguments": {}}]</tool_calls>'],
    [
      'kimi-k2',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.fly:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    ],
  ])(
    'keeps the whole wrapper of a rejected call in the content next to a rescued call: %s',
    (_format, refused) => {
      for (const text of [`${tag(GHENT)}${refused}`, `${refused}\n${tag(GHENT)}`]) {
        const { calls, content, rejected } = rescue(text);
        expect(calls).toHaveLength(1);
        expect(content).toBe(refused);
        expect(rejected.map(({ start, end }) => text.slice(start, end))).toEqual([refused]);
      }
    },
  );
});
