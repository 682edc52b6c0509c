import { describe, expect, test } from 'vitest';
import type { Message, SamplingParams } from '../../../../src/library';
import { readMessagesBody, toMessagesBody } from '../../../../src/library/wire/messages/messages-body';
import { fromMessagesReply, toMessagesRequest } from '../../../../src/library/wire/messages/messages-wire';

const input = (messages: Message[], more: object = {}) => ({
  model: 'm',
  tools: [],
  messages,
  sampling: {} as SamplingParams,
  isStreaming: false,
  ...more,
});
const user = (content: string): Message => ({ role: 'user', content });
const call = (id: string, args: unknown = {}) => ({
  id,
  name: 'clock',
  arguments: args,
  source: 'native' as const,
});
const CLOCK = { name: 'clock', description: 'The time', parameters: { type: 'object', properties: {} } };

describe('toMessagesBody', () => {
  test('puts the system text before the conversation, and a later one into it as the user', () => {
    const { body, replaced } = toMessagesBody(
      input([
        { role: 'system', content: 'Be brief.' },
        { role: 'system', content: 'Be kind.' },
        user('Hi'),
        { role: 'system', content: 'Now in verse.' },
      ]),
    );
    expect(body.system).toBe('Be brief.\n\nBe kind.');
    expect(body.messages).toEqual([user('Hi'), user('Now in verse.')]);
    expect(replaced).toEqual(['messages[3].role']);
  });

  test('sends all results of a turn in one message, with the field and the words for a failed one', () => {
    const { body } = toMessagesBody(
      input([
        user('Times?'),
        { role: 'assistant', content: 'I look.', toolCalls: [call('a:1', { zone: 'UTC' }), call('a_1')] },
        { role: 'tool', content: '12:00', toolCallId: 'a:1' },
        { role: 'tool', content: 'no clock', toolCallId: 'a_1', isError: true },
        user('And?'),
      ]),
    );
    expect(body.messages).toEqual([
      user('Times?'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a_1', name: 'clock', input: { zone: 'UTC' } },
          { type: 'tool_use', id: 'a_1_2', name: 'clock', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a_1', content: '12:00' },
          { type: 'tool_result', tool_use_id: 'a_1_2', content: 'Error: no clock', is_error: true },
        ],
      },
      user('And?'),
    ]);
  });

  test('leaves out an empty reply and an empty text, and names arguments that are no object', () => {
    const { body, replaced } = toMessagesBody(
      input([
        user('Hi'),
        { role: 'assistant', content: ' ' },
        user('Well?'),
        { role: 'assistant', content: '', toolCalls: [call('a', '{"zone": "UT')] },
      ]),
    );
    expect(body.messages).toEqual([
      user('Hi'),
      user('Well?'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'clock', input: {} }] },
    ]);
    expect(replaced).toEqual(['messages[1]', 'messages[2].content[0].input']);
  });

  test('chooses the required limit and names it, unless sampling or `raw` has one', () => {
    expect(toMessagesBody(input([]))).toMatchObject({
      body: { max_tokens: 4096 },
      sent: { maxTokens: 'max_tokens' },
    });
    expect(toMessagesBody(input([], { sampling: { maxTokens: 7 } })).body.max_tokens).toBe(7);
    const thinking = { type: 'enabled', budget_tokens: 5000 };
    expect(toMessagesBody(input([]), { thinking }).body.max_tokens).toBe(9096);
    const { json, overridden } = toMessagesRequest(input([]), { max_tokens: 12 });
    expect(JSON.parse(json)).toMatchObject({ max_tokens: 12 });
    expect(overridden).toEqual([]);
  });

  test.each([
    ['claude-3-5-haiku-20241022', { temperature: 0, topP: 0.5, topK: 3 }, []],
    ['claude-sonnet-4-20250514', { temperature: 0, topK: 3 }, ['topP']],
    ['claude-opus-4-6', { temperature: 0, topK: 3 }, ['topP']],
    ['claude-opus-4-7', {}, ['temperature', 'topP', 'topK']],
    ['anthropic/claude-sonnet-5', {}, ['temperature', 'topP', 'topK']],
    ['qwen3', { temperature: 0, topP: 0.5, topK: 3 }, []],
  ])('sends %s only the sampling that it accepts', (model, kept, refused) => {
    const sampling = { temperature: 0, topP: 0.5, topK: 3, seed: 1, stop: ['x'] };
    const { body, dropped } = toMessagesBody(input([], { model, sampling }));
    const { temperature, top_p: topP, top_k: topK, stop_sequences: stop } = body;
    expect(JSON.parse(JSON.stringify({ temperature, topP, topK }))).toEqual(kept);
    expect(stop).toEqual(['x']);
    expect(dropped).toEqual(['seed', ...refused]);
  });

  test('keeps a temperature of 1 and a top_p of 0.99 for a new model', () => {
    const of = (sampling: SamplingParams) =>
      toMessagesBody(input([], { model: 'claude-opus-5', sampling })).body;
    expect(of({ temperature: 1 }).temperature).toBe(1);
    expect(of({ topP: 0.99 }).top_p).toBe(0.99);
  });

  test.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ tool: 'clock' }, { type: 'tool', name: 'clock' }],
  ])('sends the tool choice %j in the words of the protocol, which is read again', (toolChoice, sent) => {
    const request = toMessagesRequest(input([], { tools: [CLOCK], toolChoice }), undefined);
    expect(JSON.parse(request.json)).toMatchObject({ tool_choice: sent });
    expect(request.toolChoice).toEqual({ choice: toolChoice, key: 'tool_choice' });
    expect(toMessagesBody(input([], { toolChoice })).body.tool_choice).toBeUndefined();
  });

  test('declares a tool with its schema', () => {
    const tools = [{ ...CLOCK, strict: true }];
    expect(toMessagesBody(input([], { tools })).body.tools).toEqual([
      { name: 'clock', description: 'The time', strict: true, input_schema: CLOCK.parameters },
    ]);
  });
});

