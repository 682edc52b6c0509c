import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { RescueScanner } from '../../../../../src/library/rescue/stream/rescue-scanner';
import { toPlain, toolsOf } from '../rescue-fixtures';

const TOOLS = toolsOf('weather');
const GHENT = { name: 'get_weather', arguments: { city: 'Ghent', unit: 'celsius' } };
const JSON_BODY = '{"city": "Ghent", "unit": "celsius"}';
const FENCE = `\`\`\`json\n${JSON_BODY}\n\`\`\``;
const PAIRS =
  '<｜DSML｜parameter name="city" string="true">Ghent</｜DSML｜parameter>\n' +
  '<｜DSML｜parameter name="unit" string="true">celsius</｜DSML｜parameter>';
const INVOKE = `<｜DSML｜invoke name="get_weather">\n${PAIRS}\n</｜DSML｜invoke>`;

const rescue = (text: string) => {
  const { calls, rejected, content } = rescueToolCalls(text, TOOLS);
  return { calls: calls.map(toPlain), reasons: rejected.map(({ reason }) => reason), content };
};

describe('deepseekDsml', () => {
  it.each(['tool_call', 'toolcall', 'function_call', 'tool_use', 'tool-calls', 'tool▁calls', 'actions'])(
    'reads the wrapper %s, around one call and around two, open and closed',
    (name) => {
      const [open, close] = [`<｜DSML｜${name}>`, `</｜DSML｜${name}>`];
      expect(rescue(`Hi.\n\n${open}\n${INVOKE}\n${close}`)).toEqual({
        calls: [GHENT],
        reasons: [],
        content: 'Hi.',
      });
      expect(rescue(`${open}\n${INVOKE}\n${INVOKE}\n${close}`)).toMatchObject({
        calls: [GHENT, GHENT],
        content: '',
      });
      expect(rescue(`${open}\n${INVOKE}`)).toMatchObject({ calls: [GHENT], content: '' });
      expect(rescue(`${INVOKE}\n${close}`)).toMatchObject({ calls: [GHENT], content: '' });
    },
  );

  it.each([
    `<｜DSML｜toolcall>get_weather\n\n${FENCE}`,
    `<｜DSML｜tool_call>\nget_weather\n${FENCE}\n</｜DSML｜tool_call>`,
    `<｜DSML｜tool_calls><｜DSML｜tool_call>get_weather ${JSON_BODY}</｜DSML｜tool_call></｜DSML｜tool_calls>`,
    `<｜DSML｜invoke name="get_weather">\n${FENCE}\n</｜DSML｜invoke>`,
    `<|DSML|toolcall>get_weather\n${JSON_BODY}`,
    `<｜DSML｜toolcall>{"name": "get_weather", "arguments": ${JSON_BODY}}</｜DSML｜toolcall>`,
  ])('reads a name with JSON: %j', (text) => {
    expect(rescue(text)).toEqual({ calls: [GHENT], reasons: [], content: '' });
  });

  it.each(['paramter', 'param', 'argument'])('reads the tag %s as that of a parameter', (name) => {
    expect(rescue(INVOKE.replaceAll('parameter', name)).calls).toEqual([GHENT]);
    expect(rescue(INVOKE.replace('parameter name="unit"', `${name} name="unit"`)).calls).toEqual([GHENT]);
  });

  it('goes on behind the fence', () => {
    const text = `<｜DSML｜toolcall>get_weather\n${FENCE}\n\n<｜DSML｜toolcall>get_weather\n${FENCE}\n\nDone.`;
    expect(rescue(text)).toEqual({ calls: [GHENT, GHENT], reasons: [], content: 'Done.' });
  });

  it.each([
    `<｜DSML｜parameter name="get_weather">\n${PAIRS}\n</｜DSML｜invoke>`,
    `<｜DSML｜tool_calls>\n<｜DSML｜ parameter name="get_weather">\n${PAIRS}\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`,
    `｜DSML｜invoke name="get_weather">\n${PAIRS}\n</｜DSML｜invoke>`,
    `invoke name="get_weather">\n${PAIRS}\n</｜DSML｜invoke>`,
    `<｜DSML｜tool_calls>\nname="get_weather">\n${PAIRS}\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`,
    `<｜DSML｜invoke name="get_weather"\n${PAIRS}\n</｜DSML｜invoke>`,
    `<｜DSML｜get_weather>\n${PAIRS}\n</｜DSML｜get_weather>`,
    `<｜DSML｜tool_call name="get_weather">\n${PAIRS}\n</｜DSML｜tool_call>`,
    `<｜DSML｜toolcall>get_weather\n${PAIRS}\n</｜DSML｜toolcall>`,
    INVOKE.replaceAll('<｜DSML｜', '<'),
    `<function>\n<name>get_weather</name>\n${PAIRS.replaceAll('<｜DSML｜', '<')}\n</｜DSML｜invoke>`,
    INVOKE.replaceAll('DSML｜', ''),
  ])('reads what is left of an opening tag: %j', (text) => {
    expect(rescue(text)).toEqual({ calls: [GHENT], reasons: [], content: '' });
  });

  it.each([
    ['tool get_weather', 'tool '],
    ['｜DSML｜invoke name="get_weather">', ''],
    ['DSML｜invoke name="get_weather">', ''],
  ])('begins the call of %j behind what a stream has shown by then', (head, shown) => {
    const scanner = new RescueScanner(TOOLS);
    const given = Array.from(`${head}\n${PAIRS}\n</｜DSML｜invoke>`, (piece) => scanner.feed(piece)).join('');
    const { report, rest } = scanner.finish();
    expect(report.calls.map(toPlain)).toEqual([GHENT]);
    expect({ given, rest, start: report.calls[0]?.start }).toEqual({
      given: shown,
      rest: '',
      start: shown.length,
    });
  });

  it('rejects parameters before which nothing names a tool', () => {
    const text = `<｜DSML｜tool_calls>\n${PAIRS}\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`;
    expect(rescue(text)).toEqual({ calls: [], reasons: ['malformed'], content: text });
  });

  it.each([
    'The token <｜DSML｜toolcall> opens a call in some checkpoints.',
    '<｜DSML｜toolcall>get_weather\n\nThe weather is fine.',
    `toolcall get_weather\n\n${FENCE}`,
    `The tag <｜DSML｜function_results> holds the results.`,
  ])('leaves %j', (text) => {
    expect(rescue(text)).toEqual({ calls: [], reasons: [], content: text });
  });
});
