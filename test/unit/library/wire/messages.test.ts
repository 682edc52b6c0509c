import { describe, expect, test } from 'vitest';
import type { ChatDelta, Message, SamplingParams } from '../../../../src/library';
import { StreamFailure } from '../../../../src/library/transport/client/stream-reader';
import { readMessagesBody, toMessagesBody } from '../../../../src/library/wire/messages/messages-body';
import { MessagesStream } from '../../../../src/library/wire/messages/messages-stream';
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
    ['of a reply whose text was changed', { ...assistant, content: 'I look twice.' }, 'm'],
    ['of a reply whose calls were changed', { ...assistant, toolCalls: toolCalls.slice(1) }, 'm'],
  ])('%s is left out and named', (_, message, model) => {
    const { blocks, replaced } = send(message, model);
    expect(JSON.stringify(blocks)).not.toMatch(/signature|redacted/);
    expect(replaced).toEqual(['messages[0].replay']);
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

const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const START = event('message_start', {
  message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
});
const open = (index: number, block: object) => event('content_block_start', { index, content_block: block });
const piece = (index: number, delta: object) => event('content_block_delta', { index, delta });
const END =
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 31 } }) +
  event('message_stop');
const text = (index: number, said: string) => piece(index, { type: 'text_delta', text: said });

function readAll(body: string) {
  const deltas: ChatDelta[] = [];
  const stream = new MessagesStream((delta) => deltas.push(delta));
  try {
    stream.push(Buffer.from(body));
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { kind: error.kind, message: error.message, told: error.told, partial: stream.partial() };
  }
  return fromMessagesReply(stream.document());
}

describe('MessagesStream', () => {
  test('overwrites counts instead of adding them, and keeps signatures and redacted thinking', () => {
    const body =
      START +
      open(0, { type: 'thinking', thinking: '', signature: '' }) +
      piece(0, { type: 'thinking_delta', thinking: 'Hm.' }) +
      piece(0, { type: 'signature_delta', signature: 'c2ln' }) +
      open(1, { type: 'redacted_thinking', data: 'AAEC' }) +
      open(2, { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} }) +
      piece(2, { type: 'input_json_delta', partial_json: '' }) +
      END;
    expect(readAll(body)).toEqual({
      content: '',
      reasoning: 'Hm.',
      toolCalls: [call('toolu_1')],
      finishReason: 'stop',
      model: 'm',
      usage: { promptTokens: 9, completionTokens: 31 },
      replay: {
        provider: 'messages',
        data: {
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'AAEC' },
            { type: 'tool_use' },
          ],
        },
      },
    });
  });

  test.each([
    [
      'pings, comments, unknown events and unknown deltas',
      `: hi\n\n${event('ping')}`,
      event('future', { x: 1 }) + piece(0, { type: 'new_delta', x: 1 }),
    ],
    ['a repeated start', START, START],
    ['an end mark of another protocol', '', 'data: [DONE]\n\n'],
  ])('is not disturbed by %s', (_, before, behind) => {
    const [last, rest] = behind.includes('[DONE]') ? [behind, ''] : ['', behind];
    const body =
      before +
      START +
      open(0, { type: 'text', text: '' }) +
      text(0, 'fi') +
      rest +
      text(0, 'ne') +
      END +
      last;
    expect(readAll(body)).toMatchObject({ content: 'fine' });
  });

  test.each([
    ['a block that is never closed', open(0, { type: 'text', text: 'fi' }) + text(0, 'ne')],
    ['text without a block', text(0, 'fi') + text(0, 'ne')],
    [
      'blocks with the same index',
      open(0, { type: 'text', text: 'fi' }) + open(0, { type: 'text', text: '' }) + text(0, 'ne'),
    ],
    [
      'no index',
      open(0, { type: 'text', text: '' }) +
        event('content_block_delta', { delta: { type: 'text_delta', text: 'fine' } }),
    ],
  ])('reads %s', (_, blocks) => {
    expect(readAll(START + blocks + END)).toMatchObject({ content: 'fine' });
  });

  test('keeps interleaved calls apart, and reads one that is whole from its start', () => {
    const body =
      START +
      open(0, { type: 'tool_use', id: 'a', name: 'clock' }) +
      open(1, { type: 'tool_use', id: 'b', name: 'clock', input: { zone: 'CET' } }) +
      piece(0, { type: 'input_json_delta', partial_json: '{"zone":' }) +
      piece(0, { type: 'input_json_delta', partial_json: '"UTC"}' }) +
      END;
    expect(readAll(body)).toMatchObject({
      toolCalls: [call('a', { zone: 'UTC' }), call('b', { zone: 'CET' })],
    });
  });

  test('an error is told with the status that its type has elsewhere', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    expect(readAll(START + text(0, 'fi') + event('error', { error }))).toMatchObject({
      kind: 'document',
      message: 'Overloaded',
      told: { code: '529' },
      partial: { content: 'fi' },
    });
  });

  test('is incomplete without message_stop, wherever it is cut', () => {
    const events = (START + open(0, { type: 'text', text: '' }) + text(0, 'fine') + END)
      .split('\n\n')
      .slice(0, -1);
    for (let count = 0; count < events.length; count += 1)
      expect(readAll(events.slice(0, count).join('\n\n'))).toMatchObject({ kind: 'truncated' });
    expect(readAll(events.join('\n\n'))).toMatchObject({ content: 'fine' });
  });

  test('a second message inside of the first is refused', () => {
    const other = START.replace('msg_1', 'msg_2');
    expect(readAll(START + text(0, 'fi') + other + END)).toMatchObject({ kind: 'format' });
  });

  test('takes linear time for many pieces and citations', () => {
    const citation = piece(0, { type: 'citations_delta', citation: { cited_text: 'x' } });
    const body =
      START + open(0, { type: 'text', text: '' }) + (text(0, 'word ') + citation).repeat(20_000) + END;
    const started = performance.now();
    expect(readAll(body)).toMatchObject({ content: 'word '.repeat(20_000) });
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
