import { describe, expect, it } from 'vitest';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { textLength } from '../../../../support/arbitrary/properties';
import { CODING, rescue } from '../rescue-fixtures';

const CODE = [...CODING, { name: 'list_all', parameters: { type: 'object', properties: {} } }];

const SHAPES: Record<string, string> = {
  'function tags of an offered tool': '<function=read_file>',
  'functions with a parameter': '<function=read_file><parameter=path>',
  'wrapped functions with a parameter': '<tool_call><function=read_file><parameter=path>a',
  'parameters alone': '<parameter=path>',
  'parameters that close': '<function=read_file><parameter=path>a</parameter> and ',
  'functions whose parameter does not close': '<function=read_file><parameter=path>a</function>\n',
  'functions that close, with prose': '<function=read_file><parameter=path>a</function> so\n',
  'functions that do not close': '<function=read_file><parameter=path>a</parameter>\n',
  'attributes that do not close': '<invoke name="',
  'attributes side by side': '<invoke a="b" c=\'d\' ',
  'invokes with a parameter': '<function_calls><invoke name="read_file"><parameter name="path">',
  'invokes alone': '<invoke name="read_file">',
  namespaces: '<a:invoke name="read_file"><b:',
  'names with keys': '<tool_call>read_file<arg_key>',
  'names with values': '<tool_call>read_file<arg_key>path</arg_key><arg_value>',
  'keys alone': 'read_file\n<arg_key>',
  'calls in angle brackets': '<tool_call>list_all</tool_call>',
  'tool tags': '<read_file>',
  'tool tags with a parameter': '<read_file><path>',
  'tool tags with a closed parameter': '<read_file><path>a</path>b',
  'elements in elements': '<write_file><content><content>',
  'marks and bars': '<｜DSML｜invoke name="read_file"><｜DSML｜parameter name="path" string="true">',
  bars: '<｜|｜|',
  'tokens before tags': ']<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>',
  channels: '<|open|>call tool="read_file"<|sep|><|open|>argument key="path"<|sep|>',
  'reasoning channels': '<|open|>think<|sep|>',
  'tool tokens': '<|tool_call:start|>read_file\n<|tool_arg:start|>path<|tool_arg:value|>',
  'step tokens':
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file">',
  'text inputs': '<tool>read_file</tool><tool_input>a',
  servers: '<use_mcp_tool><server_name>a</server_name><tool_name>read_file</tool_name><arguments>{"a":"',
  'open CDATA': '<function name="read_file"><param name="path"><![CDATA[',
  'angle brackets': '<',
  'closing tags': '</parameter>',
};

const stepsOf = (piece: string, length: number, ending: string): number => {
  const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + ending;
  return scanReply(text, CODE, {}).steps;
};

describe('readEmission', () => {
  it.each(Object.keys(SHAPES))('takes linear time: %s', (shape) => {
    const piece = SHAPES[shape] ?? '';
    const length = textLength(60_000);
    for (const ending of ['', '</parameter></function></tool_call>', '" %']) {
      const [half, whole] = [stepsOf(piece, length / 2, ending), stepsOf(piece, length, ending)];
      expect(whole / half).toBeLessThan(2.6);
      expect(whole).toBeLessThan(length * 12);
    }
  });

  it('reports damage after a JSON call from the end of that call', () => {
    const list = '<longcat_tool_call>{"name": "list_all", "arguments": {}}</longcat_tool_call>\n';
    const { calls, rejected } = rescue(`${list}<longcat_tool_call>{"name":: "list_all"}`, CODE);
    expect(calls.map(({ name }) => name)).toEqual(['list_all']);
    expect(rejected.map(({ start }) => start)).toEqual([calls[0]?.end]);
  });

  it.each([
    ['<tool_call><function=list_all></function>', '\n<function=li'],
    ['<function_calls><invoke name="list_all"></invoke>', '<invoke name="list'],
    ['<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="list_all"></steptml:invoke>', '<ste'],
  ])(
    'returns the first call and rejects the second as truncated when the reply ends in its head: %j, %j',
    (one, head) => {
      const { calls, rejected } = rescue(`${one}${head}`, CODE);
      expect(calls.map(({ name }) => name)).toEqual(['list_all']);
      expect(rejected.map(({ reason, end }) => [reason, end])).toEqual([
        ['truncated', one.length + head.length],
      ]);
    },
  );
});
