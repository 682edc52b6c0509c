import { describe, expect, it } from 'vitest';
import { formatToolCalls } from '../../../../../src/library/rescue/format-tool-calls';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { kindsOf, onlyCall, onlyRejection, rescue, toolsOf } from '../rescue-fixtures';

const CODING = toolsOf('coding');
const CUT = { finishReason: 'length' };

describe('kimiK2', () => {
  it('keeps the id that the model wrote, and writes it back', () => {
    const call = { name: 'git_status', arguments: {}, id: 'functions.git_status:7' };
    expect(onlyCall(formatToolCalls([call], 'kimi-k2'), CODING).id).toBe('functions.git_status:7');
    expect(onlyCall('functions.git_status:3{}', CODING).id).toBe('functions.git_status:3');
  });

  it('reads a name that contains dots', () => {
    const tools = [{ name: 'mcp.files.read', parameters: { type: 'object', properties: {} } }];
    expect(onlyCall('functions.mcp.files.read:0{}', tools).name).toBe('mcp.files.read');
  });

  it('reports a call without a tool name', () => {
    const rejection = onlyRejection('functions.:0{"a": 1}', CODING);
    expect(rejection).toMatchObject({ reason: 'unknown-tool', detail: 'The call names no tool.' });
  });

  it('is complete when only the end of the section is left of its tokens', () => {
    const text = 'functions.git_status:0{}<|tool_calls_section_end|>';
    expect(rescueToolCalls(text, CODING, CUT).calls).toHaveLength(1);
    expect(rescueToolCalls('functions.git_status:0{}', CODING, CUT).calls).toEqual([]);
  });

  it('needs the call to end the reply when the namespace is missing too', () => {
    expect(onlyCall('git_status:0{}', CODING).evidence).toBe('shape');
    expect(onlyRejection('git_status:0{} names the first call.', CODING).reason).toBe('example');
  });
});

describe('mistralArgs', () => {
  it('keeps the id between the name and the arguments', () => {
    expect(onlyCall('[TOOL_CALLS]git_status[CALL_ID]abcdefghi[ARGS]{}', CODING).id).toBe('abcdefghi');
    expect(onlyCall('git_status[CALL_ID]abcdefghi[ARGS]{}', CODING).id).toBe('abcdefghi');
  });

  it('does not include the sentence before a name in the name', () => {
    expect(rescue('Ich sehe nach.git_status[ARGS]{}', CODING).content).toBe('Ich sehe nach.');
    expect(rescue('我看看git_status[ARGS]{}', CODING).content).toBe('我看看');
  });

  it('reports where the arguments are malformed', () => {
    expect(onlyRejection('[TOOL_CALLS]read_file[ARGS]{"path" "a"}', CODING).detail).toBe(
      'The JSON of the call of `read_file` breaks at offset 35, in the value: expected `:`.',
    );
  });
});

describe('deepseekV3 and deepseekV31', () => {
  const write = (format: string) =>
    formatToolCalls([{ name: 'read_file', arguments: { path: 'a' } }], format);

  it.each([
    ['｜', '|'],
    ['▁', '_'],
    ['▁', ' '],
    ['▁', '\\_'],
    ['｜', '‖'],
  ])('read the tokens with %j written as %j', (usual, variant) => {
    for (const format of ['deepseek-v3', 'deepseek-v31']) {
      const call = onlyCall(write(format).replaceAll(usual, variant), CODING);
      expect(call).toMatchObject({ format, arguments: { path: 'a' } });
      expect(kindsOf(call.repairs)).toEqual(['token-variant']);
    }
  });

  it('do not remove the word "function" from a tool whose name begins with it', () => {
    const tools = [{ name: 'function_file', parameters: { type: 'object', properties: {} } }];
    const text = formatToolCalls([{ name: 'function_file', arguments: { path: 'a' } }], 'deepseek-v31');
    expect(onlyCall(text, tools)).toMatchObject({ name: 'function_file', format: 'deepseek-v31' });
  });
});

describe('openaiEnvelope', () => {
  it('keeps the ids', () => {
    const calls = ['call_1', 'call_2'].map((id) => ({ id, name: 'git_status', arguments: {} }));
    const text = formatToolCalls(calls, 'openai-envelope');
    expect(rescue(text, CODING).calls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
  });

  it('does not note a repair for arguments encoded as text, which this format prescribes', () => {
    const once = { function_call: { name: 'read_file', arguments: '{"path": "a"}' } };
    expect(onlyCall(JSON.stringify(once), CODING).repairs).toEqual([]);
  });

  it('treats calls inside a written conversation as an example', () => {
    const call = { role: 'assistant', tool_calls: [{ function: { name: 'git_status', arguments: '{}' } }] };
    const text = JSON.stringify([{ role: 'user', content: 'Clean?' }, call]);
    expect(onlyRejection(text, CODING)).toMatchObject({ format: 'openai-envelope', reason: 'example' });
  });
});
