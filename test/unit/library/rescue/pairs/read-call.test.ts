import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import type { RescueOptions } from '../../../../../src/library/rescue/rescue-tool-calls';
import type { ToolType } from '../../../../../src/types';

const EDIT: ToolType = {
  name: 'edit',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' }, note: { type: 'string' } },
    required: ['path', 'content'],
  },
};
const NOW: ToolType = { name: 'now', parameters: { type: 'object', properties: {} } };
const LIST: ToolType = {
  name: 'list',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
};
const read = (text: string, options?: RescueOptions) => rescueToolCalls(text, [EDIT, NOW, LIST], options);

describe('CallReader, where a value may contain the next parameter', () => {
  it.each([
    ['content', '<invoke name="edit">\n<parameter name="path">a</parameter>\nb</parameter>\n</invoke>'],
    ['content', '<function=edit>\n<parameter=path>\na\n</parameter>\nb\n</parameter>\n</function>'],
    ['path', '<function=edit>\n<parameter=content>\na\n</parameter>\nb\n</parameter>\n</function>'],
    [
      'content',
      '<|open|>call tool="edit"<|sep|><|open|>argument key="path"<|sep|>a<|close|>argument<|sep|>b<|close|>argument<|sep|><|close|>call<|sep|>',
    ],
    ['content', '<function=edit>\n<parameter>path</parameter>\na\ncontent</parameter>\nb\n</function>'],
    [
      'content',
      '<tool_call>edit<arg_key>path</arg_key><arg_value>a.tscontent</arg_key><arg_value>b</arg_value></tool_call>',
    ],
    [
      'note',
      '<tool_call>edit<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value>b\nnote</arg_key><arg_value>c</arg_value></tool_call>',
    ],
  ])('rejects the call and names the tag of %s: %s', (key, text) => {
    const { calls, rejected } = read(text);
    expect(calls).toEqual([]);
    expect(rejected).toEqual([
      expect.objectContaining({
        reason: 'malformed',
        detail: expect.stringContaining(`the opening tag of the parameter \`${key}\` is missing`) as string,
      }),
    ]);
  });

  it.each(['Close it with </parameter> and go on.', 'a\n</parameter>\nb', 'path</arg_key><arg_value>b'])(
    'keeps a value with a closing tag in a call that lacks nothing: %s',
    (content) => {
      const text = `<function=edit>\n<parameter=content>\n${content}\n</parameter>\n<parameter=path>\na\n</parameter>\n</function>`;
      expect(read(text).calls.map((call) => call.arguments)).toEqual([{ content, path: 'a' }]);
    },
  );
});

describe('CallReader, at a closing tag of a parameter', () => {
  it('rejects a call in which it may close an element of the value or the value', () => {
    const value = '<c><parameter=depth>3</parameter><parameter=note>b<parameter></c></parameter>';
    const text = `<function=edit><parameter=path>a</parameter><parameter=content>${value}<parameter=note>c</parameter></function>`;
    expect(read(text)).toMatchObject({ calls: [], rejected: [{ reason: 'malformed' }] });
  });

  it('ends a call that the reply ends in, if its tool has no parameters', () => {
    expect(read('<tool_call>now</arg_value>').calls).toMatchObject([{ name: 'now', arguments: {} }]);
  });

  it.each([
    ['whose tool has some', '<tool_call>list</arg_value>', {}, 'malformed'],
    ['in a reply that was cut', '<tool_call>now</arg_value>', { finishReason: 'length' }, 'truncated'],
  ] as const)('rejects a call %s', (_, text, options, reason) => {
    expect(read(text, options)).toMatchObject({ calls: [], rejected: [{ reason }] });
  });

  it('rejects a call in which it takes the place of an opening one', () => {
    expect(read('<edit>\n<path>a</path>\n</content>b</content>\n</edit>')).toMatchObject({
      calls: [],
      rejected: [{ reason: 'malformed' }],
    });
  });
});

describe('CallReader, where the name is an element of its own', () => {
  it.each(['tool_name', 'function_name'])('reads <%s>', (tag) => {
    const text = `<tool_call>\n<${tag}>list</${tag}>\n<parameter=path>\nsrc\n</parameter>\n</function>\n</tool_call>`;
    expect(read(text).calls).toMatchObject([{ name: 'list', arguments: { path: 'src' } }]);
  });
});

describe('CallReader, at a damaged tag', () => {
  it.each([
    '<tool_call>\n<function=list>\n<parameter=name="path">\nsrc\n</parameter>\n</function>\n</tool_call>',
    '<tool_call>\n<function=list>\nparameter=path>\nsrc\n</paramter>\n</function>\n</tool_call>',
    '<tool_call>\n<function=list>\n<<parameter=path>\nsrc\n</paramter>\n</function>\n</tool_call>',
  ])('reads the value behind it: %j', (text) => {
    expect(read(text).calls.map((call) => call.arguments)).toEqual([{ path: 'src' }]);
  });
});
