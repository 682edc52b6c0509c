import { describe, expect, it } from 'vitest';
import { callsTool } from '../../../../src/session/replay/calls-tool';

const TOOLS = [{ type: 'custom', name: 'apply_patch', description: 'input', format: { type: 'grammar' } }];
const events = (...all: object[]): string =>
  all.map((data) => `event: x\ndata: ${JSON.stringify(data)}\n\n`).join('');
const item = { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '' };

describe('callsTool', () => {
  it.each([
    ['an item of the Responses API', JSON.stringify({ output: [item] }, null, 2)],
    ['an event of it', events({ response: { tools: TOOLS } }, { type: 'response.output_item.added', item })],
    ['a chat completion', JSON.stringify({ choices: [{ message: { tool_calls: [{ custom: item }] } }] })],
    ['a tool of the server', JSON.stringify({ content: [{ ...item, type: 'server_tool_use', input: {} }] })],
    ['a line of JSON', `${JSON.stringify({ message: 1 })}\n${JSON.stringify({ message: item })}\n`],
  ])('finds a call in %s', (_, reply) => {
    expect(callsTool(reply, 'apply_patch')).toBe(true);
  });

  it.each([
    ['a reply that repeats the offered tools', events({ response: { tools: TOOLS, output: [] } })],
    ['a text that speaks of it', JSON.stringify({ content: '{"name":"apply_patch","input":""}' })],
    ['the call of another one', JSON.stringify({ output: [{ ...item, name: 'apply_patch_2' }] })],
    ['a reply that is no JSON', '"apply_patch"\n{"name": "apply_patch", "input"'],
    ['one that is nested without an end', `${'['.repeat(100_000)}"apply_patch"${']'.repeat(100_000)}`],
  ])('finds none in %s', (_, reply) => {
    expect(callsTool(reply, 'apply_patch')).toBe(false);
  });
});