const THINKING = { type: 'thinking', thinking: '', signature: 'c2ln' };
const REPLY = {
  type: 'message',
  model: 'm',
  content: [
    THINKING,
    { type: 'redacted_thinking', data: 'AAEC' },
    { type: 'text', text: '' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'clock', input: { zone: 'UTC' } },
    { ...THINKING, signature: 'Mg==' },
    { type: 'tool_use', id: 'toolu_2', name: 'clock', input: {} },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 9, cache_read_input_tokens: 40, cache_creation_input_tokens: 5, output_tokens: 1 },
};

describe('replay data', () => {
  const reply = fromMessagesReply(REPLY, 'm');
  if (typeof reply === 'string') throw new Error(reply);
  const { content, toolCalls, replay } = reply;
  const assistant: Message = { role: 'assistant', content, toolCalls, replay };
  const send = (message: Message, model = 'm') => {
    const { body, replaced } = toMessagesBody(input([message], { model }));
    return { blocks: body.messages[0]?.content, replaced };
  };

  test('goes back unchanged and in its order, without the empty text', () => {
    const { blocks, replaced } = send(JSON.parse(JSON.stringify(assistant)) as Message);
    expect(blocks).toEqual(REPLY.content.filter((block) => (block as { text?: string }).text !== ''));
    expect(replaced).toEqual([]);
  });

  test.each([
    ['for another model', assistant, 'other'],
    ['of another kind of provider', { ...assistant, replay: { provider: 'x', data: {} } }, 'm'],
    [
      'that was withheld',
      { ...assistant, replay: { ...replay, isWithheld: true } as Message['replay'] },
      'm',
    ],
  ])('%s is left out and named', (_, message, model) => {
    const { blocks, replaced } = send(message, model);
    expect(JSON.stringify(blocks)).not.toMatch(/signature|redacted/);
    expect(replaced).toEqual(['messages[0].replay']);
  });

  test.each([
    ['text', { ...assistant, content: 'I look twice.' }],
    ['calls', { ...assistant, toolCalls: toolCalls.slice(1) }],
  ])('of a reply whose %s were changed is its first thinking, and the rest is named', (_, message) => {
    const { blocks, replaced } = send(message);
    expect(blocks?.slice(0, 3)).toEqual([
      ...REPLY.content.slice(0, 2),
      { type: 'text', text: message.content },
    ]);
    expect(JSON.stringify(blocks)).not.toContain('Mg==');
    expect(replaced).toEqual(['messages[0].replay']);
  });

  test('of a reply whose call was rescued from its text goes back whole', () => {
    const written = [THINKING, { type: 'text', text: '<tool_call>{"name":"clock"}</tool_call>' }];
    const rescued = fromMessagesReply({ ...REPLY, content: written }, 'm');
    if (typeof rescued === 'string') throw new Error(rescued);
    const toolCall = { id: 'call_1', name: 'clock', arguments: {}, source: 'rescued' as const };
    const message: Message = {
      role: 'assistant',
      content: '',
      toolCalls: [toolCall],
      replay: rescued.replay,
    };
    expect(send(message)).toEqual({
      blocks: [THINKING, { type: 'tool_use', id: 'call_1', name: 'clock', input: {} }],
      replaced: [],
    });
  });

  test('is not made of a reply that has only text and calls', () => {
    const plain = fromMessagesReply({ ...REPLY, content: REPLY.content.slice(3, 5) }, 'm');
    expect(plain).not.toHaveProperty('replay');
  });

  test('of a recorded request is read again', () => {
    const { json } = toMessagesRequest(
      input([user('Hi'), assistant, { role: 'tool', content: 'no', toolCallId: 'toolu_1', isError: true }], {
        tools: [CLOCK],
        toolChoice: 'required',
      }),
      { thinking: { type: 'adaptive' } },
    );
    const body = JSON.parse(json) as Record<string, unknown>;
    const { messages, tools, raw, toolChoice } = readMessagesBody({
      body,
      sent: { maxTokens: 'max_tokens' },
    });
    expect(toolChoice).toBe('required');
    expect(raw).toEqual({ thinking: { type: 'adaptive' } });
    const again = toMessagesRequest(input(messages, { tools, toolChoice }), raw);
    expect(JSON.parse(again.json)).toEqual(body);
  });
});

describe('fromMessagesReply', () => {
  test('counts what was written to the cache or read from it as part of the prompt', () => {
    expect(fromMessagesReply(REPLY)).toMatchObject({
      usage: { promptTokens: 54, cachedTokens: 40, completionTokens: 1 },
      finishReason: 'tool_calls',
    });
    expect(fromMessagesReply({ content: null, usage: null })).toEqual({
      content: '',
      toolCalls: [],
      usage: {},
    });
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'pause_turn'],
  ])('the reason %s is %s', (reason, finishReason) => {
    expect(fromMessagesReply({ content: [], stop_reason: reason })).toMatchObject({ finishReason });
  });

  test.each([null, [], {}, { choices: [] }])('%j is no reply', (document) => {
    expect(fromMessagesReply(document)).toBe('The reply has no content.');
  });
});
