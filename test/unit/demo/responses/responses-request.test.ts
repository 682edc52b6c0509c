import { describe, expect, test } from 'vitest';
import { reasoningScope } from '../../../../src/demo/responses/responses-items';
import { readCountedPrompt, readResponsesChat } from '../../../../src/demo/responses/responses-request';
import { StoredResponses } from '../../../../src/demo/responses/stored-responses';
import { seal } from '../../../../src/demo/wire/seal';

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const TOOL = { type: 'function', name: 'get_weather', parameters: PARAMETERS };
const CALL = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city": "Oslo"}' };
const OUTPUT = { type: 'function_call_output', call_id: 'call_1', output: 'snow' };
const QUESTION = { role: 'user', content: 'Weather?' };

const read = (more: object, stored = new StoredResponses()): ReturnType<typeof readResponsesChat> =>
  readResponsesChat(JSON.stringify({ model: 'native-call', input: [QUESTION], ...more }), stored);
const readInput = (...items: object[]): unknown => read({ input: [QUESTION, ...items] }).request.messages;

describe('readResponsesChat', () => {
  test('reads instructions, messages, calls and outputs into the neutral conversation', () => {
    const { request, isStreamed, isStored } = read({
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'In Celsius.' }] },
        QUESTION,
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }] },
        CALL,
        { ...CALL, call_id: 'call_2', arguments: 'broken' },
        OUTPUT,
        { ...OUTPUT, call_id: 'call_2', output: 'Error: no such city' },
      ],
      stream: true,
    });
    expect([isStreamed, isStored]).toEqual([true, true]);
    expect(request.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'In Celsius.', toolCalls: undefined },
      { role: 'user', content: 'Weather?', toolCalls: undefined },
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [
          { id: 'call_1', name: 'get_weather', arguments: { city: 'Oslo' }, source: 'native' },
          { id: 'call_2', name: 'get_weather', arguments: 'broken', source: 'native' },
        ],
      },
      { role: 'tool', content: 'snow', isError: false, toolCallId: 'call_1', toolName: 'get_weather' },
      { role: 'tool', content: 'no such city', isError: true, toolCallId: 'call_2', toolName: 'get_weather' },
    ]);
  });

  test('reads a text as one message', () => {
    expect(read({ input: 'Weather?' }).request.messages).toEqual([
      { role: 'user', content: 'Weather?', toolCalls: undefined },
    ]);
  });

  test('reads sampling, and what the request demands of the reply', () => {
    const { request } = read({
      temperature: 0.5,
      max_output_tokens: 16,
      parallel_tool_calls: false,
      tools: [TOOL, { ...TOOL, name: 'other' }],
      tool_choice: { type: 'function', name: 'other' },
    });
    expect(request.sampling).toEqual({ temperature: 0.5, maxTokens: 16 });
    expect(request).toMatchObject({ isCallRequired: true, isCallSingle: true, isReasoningAsked: false });
    expect(request.tools.map(({ name }) => name)).toEqual(['other']);
  });

  test.each([
    ['none', [], false],
    ['required', ['get_weather', 'other'], true],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'other' }] },
      ['other'],
      true,
    ],
  ])('offers the tools of the choice %j', (choice, names, isCallRequired) => {
    const { request } = read({ tools: [TOOL, { ...TOOL, name: 'other' }], tool_choice: choice });
    expect(request.tools.map(({ name }) => name)).toEqual(names);
    expect(request.isCallRequired).toBe(isCallRequired);
  });

  test('is asked to reason by an effort other than none', () => {
    const isAsked = (effort: string): unknown => read({ reasoning: { effort } }).request.isReasoningAsked;
    expect([isAsked('none'), isAsked('low')]).toEqual([false, true]);
  });

  test.each<[string, string, string | undefined, object]>([
    ["Missing required parameter: 'model'.", 'model', 'missing_required_parameter', { model: undefined }],
    ["Missing required parameter: 'input'.", 'input', 'missing_required_parameter', { input: undefined }],
    ["Unknown parameter: 'seed'.", 'seed', 'unknown_parameter', { seed: 1 }],
    ["Unknown parameter: 'toString'.", 'toString', 'unknown_parameter', { toString: 1 }],
    ["Invalid type for 'input': expected one of", 'input', 'invalid_type', { input: 4 }],
    ['expected a boolean, but got a string instead', 'stream', 'invalid_type', { stream: 'yes' }],
    [
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
      'max_output_tokens',
      'integer_below_min_value',
      { max_output_tokens: 1 },
    ],
    [
      "Invalid 'temperature': decimal above maximum",
      'temperature',
      'decimal_above_max_value',
      { temperature: 3 },
    ],
    [
      "Unsupported parameter: 'temperature' is not supported with this model.",
      'temperature',
      undefined,
      { temperature: 1, reasoning: { effort: 'low' } },
    ],
    [
      "Missing required parameter: 'tools[0].name'.",
      'tools[0].name',
      'missing_required_parameter',
      { tools: [{ type: 'function', function: {} }] },
    ],
    ["Hosted tool 'web_search'", 'tools', undefined, { tools: [{ type: 'web_search' }] }],
    [
      "Invalid 'tools[0].name': string does not match pattern",
      'tools[0].name',
      'invalid_value',
      { tools: [{ ...TOOL, name: 'a b' }] },
    ],
    [
      "Invalid schema for function 'get_weather': In context=(), 'additionalProperties' is required",
      'tools[0].parameters',
      'invalid_function_parameters',
      { tools: [{ ...TOOL, strict: true }] },
    ],
    [
      "Unknown parameter: 'tool_choice.function'.",
      'tool_choice.function',
      'unknown_parameter',
      { tools: [TOOL], tool_choice: { type: 'function', function: { name: 'get_weather' } } },
    ],
    [
      "Tool choice 'b' not found in 'tools' parameter.",
      'tool_choice',
      undefined,
      { tools: [TOOL], tool_choice: { type: 'function', name: 'b' } },
    ],
    [
      "Tool choice 'required' must be specified with 'tools'",
      'tool_choice',
      undefined,
      { tool_choice: 'required' },
    ],
    [
      "Invalid value: 'most'. Supported values are: 'none', 'minimal'",
      'reasoning.effort',
      'invalid_value',
      { reasoning: { effort: 'most' } },
    ],
    [
      "Missing required parameter: 'text.format.name'.",
      'text.format.name',
      'missing_required_parameter',
      { text: { format: { type: 'json_schema' } } },
    ],
    [
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
      'input[0].role',
      'invalid_value',
      { input: [{ role: 'tool', content: 'x' }] },
    ],
    [
      "Invalid value: 'input_text'. Supported values are: 'output_text', and 'refusal'.",
      'input[0].content[0].type',
      'invalid_value',
      { input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] },
    ],
    [
      "Unknown parameter: 'input[0].name'.",
      'input[0].name',
      'unknown_parameter',
      { input: [{ ...QUESTION, name: 'x' }] },
    ],
  ])('refuses with 400: %s', (text, param, code, more) => {
    expect(() => read(more)).toThrow(
      expect.objectContaining({
        status: 400,
        message: expect.stringContaining(text),
        place: { param, code },
      }),
    );
  });

  test.each<[string, object[]]>([
    ['No tool output found for function call call_1.', [CALL]],
    ['No tool call found for function call output with call_id call_1.', [OUTPUT]],
    ["Missing required parameter: 'input[1].call_id'.", [{ ...CALL, call_id: undefined }]],
    ["Invalid type for 'input[1].arguments'", [{ ...CALL, arguments: {} }, OUTPUT]],
  ])('refuses a conversation with 400: %s', (text, items) => {
    expect(() => readInput(...items)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(text) }),
    );
  });

  test('says that a model is unknown with 404', () => {
    expect(() => read({ model: 'gpt' })).toThrow(
      expect.objectContaining({ status: 404, place: { param: 'model', code: 'model_not_found' } }),
    );
  });

  test.each(['', '[]', '{} {}', '{'])('refuses the body %j', (body) => {
    expect(() => readResponsesChat(body, new StoredResponses())).toThrow('could not parse the JSON body');
  });
});

