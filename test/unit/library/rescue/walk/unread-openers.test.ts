import { describe, expect, it } from 'vitest';
import { onlyRejection, rescue, tag, GHENT } from '../rescue-fixtures';

describe('UnreadOpeners', () => {
  it('reports the likely format, the offset, what was expected and what was found', () => {
    const text = '<tool_call>\nweather in Ghent\n</tool_call>';
    expect(onlyRejection(text)).toEqual({
      format: 'hermes-json',
      start: 0,
      end: '<tool_call>'.length,
      reason: 'malformed',
      detail:
        'This looks like Hermes and Qwen: JSON in <tool_call>. It breaks at offset 12: ' +
        'expected `{"name": "NAME", "arguments": {}…`, found `weather in Ghent </tool_call>`.',
    });
  });

  it.each([
    ['<|tool_calls_section_begin|>\nget_weather', 'kimi-k2'],
    ['<｜tool▁calls▁begin｜>\nnothing', 'deepseek-v3'],
    ['[TOOL_CALLS]\n"get the weather"', 'mistral-array'],
    ['<|START_ACTION|>\nnothing', 'command-r7b'],
    ['<minimax:tool_call>\nget_weather', 'minimax-m2'],
    ['I look.\n<TOOLCALL>\nthe weather', 'nemotron-toolcall'],
  ])('names the format of %j', (text, format) => {
    expect(onlyRejection(text)).toMatchObject({ format, reason: 'malformed' });
  });

  it('reports the reply as cut when it ends with the opener', () => {
    const rejection = onlyRejection('Let me see.\n<tool_call>\n');
    expect(rejection).toMatchObject({ format: 'hermes-json', reason: 'truncated' });
  });

  it.each([
    'The <tool_call> tag opens a call.',
    '<tool_call> is what Qwen writes before a call.',
    'Look at `<tool_call>`, "<tool_call>" and (<tool_call>).',
    'See the [TOOL_CALLS] section of the docs.',
    '- `[TOOL_CALLS]`: opens\n- `[ARGS]`: separates',
    '> <tool_call>\n> name\n',
    '```\n<tool_call>\nthe call\n</tool_call>\n```\nThat is the form.',
    '<think><tool_call>\nthe call</think>Hello.',
  ])('ignores an opener that is only mentioned: %j', (text) => {
    expect(rescue(text).rejected).toEqual([]);
  });

  it('reports nothing when a call was found, or when another rejection says more', () => {
    expect(rescue(`<tool_call>\nhm hm\n${tag(GHENT)}`).rejected).toEqual([]);
    const { rejected } = rescue(
      '<tool_call>\nhm hm\n</tool_call>\n<tool_call>{"name": "get_weather", "arguments": {"a" 1}}</tool_call>',
    );
    expect(rejected).toHaveLength(1);
    expect(rejected[0]?.detail).toContain('JSON');
  });

  it('reports a repeated opener once', () => {
    expect(rescue('<tool_call>\nhm hm\n'.repeat(500)).rejected).toHaveLength(1);
  });
});
