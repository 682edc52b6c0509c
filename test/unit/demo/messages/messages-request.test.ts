import { describe, expect, test } from 'vitest';
import { readCountedPrompt, readMessagesChat } from '../../../../src/demo/messages/messages-request';
import { SIGNATURE_SCOPE } from '../../../../src/demo/messages/messages-turns';
import { seal } from '../../../../src/demo/wire/seal';

const TOOL = { name: 'get_weather', input_schema: { type: 'object', properties: { city: {} } } };
const USE = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Oslo' } };
const RESULT = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'snow' };
const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (...content: unknown[]): object => ({ role: 'assistant', content });
const QUESTION = user('Weather?');

const chatOf = (more: object): object => ({
  model: 'native-call',
  max_tokens: 4096,
  messages: [QUESTION],
  ...more,
});
const read = (more: object): ReturnType<typeof readMessagesChat> =>
  readMessagesChat(JSON.stringify(chatOf(more)));
const readMessages = (...messages: object[]): unknown =>
  read({ messages: [QUESTION, ...messages], tools: [TOOL] }).request.messages;

describe('readMessagesChat', () => {
  test('reads system text, calls and results into the neutral conversation', () => {
    const { request, isStreamed } = read({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [QUESTION, assistant({ type: 'text', text: 'Let me see.' }, USE), user([RESULT])],
      tools: [{ ...TOOL, description: 'Weather' }],
      stream: true,
    });
    expect(isStreamed).toBe(true);
    expect(request.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [{ id: 'toolu_1', name: 'get_weather', arguments: { city: 'Oslo' }, source: 'native' }],
      },
      { role: 'tool', content: 'snow', isError: false, toolCallId: 'toolu_1', toolName: 'get_weather' },
    ]);
    expect(request.tools).toEqual([
      { name: 'get_weather', description: 'Weather', parameters: TOOL.input_schema },
    ]);
  });

  test('reads a failed result from its flag, with and without the text that says so', () => {
    for (const content of ['no such city', 'Error: no such city']) {
      const messages = readMessages(assistant(USE), user([{ ...RESULT, content, is_error: true }]));
      expect(messages).toContainEqual(expect.objectContaining({ content: 'no such city', isError: true }));
    }
  });

  test('reads sampling, and what the request demands of the reply', () => {
    const { request } = read({
      temperature: 0.5,
      top_k: 4,
      stop_sequences: ['END'],
      tools: [TOOL, { ...TOOL, name: 'other' }],
      tool_choice: { type: 'tool', name: 'other', disable_parallel_tool_use: true },
    });
    expect(request.sampling).toEqual({ temperature: 0.5, topK: 4, maxTokens: 4096, stop: ['END'] });
    expect(request).toMatchObject({ isCallRequired: true, isCallSingle: true, isReasoningAsked: false });
    expect(request.tools.map(({ name }) => name)).toEqual(['other']);
  });

  test('offers the model no tools when the choice is none', () => {
    expect(read({ tools: [TOOL], tool_choice: { type: 'none' } }).request.tools).toEqual([]);
  });

  test('accepts results in several user messages, and the text after them', () => {
    const second = { ...USE, id: 'toolu_2' };
    expect(
      readMessages(
        assistant(USE, second),
        user([RESULT]),
        user([{ ...RESULT, tool_use_id: 'toolu_2' }]),
        user('Now?'),
      ),
    ).toHaveLength(5);
  });

  test.each<[string, object]>([
    ['max_tokens: Field required', { max_tokens: undefined }],
    ['messages: Field required', { messages: undefined }],
    ['max_tokens: Input should be a valid integer', { max_tokens: '9' }],
    ['max_tokens: 1000000 > 128000, which is the maximum', { max_tokens: 1_000_000 }],
    ['seed: Extra inputs are not permitted', { seed: 1 }],
    ['temperature: Input should be less than or equal to 1', { temperature: 1.5 }],
    ['`temperature` and `top_p` cannot both be specified', { temperature: 1, top_p: 1 }],
    ['stop_sequences.0: each stop sequence must contain non-whitespace', { stop_sequences: [' '] }],
    ['messages: at least one message is required', { messages: [] }],
    ['messages: Unexpected role "system"', { messages: [{ role: 'system', content: 'x' }] }],
    [
      "messages.0.role: Input should be 'user' or 'assistant'",
      { messages: [{ role: 'tool', content: 'x' }] },
    ],
    ['messages.0.name: Extra inputs are not permitted', { messages: [{ ...QUESTION, name: 'x' }] }],
    ['messages.0: all messages must have non-empty content', { messages: [user('')] }],
    ['messages: text content blocks must be non-empty', { messages: [user([{ type: 'text', text: '' }])] }],
    [
      'messages: text content blocks must contain non-whitespace text',
      { messages: [user([{ type: 'text', text: ' ' }])] },
    ],
    ['system: text content blocks must be non-empty', { system: [{ type: 'text', text: '' }] }],
    [
      'does not support assistant message prefill',
      { messages: [QUESTION, { role: 'assistant', content: 'It' }] },
    ],
    ['tools.0.custom.name: String should match pattern', { tools: [{ ...TOOL, name: 'a b' }] }],
    ['tools.0.custom.input_schema: Field required', { tools: [{ name: 'a' }] }],
    ['tools.0.custom.input_schema.type: Field required', { tools: [{ name: 'a', input_schema: {} }] }],
    ['does not support oneOf', { tools: [{ name: 'a', input_schema: { type: 'object', anyOf: [] } }] }],
    ['tools: Tool names must be unique.', { tools: [TOOL, TOOL] }],
    ["tools.0: Input tag 'web_search_20250305'", { tools: [{ type: 'web_search_20250305', name: 'web' }] }],
    ['tool_choice may only be specified while providing tools', { tool_choice: { type: 'auto' } }],
    ["Tool 'b' not found in provided tools", { tools: [TOOL], tool_choice: { type: 'tool', name: 'b' } }],
    ['thinking.enabled.budget_tokens: Field required', { thinking: { type: 'enabled' } }],
    ['greater than or equal to 1024', { thinking: { type: 'enabled', budget_tokens: 1000 } }],
    ['`max_tokens` must be greater than', { thinking: { type: 'enabled', budget_tokens: 4096 } }],
    ['`temperature` may only be set to 1', { thinking: { type: 'adaptive' }, temperature: 0.5 }],
    ['`top_k` must be unset', { thinking: { type: 'adaptive' }, top_k: 5 }],
    [
      'Thinking may not be enabled when tool_choice forces tool use.',
      { thinking: { type: 'adaptive' }, tools: [TOOL], tool_choice: { type: 'any' } },
    ],
  ])('refuses with 400: %s', (text, more) => {
    expect(() => read(more)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(text) }),
    );
  });

  test.each<[string, object[]]>([
    [
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
      [assistant(USE), user('Go on.')],
    ],
    [
      '`tool_result` blocks immediately after: toolu_1',
      [assistant(USE), user([{ type: 'text', text: 'a' }, RESULT])],
    ],
    [
      'messages.2.content.0: unexpected `tool_use_id` found',
      [assistant({ type: 'text', text: 'a' }), user([RESULT])],
    ],
    ['each tool_use must have a single result', [assistant(USE), user([RESULT, RESULT])]],
    ['`tool_use` ids must be unique', [assistant(USE, USE), user([RESULT])]],
    [
      'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
      [assistant({ ...USE, input: '{}' }), user([RESULT])],
    ],
    [
      'messages.1.content.0.tool_use.id: String should match',
      [assistant({ ...USE, id: 'a.b' }), user([RESULT])],
    ],
    ['`image` blocks are not supported', [user([{ type: 'image', source: {} }])]],
    [
      'messages.1.content.0.thinking.signature: Field required',
      [assistant({ type: 'thinking', thinking: 'x' }, USE), user([RESULT])],
    ],
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block',
      [assistant({ type: 'thinking', thinking: 'x', signature: '' }, USE), user([RESULT])],
    ],
  ])('refuses a conversation with 400: %s', (text, messages) => {
    expect(() => readMessages(...messages)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(text) }),
    );
  });

  test('demands the tools of a conversation that has calls', () => {
    const messages = [QUESTION, assistant(USE), user([RESULT])];
    expect(() => read({ messages })).toThrow('must define tools');
  });

  test('says that a model is unknown with 404', () => {
    expect(() => read({ model: 'claude' })).toThrow(
      expect.objectContaining({ status: 404, message: 'model: claude' }),
    );
  });

  test('says where a body is no JSON', () => {
    expect(() => readMessagesChat('{"a":}')).toThrow(
      'The request body is not valid JSON: unexpected character: line 1 column 6 (char 5)',
    );
  });
});