describe('reasoning items', () => {
  const stem = 'A'.repeat(32);
  const reasoning = {
    type: 'reasoning',
    id: `rs_${stem}`,
    summary: [],
    encrypted_content: seal('any', reasoningScope('native-call')),
  };
  const call = { ...CALL, id: `fc_${stem}1` };

  test('go back before what they led to', () => {
    expect(() => readInput(reasoning, call, OUTPUT)).not.toThrow();
    expect(() => readInput(call, OUTPUT)).toThrow(
      `Item 'fc_${stem}1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_${stem}'.`,
    );
    expect(() => readInput(reasoning)).toThrow('was provided without its required following item.');
  });

  test('may stay away when the items that followed lose their ids', () => {
    expect(() => readInput(CALL, OUTPUT)).not.toThrow();
  });

  test('are refused when their encrypted content is changed, of another model, or missing', () => {
    const other = { ...reasoning, encrypted_content: seal('any', reasoningScope('slow')) };
    expect(() => readInput(other, call, OUTPUT)).toThrow('could not be verified');
    const bare = { ...reasoning, encrypted_content: undefined };
    expect(() => readInput(bare, call, OUTPUT)).toThrow(expect.objectContaining({ status: 404 }));
  });
});

describe('previous_response_id', () => {
  test('puts the conversation of the kept response before the input, whose places count from 0', () => {
    const stored = new StoredResponses();
    stored.keep('resp_1', { response: {}, items: [QUESTION, CALL] });
    const more = { previous_response_id: 'resp_1', input: [OUTPUT] };
    expect(read(more, stored).request.messages).toHaveLength(3);
    const wrong = { previous_response_id: 'resp_1', input: [{ ...OUTPUT, output: 4 }] };
    expect(() => read(wrong, stored)).toThrow("Invalid type for 'input[0].output'");
  });

  test('is refused when the response is unknown', () => {
    expect(() => read({ previous_response_id: 'resp_1' })).toThrow(
      expect.objectContaining({
        message: "Previous response with id 'resp_1' not found.",
        place: { param: 'previous_response_id', code: 'previous_response_not_found' },
      }),
    );
    expect(() => read({ conversation: 'conv_1' })).toThrow("Conversation with id 'conv_1' not found.");
  });
});

describe('readCountedPrompt', () => {
  test('reads the prompt as for a reply, and refuses the fields of a reply', () => {
    const count = (more: object): unknown =>
      readCountedPrompt(JSON.stringify({ model: 'slow', input: 'Hi', ...more }), new StoredResponses());
    expect(count({ tools: [TOOL] })).toMatchObject({
      messages: [{ content: 'Hi' }],
      tools: [{ name: 'get_weather' }],
    });
    expect(() => count({ store: false })).toThrow("Unknown parameter: 'store'.");
  });
});
