import { describe, expect, it } from 'vitest';
import type { ToolType } from '../../../../../src/types';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';

const TOOLS: ToolType[] = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'integer' } },
      required: ['path'],
    },
  },
];

const rescue = (written: string, open = '<tool_call>', close = '</tool_call>') =>
  rescueToolCalls(`${open}\n${JSON.stringify({ name: 'write_file', arguments: written })}\n${close}`, TOOLS);

describe('readElementArguments', () => {
  it.each([
    ['<path>a.md</path>', { path: 'a.md' }],
    ['<path>\na.md\n</path>', { path: 'a.md' }],
    ['<parameter=path>a.md</parameter>', { path: 'a.md' }],
    ['<parameter name="path">a.md</parameter>', { path: 'a.md' }],
    ['<path>a.md</path>\n<mode>420</mode>', { path: 'a.md', mode: 420 }],
    ['<path>a.md</path><content><b>x</b></content>', { path: 'a.md', content: '<b>x</b>' }],
  ])('reads %j', (written, value) => {
    expect(rescue(written).calls.map((call) => call.arguments)).toEqual([value]);
  });

  it.each([
    ['an unknown parameter', '<file>a.md</file>'],
    ['text after the element', '<path>a.md</path> and more'],
    ['an element that does not end', '<path>a.md'],
    ['the same parameter twice', '<path>a.md</path><path>b.md</path>'],
    ['a closing tag in the value', '<path>a</path>b</path>'],
  ])('leaves %s', (_, written) => {
    const { calls, rejected } = rescue(written);
    expect([calls.length, rejected.map(({ reason }) => reason)]).toEqual([0, ['invalid-arguments']]);
  });

  it('leaves such text without a marker', () => {
    expect(rescue('<path>a.md</path>', '', '').calls).toEqual([]);
  });
});