describe('the thinking of the turn whose calls wait for results', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: seal('any', SIGNATURE_SCOPE) };
  const enabled = { type: 'enabled', budget_tokens: 1024 };
  const readWith = (first: object[], thinkingField: object): unknown =>
    read({
      messages: [QUESTION, assistant(...first, USE), user([RESULT])],
      tools: [TOOL],
      thinking: thinkingField,
    });

  test('must be sent back where thinking is enabled, and not where it is adaptive', () => {
    expect(() => readWith([], enabled)).toThrow(
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    );
    expect(() => readWith([thinking], enabled)).not.toThrow();
    expect(() => readWith([], { type: 'adaptive' })).not.toThrow();
  });

  test('may have another text, as the signature does not depend on it', () => {
    expect(() => readWith([{ ...thinking, thinking: '' }], enabled)).not.toThrow();
  });

  test.each([thinking.signature.replace(/^./, '_'), `${thinking.signature} `, seal('any', 'other')])(
    'is refused with the signature %j',
    (signature) => {
      expect(() => readWith([{ ...thinking, signature }], enabled)).toThrow('Invalid `signature`');
    },
  );
});

describe('readCountedPrompt', () => {
  const { max_tokens: _, ...prompt } = chatOf({ tools: [TOOL] }) as { max_tokens: number };

  test('reads the prompt as for a reply', () => {
    expect(readCountedPrompt(JSON.stringify(prompt))).toMatchObject({
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [{ name: 'get_weather' }],
    });
  });

  test('refuses the fields of a reply', () => {
    expect(() => readCountedPrompt(JSON.stringify(chatOf({})))).toThrow(
      'max_tokens: Extra inputs are not permitted',
    );
  });
});
