import { describe, expect, test } from 'vitest';
import { rescueToolCalls } from '../../../../src/library';
import { toDamagedText, toFencedText, toHermesText } from '../../../../src/demo/model/tool-call-text';

describe('toDamagedText', () => {
  test('escapes what single quotes require, and keeps every value', () => {
    expect(toDamagedText('x', { who: `O'Brien "Bo"\n`, count: 1, tags: [] })).toBe(
      `<tool_call>\n{'name': 'x', 'arguments': {'who': 'O\\'Brien "Bo"\\n', 'count': 1, 'tags': [],}}`,
    );
  });

  test('has no trailing comma without arguments', () => {
    expect(toDamagedText('x', {})).toBe(`<tool_call>\n{'name': 'x', 'arguments': {}}`);
  });
});

describe('toHermesText and toFencedText', () => {
  const call = { name: 'x', argumentsText: '{"who": "O\'Brien \\"Bo\\"\\n", "tags": ["a", 1, null]}' };
  const tool = { name: 'x', parameters: { type: 'object', properties: {} } };

  test('keep the spacing of the arguments', () => {
    expect(toHermesText([call, call])).toBe(
      [1, 2]
        .map(() => `<tool_call>\n{"name": "x", "arguments": ${call.argumentsText}}\n</tool_call>`)
        .join('\n'),
    );
    expect(toFencedText(call)).toBe(`\`\`\`json\n{"name": "x", "arguments": ${call.argumentsText}}\n\`\`\``);
  });

  test('write calls that the library reads back', () => {
    for (const text of [toHermesText([call]), toFencedText(call)]) {
      const { calls } = rescueToolCalls(text, [tool]);
      expect(calls.map(({ arguments: value }) => value)).toEqual([JSON.parse(call.argumentsText)]);
    }
  });
});
