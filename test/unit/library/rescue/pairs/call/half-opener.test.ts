import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../../src/library/rescue/rescue-tool-calls';
import type { ToolType } from '../../../../../../src/types';

const READ: ToolType = {
  name: 'read',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, offset: { type: 'integer' } },
    required: ['path'],
  },
};
const WANTED = { path: 'a.ts', offset: 10 };
const ARGUMENTS = (text: string): unknown[] =>
  rescueToolCalls(text, [READ]).calls.map((call) => call.arguments);

const FIRST = '<tool_call>read<arg_key>path</arg_key><arg_value>a.ts</arg_value>';
const LAST = '<arg_key>offset</arg_key><arg_value>10</arg_value></tool_call>';
const QWEN = '<function=read>\n<parameter=path>\na.ts\n</parameter>\n';
const INVOKE = '<invoke name="read">\n<parameter name="path">a.ts</parameter>\n';
const KIMI =
  '<|open|>call tool="read" index="1"<|sep|><|open|>argument key="path"<|sep|>a.ts<|close|>argument<|sep|>';

describe('readOpening', () => {
  it.each([
    ['no tag before the second key', `${FIRST}offset</arg_key><arg_value>10</arg_value></tool_call>`],
    ['no tag around it', `${FIRST}\noffset\n<arg_value>10</arg_value></tool_call>`],
    ['two tags before it', `${FIRST}<arg_key>\n${LAST}`],
    ['the tag of a value', `${FIRST}<arg_value>offset</arg_key><arg_value>10</arg_value></tool_call>`],
    ['the tag of a call', `${FIRST}<tool_call>offset</arg_key><arg_value>10</arg_value></tool_call>`],
    ['a closing tag', `${FIRST}</arg_key>offset</arg_key><arg_value>10</arg_value></tool_call>`],
    [
      'a closing tag too much',
      `${FIRST}<arg_key>offset</arg_key></arg_key><arg_value>10</arg_value></tool_call>`,
    ],
    [
      'a second tag in place of the closing one',
      `${FIRST}<arg_key>offset<arg_key><arg_value>10</arg_value></tool_call>`,
    ],
    [
      'the tag of a key before the value',
      `${FIRST}<arg_key>offset</arg_key><arg_key>10</arg_value></tool_call>`,
    ],
    [
      'a closing tag before the value',
      `${FIRST}<arg_key>offset</arg_key></arg_value>10</arg_value></tool_call>`,
    ],
    [
      'two tags before the value',
      `${FIRST}<arg_key>offset</arg_key><arg_value><arg_value>10</arg_value></tool_call>`,
    ],
    ['a blank before the first key', `<tool_call>read path</arg_key><arg_value>a.ts</arg_value>${LAST}`],
    ['the name and the key in one word', `<tool_call>readpath</arg_key><arg_value>a.ts</arg_value>${LAST}`],
    ['half a tag behind the name', `<tool_call>readarg_key>path</arg_key><arg_value>a.ts</arg_value>${LAST}`],
    ['only a key and a bracket', `${QWEN}offset>\n10\n</parameter>\n</function>`],
    ['the end of a tag', `${QWEN}ameter=offset>\n10\n</parameter>\n</function>`],
    [
      'the end of a first tag',
      '<function=read>\ner=path>\na.ts\n</parameter>\n<parameter=offset>\n10\n</parameter>\n</function>',
    ],
    ['an attribute', `${INVOKE}name="offset">10</parameter>\n</invoke>`],
    ['a key in half of its quotes', `${INVOKE}offset">10</parameter>\n</invoke>`],
    [
      'a tag without its first token',
      `${KIMI}argument key="offset"<|sep|>10<|close|>argument<|sep|><|close|>call<|sep|>`,
    ],
  ])('reads a parameter with %s', (_, text) => {
    expect(ARGUMENTS(text)).toEqual([WANTED]);
  });

  it.each([
    ['a key that the tool does not have', '</arg_value>other</arg_key><arg_value>b'],
    ['a key without its closing tag', '</arg_value>offset is a number'],
    ['a closing tag', 'Close it with </arg_value> and go on.'],
    ['an element that is closed', '<arg_value>b</arg_value>'],
    ['a tag in a sentence', '<arg_value> opens a value'],
    ['a key in its tags', 'Use <arg_key>other</arg_key> for it.'],
  ])('leaves %s in a value', (_, value) => {
    const text = `<tool_call>read<arg_key>path</arg_key><arg_value>${value}</arg_value></tool_call>`;
    expect(ARGUMENTS(text)).toEqual([{ path: value }]);
  });

  it('leaves a key in a value, if the call has it later', () => {
    const value = 'a</arg_value>offset</arg_key><arg_value>b';
    const text = `<tool_call>read<arg_key>path</arg_key><arg_value>${value}</arg_value>${LAST}`;
    expect(rescueToolCalls(text, [READ]).calls.map((call) => call.arguments)).not.toContainEqual(
      expect.objectContaining({ path: 'a' }),
    );
  });

  it.each([
    [
      '<tool_call>read path</arg_key><arg_value>a.ts</arg_value><arg_key>path_type</arg_key><arg_value>b</arg_value></tool_call>',
    ],
    [
      `<invoke name="read">\nname="path">a.ts</parameter>\n<parameter name="path_type">b</parameter>\n</invoke>`,
    ],
  ])('does not take a longer key behind it for the same one: %s', (text) => {
    const properties = { path: { type: 'string' }, path_type: { type: 'string' } };
    const tool: ToolType = { name: 'read', parameters: { type: 'object', properties, required: ['path'] } };
    expect(rescueToolCalls(text, [tool]).calls.map((call) => call.arguments)).toEqual([
      { path: 'a.ts', path_type: 'b' },
    ]);
  });

  it('splits no word that two pairs of a tool and a key make up', () => {
    const other = { ...READ, name: 'readpa', parameters: { properties: { th: {} } } } as ToolType;
    const text = `<tool_call>readpath</arg_key><arg_value>a.ts</arg_value></tool_call>`;
    expect(rescueToolCalls(text, [READ, other]).calls).toEqual([]);
  });
});
