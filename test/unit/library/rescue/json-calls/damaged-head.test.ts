import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { toPlain, toolsOf } from '../rescue-fixtures';

const TOOLS = toolsOf('weather');
const BODY = '{"city": "Ghent", "unit": "celsius"}';
const GHENT = { name: 'get_weather', arguments: { city: 'Ghent', unit: 'celsius' } };

const rescue = (text: string) => {
  const { calls, rejected, content } = rescueToolCalls(text, TOOLS);
  return { calls: calls.map(toPlain), reasons: rejected.map(({ reason }) => reason), content };
};

describe('readDamagedHeads', () => {
  it.each([
    `{"name="get_weather", "arguments": ${BODY}}`,
    `{"name"="get_weather", "arguments"=${BODY}}`,
    `{name="get_weather", arguments=${BODY}}`,
    `{"name=get_weather, arguments=${BODY}}`,
    `{"name: "get_weather", "arguments": ${BODY}}`,
    `{"name" "get_weather", "arguments" ${BODY}}`,
    `{"name": get_weather", "arguments": ${BODY}}`,
    `{"name": "get_weather, "arguments": ${BODY}}`,
    `{"name": "get_weather", "arguments=${BODY}}`,
    `{"name": "get_weather", arguments": ${BODY}}`,
    `{"name": "get_weather" arguments: ${BODY}}`,
    `{"name": "get_weather", "arguments": "${BODY}"}`,
    `{"name": "get_weather", ${BODY}}`,
    `{"tool="get_weather", "parameters": ${BODY}}`,
    `{"type": "function", "name="get_weather", "arguments": ${BODY}}`,
    `{"get_weather": ${BODY}}`,
    `{"get_weather", "arguments": ${BODY}}`,
    `"name": "get_weather", "arguments": ${BODY}}`,
  ])('reads %s in a tag', (written) => {
    expect(rescue(`<tool_call>\n${written}\n</tool_call>`)).toEqual({
      calls: [GHENT],
      reasons: [],
      content: '',
    });
  });

  it.each([
    ['<tool_calls>[', ']</tool_calls>'],
    ['[TOOL_REQUEST]\n', '\n[END_TOOL_REQUEST]'],
    ['[TOOL_CALLS][', ']'],
    ['<|tool_call>', '<tool_call|>'],
    ['<tool_call>', ''],
  ])('reads it after %s as well', (open, close) => {
    const { calls } = rescue(`${open}{"name="get_weather", "arguments": ${BODY}}${close}`);
    expect(calls).toEqual([GHENT]);
  });

  it('reads several in one tag, whole ones among them', () => {
    const damaged = `{"name="get_weather", "arguments": ${BODY}}`;
    const whole = `{"name": "get_weather", "arguments": ${BODY}}`;
    const { calls } = rescue(`<tool_call>\n${whole}\n${damaged}\n${whole}\n</tool_call>`);
    expect(calls).toEqual([GHENT, GHENT, GHENT]);
  });

  it('says that a call was cut in its arguments', () => {
    const { calls, reasons } = rescue('<tool_call>\n{"name="get_weather", "arguments": {"city": "Gh');
    expect([calls, reasons]).toEqual([[], ['truncated']]);
  });

  it.each([
    ['no marker', `{"name="get_weather", "arguments": ${BODY}}`],
    ['no marker and the tool as the key', `{"get_weather": ${BODY}}`],
    ['a fence only', `\`\`\`json\n{"name="get_weather", "arguments": ${BODY}}\n\`\`\``],
    ['an unknown tool', `<tool_call>\n{"name="get_wether", "arguments": ${BODY}}\n</tool_call>`],
    ['two names', '<tool_call>\n{"name": "get_weather, get_time", "arguments": {}}\n</tool_call>'],
    [
      'arguments that end too early',
      '<tool_call>\n{"name="get_weather", "arguments": {"city": "a"}, "unit": "celsius"}\n</tool_call>',
    ],
  ])('reads nothing with %s', (_, text) => {
    expect(rescue(text)).toMatchObject({ calls: [], content: text });
  });
});
