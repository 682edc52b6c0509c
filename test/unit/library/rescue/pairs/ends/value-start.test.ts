import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../../src/library/rescue/rescue-tool-calls';
import type { ToolType } from '../../../../../../src/types';

const EXEC: ToolType = {
  name: 'exec',
  parameters: {
    type: 'object',
    properties: { input: { type: 'string' }, timeout: { type: 'integer' } },
    required: ['input'],
  },
};
const COPY: ToolType = {
  name: 'copy',
  parameters: {
    type: 'object',
    properties: { from: { type: 'string' }, to: { type: 'string' } },
    required: ['from', 'to'],
  },
};
const read = (text: string) => rescueToolCalls(text, [EXEC, COPY]);
const ARGUMENTS = (text: string): unknown[] => read(text).calls.map((call) => call.arguments);

describe('skipDoubled', () => {
  it.each([
    ['<function=exec>\n<parameter=input>\n<parameter=input>\nls\n</parameter>\n</function>', 'ls'],
    ['<invoke name="exec"><parameter name="input"><parameter name="input">ls</parameter></invoke>', 'ls'],
    ['<exec>\n<input><input><b>x</b></input>\n</exec>', '<b>x</b>'],
    ['<function=exec>\n<parameter=input>\n<parameter=input>\nls\n</input>\n</function>', 'ls'],
    [
      '<invoke name="exec"><parameter name="input"><parameter name="input">a</parameter></parameter></invoke>',
      '<parameter name="input">a</parameter>',
    ],
    [
      '<function=exec>\n<parameter=input>\n<parameter=input> opens it.\n</parameter>\n</function>',
      '<parameter=input> opens it.',
    ],
  ])('reads the value of %s', (text, input) => {
    expect(ARGUMENTS(text)).toEqual([{ input }]);
  });
});

describe('findBareValue', () => {
  const SCRIPT = 'const r = await run([\n  { cmd: "git <b>status</b>" },\n]);';

  it.each([
    ['on a line', '<tool_call>\n<function=exec>\nls -la\n</parameter>\n</function>\n</tool_call>', 'ls -la'],
    [
      'behind the tag',
      `Now.<tool_call><function=exec>${SCRIPT}\n</parameter></function></tool_call>`,
      SCRIPT,
    ],
    ['with its indentation', '<function=exec>\n  a:\n    b\n</parameter>\n</function>', '  a:\n    b'],
    ['in an invoke', '<invoke name="exec">ls\n</parameter>\n</invoke>', 'ls\n'],
    ['behind another closing tag', '<function=exec>\n</parameter>\nls\n</parameter>\n</function>', 'ls'],
  ])('reads a text %s', (_, text, input) => {
    expect(ARGUMENTS(text)).toEqual([{ input }]);
  });

  it.each([
    ['without its closing tag', '<function=exec>\nls\n</function>'],
    ['that may be one of two', '<function=copy>\na.ts\n</parameter>\n</function>'],
    [
      'before another parameter',
      '<function=exec>\nls\n</parameter>\n<parameter=timeout>\n1\n</parameter>\n</function>',
    ],
    ['before another closing tag', '<function=exec>\nls\n</input>\n</function>'],
    ['behind a damaged tag', '<function=exec>\n<pter=input>\nls\n</parameter>\n</function>'],
    ['behind a key and a colon', '<function=exec>\ninput:\nls\n</parameter>\n</function>'],
    ['behind a damaged key', '<function=exec>\nparam input>\nls\n</parameter>\n</function>'],
  ])('rejects a text %s and names the tag that is missing', (_, text) => {
    const { calls, rejected } = read(text);
    expect(calls).toEqual([]);
    expect(rejected.map(({ detail }) => detail).join(' ')).toContain(
      'expected `<parameter=…>` or the end of the call',
    );
  });
});
