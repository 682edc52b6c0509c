import { describe, expect, it } from 'vitest';
import { normalizeToolCallEnvelope } from '../../../../../src/library/rescue/json-calls/envelope';

const PLAIN = { name: 'f', arguments: { a: 1 } };

describe('normalizeToolCallEnvelope', () => {
  it.each(['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'action', 'recipient_name'])(
    'finds the name under %s',
    (key) => {
      expect(normalizeToolCallEnvelope({ [key]: 'f', arguments: { a: 1 } })).toEqual(PLAIN);
    },
  );

  it.each(['arguments', 'parameters', 'args', 'input', 'params', 'tool_input', 'action_input', 'kwargs'])(
    'finds the arguments under %s',
    (key) => {
      expect(normalizeToolCallEnvelope({ name: 'f', [key]: { a: 1 } })).toEqual(PLAIN);
    },
  );

  it.each([
    ['function', { type: 'function', function: PLAIN }],
    ['tool_calls', { tool_calls: [{ id: 'c', type: 'function', function: PLAIN }] }],
    ['toolCalls', { toolCalls: [PLAIN] }],
    ['tool_call', { tool_call: PLAIN }],
    ['toolCall', { toolCall: PLAIN }],
    ['function_call', { function_call: PLAIN }],
    ['tool_use', { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }],
    ['tool_uses', { tool_uses: [{ recipient_name: 'f', parameters: { a: 1 } }] }],
    ['a function with its arguments beside it', { function: { name: 'f' }, parameters: { a: 1 } }],
    ['a message', { role: 'assistant', content: null, tool_calls: [{ function: PLAIN }] }],
    [
      'content blocks',
      {
        content: [
          { type: 'text', text: 'Hm' },
          { type: 'tool_use', name: 'f', input: { a: 1 } },
        ],
      },
    ],
    ['a list', [PLAIN, { name: 'g', arguments: {} }]],
    ['a Responses item', { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a": 1}' }],
    ['JSON text', JSON.stringify(PLAIN)],
  ])('unwraps %s', (_, payload) => {
    expect(normalizeToolCallEnvelope(payload)).toEqual(PLAIN);
  });

  it('decodes arguments that are JSON text, also when they were encoded twice', () => {
    expect(normalizeToolCallEnvelope({ name: 'f', arguments: '{"a": 1}' })).toEqual(PLAIN);
    expect(normalizeToolCallEnvelope({ name: 'f', arguments: JSON.stringify('{"a": 1}') })).toEqual(PLAIN);
  });

  it('leaves text that is not JSON as it is', () => {
    expect(normalizeToolCallEnvelope({ name: 'f', arguments: 'Ghent' })).toEqual({
      name: 'f',
      arguments: 'Ghent',
    });
  });

  it('takes a schema beside a function for its declaration', () => {
    const parameters = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(normalizeToolCallEnvelope({ type: 'function', function: { name: 'f' }, parameters })).toBeNull();
  });

  it.each([undefined, null, '', '  '])('treats %j arguments as no arguments', (value) => {
    expect(normalizeToolCallEnvelope({ name: 'f', arguments: value })).toEqual({ name: 'f', arguments: {} });
  });

  it.each([
    ['nothing', null],
    ['text', 'hello'],
    ['a number', 7],
    ['an empty list', { tool_calls: [] }],
    ['a record without a name', { city: 'Brno' }],
    ['a declaration', { name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } }],
    ['a list of declarations', { tools: [{ name: 'f', parameters: { type: 'object', properties: {} } }] }],
    ['a result', { role: 'tool', tool_call_id: 'c', name: 'f', content: '{}' }],
    ['a call with its result', { name: 'f', arguments: {}, result: 1 }],
    ['a key that reaches a prototype', JSON.parse('{"name": "f", "arguments": {"__proto__": {}}}')],
  ])('returns null for %s', (_, payload) => {
    expect(normalizeToolCallEnvelope(payload)).toBeNull();
  });

  it('ignores inherited properties', () => {
    const payload = Object.create({ name: 'f', arguments: {} }) as object;
    expect(normalizeToolCallEnvelope(payload)).toBeNull();
  });
});
