import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { toolsOf } from '../rescue-fixtures';

const TOOLS = toolsOf('weather');
const JSON_CALL = '{"name": "get_weather", "arguments": {"city": "Ghent"}}';
const PAIRS = '<function=get_weather>\n<parameter=city>\nGhent\n</parameter>\n</function>';
const INVOKE = '<invoke name="get_weather">\n<parameter name="city">Ghent</parameter>\n</invoke>';
const CALLS = [
  `<tool_call>\n${JSON_CALL}\n</tool_call>`,
  `<tool_call>\n${PAIRS}\n</tool_call>`,
  '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Ghent</arg_value></tool_call>',
  `[TOOL_REQUEST]\n${JSON_CALL}\n[END_TOOL_REQUEST]`,
  INVOKE,
];

const read = (text: string): { count: number; content: string } => {
  const { calls, content } = rescueToolCalls(text, TOOLS);
  expect(new Set(calls.map((call) => JSON.stringify(call.arguments)))).toEqual(new Set(['{"city":"Ghent"}']));
  return { count: calls.length, content };
};

describe.each(CALLS)('around %j', (call) => {
  it.each([
    '<tool_call>\n</tool_call>',
    '<tool_call></tool_call>\n<tool_call>\n\n</tool_call>',
    '<function_calls>\n</function_calls>',
    '<|tool_call><tool_call|>',
  ])('an envelope with nothing in it is no answer: %j', (empty) => {
    expect(read(`${call}\n${empty}`)).toEqual({ count: 1, content: '' });
    expect(read(`${call}\n${empty}\nDone.`)).toEqual({ count: 1, content: 'Done.' });
    expect(read(`Hi.\n${empty}\n${call}`)).toEqual({ count: 1, content: 'Hi.' });
    expect(read(`${call}\n${empty}\n${call}`)).toEqual({ count: 2, content: '' });
  });

  it('neither is an opening tag that ends the reply', () => {
    expect(read(`${call}\n<tool_call>\n`)).toEqual({ count: 1, content: '' });
  });

  it.each(['</function_invocation>', '</function>\n</invocation>', '</tool_request>'])(
    'a closing tag %j behind it is none either',
    (closer) => {
      expect(read(`Hi.\n${call}\n${closer}`)).toEqual({ count: 1, content: 'Hi.' });
      expect(read(`${call}\n${closer}\n${call}`)).toEqual({ count: 2, content: '' });
    },
  );

  it.each([
    'An empty `<tool_call></tool_call>` is wrong.',
    '<tool_call> is the tag.',
    '</function_invocation> is not a tag.',
    '<div>\n</div>',
    '</toolbar>',
  ])('leaves the answer %j', (answer) => {
    expect(read(`${call}\n${answer}`)).toEqual({ count: 1, content: answer });
  });
});

describe('an opening tag with prose behind it', () => {
  it.each([
    ['<tool_call>Let me look.', PAIRS, '</tool_call>', 'Let me look.'],
    ['<tool_call>\nLet me look.\n', `${PAIRS}\n`, '</tool_call>', 'Let me look.'],
    ['Hi. <tool_calls>Let me look.\n', INVOKE, '\n</tool_calls>', 'Hi. Let me look.'],
    ['<tool_call>Let me look.\n', JSON_CALL, '\n</tool_call>', 'Let me look.'],
    [
      '<tool_call>Let me look.\n',
      PAIRS,
      '\n</function>\n</function_invocation>\n</tool_call>',
      'Let me look.',
    ],
  ])('leaves the content: %j', (before, call, after, content) => {
    expect(read(`${before}${call}${after}`)).toEqual({ count: 1, content });
  });

  it.each([
    ['We use <tool_call> here. ', `<tool_call>\n${PAIRS}\n</tool_call>`, 'We use <tool_call> here.'],
    ['The tag is <tool_call>.\n', `${PAIRS}\n</tool_call>`, 'The tag is <tool_call>.'],
    ['<summary>Let me look.', `${PAIRS}</summary>`, '<summary>Let me look.</summary>'],
    ['`<tool_call>`Let me look.', `${PAIRS}</tool_call>`, '`<tool_call>`Let me look.'],
  ])('stays where it is mentioned: %j', (before, call, content) => {
    expect(read(`${before}${call}`)).toEqual({ count: 1, content });
  });
});
