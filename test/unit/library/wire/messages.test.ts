import { describe, expect, test } from 'vitest';
import type { Message, SamplingParams } from '../../../../src/library';
import { toMessagesBody } from '../../../../src/library/wire/messages/messages-body';
import { fromMessagesReply, toMessagesRequest } from '../../../../src/library/wire/messages/messages-wire';

const CLOCK = { name: 'clock', description: 'The time', parameters: { type: 'object', properties: {} } };
/** Offers the tool that the history calls, if it calls one. */
const input = (messages: Message[], more: object = {}) => ({
  model: 'm',
  tools: messages.some(({ toolCalls = [] }) => toolCalls.length > 0) ? [CLOCK] : [],
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

  test('leaves out an empty reply and an empty text', () => {
    const { body, replaced } = toMessagesBody(
      input([
        user('Hi'),
        { role: 'assistant', content: ' ' },
        user('Well?'),
        { role: 'assistant', content: '', toolCalls: [call('a')] },
      ]),
    );
    expect(body.messages).toEqual([
      user('Hi'),
      user('Well?'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'clock', input: {} }] },
    ]);
    expect(replaced).toEqual(['messages[1]']);
  });

  test.each([
    ['broken', '{"zone": "UT', '{"zone": "UT'],
    ['a list', [1], [1]],
    ['a list as text', '[1]', '[1]'],
    ['nested too deep', '['.repeat(200) + ']'.repeat(200), '['.repeat(200) + ']'.repeat(200)],
    ['no JSON', { at: 1n }, ''],
  ])('wraps arguments that are %s into an object, which the model sees, and names them', (_, args, seen) => {
    const asked = input([{ role: 'assistant', content: 'So.', toolCalls: [call('a'), call('b', args)] }]);
    const { body, replaced } = toMessagesBody(asked);
    expect(body.messages[0]?.content.slice(1)).toMatchObject([
      { id: 'a', input: {} },
      { id: 'b', input: { rawInvalidInput: seen } },
    ]);
    expect(replaced).toEqual(['messages[0].content[2].input']);
  });

  const asking = (...ids: string[]): Message => ({
    role: 'assistant',
    content: '',
    toolCalls: ids.map((id) => call(id)),
  });
  const result = (toolCallId: string): Message => ({ role: 'tool', content: `of ${toolCallId}`, toolCallId });
  const answered = (...ids: string[]) => ({
    role: 'user',
    content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` })),
  });
  const MADE_UP = {
    type: 'tool_result',
    content: 'Error: The call has no result: it was cancelled.',
    is_error: true,
  };

  test.each<[string, Message[], object[], string[]]>([
    [
      'after a text between them',
      [asking('a', 'b'), result('a'), user('And?'), result('b')],
      [answered('a', 'b'), user('And?')],
      ['messages[3].place'],
    ],
    [
      'after the user',
      [asking('a'), user('And?'), result('a')],
      [answered('a'), user('And?')],
      ['messages[2].place'],
    ],
    [
      'after a system text',
      [asking('a'), { role: 'system', content: 'Be brief.' }, result('a')],
      [answered('a'), user('Be brief.')],
      ['messages[2].place', 'messages[1].role'],
    ],
    [
      'of two turns, each',
      [asking('a'), asking('b'), result('b'), result('a'), user('And?')],
      [answered('a'), expect.objectContaining({ role: 'assistant' }), answered('b'), user('And?')],
      ['messages[3].place'],
    ],
  ])('sends the results that come %s directly after their calls', (_, messages, sent, named) => {
    const { body, replaced } = toMessagesBody(input(messages));
    expect(body.messages.slice(1)).toEqual(sent);
    expect(replaced).toEqual(named);
  });

  test('makes up the result of a call that was cancelled, and not of one that is open at the end', () => {
    const { body, replaced } = toMessagesBody(
      input([asking('a', 'b', 'c'), result('b'), user('Stop.'), asking('d'), user('Again.'), asking('e')]),
    );
    expect(body.messages.map(({ content }) => content)).toEqual([
      expect.any(Array),
      [...answered('b').content, { ...MADE_UP, tool_use_id: 'a' }, { ...MADE_UP, tool_use_id: 'c' }],
      'Stop.',
      expect.any(Array),
      [{ ...MADE_UP, tool_use_id: 'd' }],
      'Again.',
      expect.any(Array),
    ]);
    expect(replaced).toEqual(['messages[1].content[1]', 'messages[1].content[2]', 'messages[4].content[0]']);
  });

  test('leaves a result without a call at its place', () => {
    const { body, replaced } = toMessagesBody(input([user('Hi'), result('x'), user('And?')]));
    expect(body.messages).toEqual([user('Hi'), answered('x'), user('And?')]);
    expect(replaced).toEqual([]);
  });

  test('declares the called tools, and forbids them, where no tools are given', () => {
    const messages = [asking('a', 'b'), result('a'), result('b'), user('And?')];
    const { body, replaced } = toMessagesBody(input(messages, { tools: [], toolChoice: 'auto' }));
    expect(body.tools).toEqual([{ name: 'clock', input_schema: { type: 'object', properties: {} } }]);
    expect(body.tool_choice).toEqual({ type: 'none' });
    expect(replaced).toEqual(['tools']);
    const own = toMessagesBody(input(messages, { tools: [] }), { tools: [{ type: 'web_search_20250305' }] });
    expect(own.body).not.toHaveProperty('tools');
    expect(own.body).not.toHaveProperty('tool_choice');
    expect(toMessagesBody(input([user('Hi')], { tools: [] })).body).not.toHaveProperty('tools');
  });

  test('ends a reply that the model is to continue without white space', () => {
    const { body, replaced } = toMessagesBody(
      input([
        user('Hi'),
        { role: 'assistant', content: 'A \n' },
        user('B'),
        { role: 'assistant', content: 'C: ' },
      ]),
    );
    expect(body.messages.map(({ content }) => content)).toEqual(['Hi', 'A \n', 'B', 'C:']);
    expect(replaced).toEqual(['messages[3].end']);
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

  const enabled = { type: 'enabled', budget_tokens: 1024 };
  test.each<[string, object, SamplingParams, string[]]>([
    ['claude-haiku-4-5', enabled, { temperature: 0, topK: 3, topP: 0.5 }, ['temperature', 'topP', 'topK']],
    ['claude-3-7-sonnet-latest', enabled, { temperature: 0, topK: 3 }, ['temperature', 'topK']],
    ['claude-opus-4-6', { type: 'adaptive' }, { temperature: 0.7 }, ['temperature']],
    ['claude-opus-4-6', { type: 'adaptive' }, { temperature: 1, topK: 1 }, ['topK']],
    ['claude-opus-4-6', { type: 'adaptive' }, { topP: 0.95 }, []],
    ['claude-opus-4-7', { type: 'adaptive' }, { topP: 0.95 }, ['topP']],
    ['claude-opus-4-6', { type: 'disabled' }, { temperature: 0, topK: 3 }, []],
    ['qwen3', enabled, { temperature: 0, topK: 3, topP: 0.5 }, []],
  ])('leaves out and names what %s refuses beside the thinking %j', (model, thinking, sampling, refused) => {
    const { body, dropped, sent } = toMessagesBody(input([], { model, sampling }), { thinking });
    expect(dropped.toSorted()).toEqual(refused.toSorted());
    const kept = Object.keys(sampling).filter((key) => !refused.includes(key));
    expect(
      Object.keys(sent)
        .filter((key) => key !== 'maxTokens')
        .toSorted(),
    ).toEqual(kept.toSorted());
    expect(
      JSON.parse(toMessagesRequest(input([], { model, sampling }), { thinking, top_k: 9 }).json),
    ).toEqual({
      ...body,
      thinking,
      top_k: 9,
    });
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

const REPLY = {
  type: 'message',
  model: 'm',
  content: [{ type: 'text', text: 'I look.' }],
  stop_reason: 'tool_use',
  usage: { input_tokens: 9, cache_read_input_tokens: 40, cache_creation_input_tokens: 5, output_tokens: 1 },
};

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
