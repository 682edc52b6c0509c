import { describe, expect, test } from 'vitest';
import type { Message, SamplingParams } from '../../../../src/library';
import { readMessagesBody, toMessagesBody } from '../../../../src/library/wire/messages/messages-body';
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

  const SEARCH = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'u' }],
    },
  ];
  const COMPACTED = { type: 'compaction', content: 'So far: x.' };
  const read = (blocks: object[]): Message => {
    const made = fromMessagesReply({ ...REPLY, content: blocks }, 'm');
    if (typeof made === 'string') throw new Error(made);
    const { content: text, toolCalls: calls } = made;
    return {
      role: 'assistant',
      content: text,
      replay: made.replay,
      ...(calls.length > 0 && { toolCalls: calls }),
    };
  };

  test.each<[string, object[]]>([
    ['paused in a search', [{ type: 'text', text: 'I look.' }, ...SEARCH]],
    ['paused before any text', SEARCH],
    ['paused in thought', [THINKING, { type: 'text', text: 'I look.' }, ...SEARCH]],
    ['was compacted', [COMPACTED, { type: 'text', text: 'Hello' }]],
    ['only compacted', [COMPACTED]],
    ['only thought before its text', [THINKING, { type: 'text', text: 'Hello' }]],
  ])('of a reply that %s goes back without calls', (_, blocks) => {
    const { body, replaced } = toMessagesBody(input([user('Hi'), read(blocks), user('Go on')]));
    expect(body.messages[1]).toEqual({ role: 'assistant', content: blocks });
    expect(replaced).toEqual([]);
    expect(toMessagesBody(input([user('Hi'), read(SEARCH)])).body.messages[1]?.content).toEqual(SEARCH);
  });

  test('of a reply that was cut in its thought is left out: no reply may end with thinking', () => {
    const sendCut = (blocks: object[]) => {
      const { body, replaced } = toMessagesBody(input([user('Hi'), read(blocks), user('Go on')]));
      return [body.messages.slice(1, -1).map(({ content: sent }) => sent), replaced];
    };
    expect(sendCut([THINKING])).toEqual([[], ['messages[1].replay', 'messages[1]']]);
    const text = { type: 'text', text: 'I look.' };
    expect(sendCut([THINKING, text, THINKING])).toEqual([[[THINKING, text]], ['messages[1].replay']]);
  });

  test('of a reply to continue has thinking only where the model is asked to think', () => {
    const text = { type: 'text', text: 'I' };
    const messages = [user('Hi'), read([THINKING, text])];
    const plain = toMessagesBody(input(messages));
    expect(plain.body.messages[1]?.content).toEqual([text]);
    expect(plain.replaced).toEqual(['messages[1].replay']);
    const { body } = toMessagesBody(input(messages), { thinking: { type: 'adaptive' } });
    expect(body.messages[1]?.content).toEqual([THINKING, text]);
  });

  test('of a plain reply of another protocol or server is left out and named', () => {
    const plain: Message = { role: 'assistant', content: 'Hello' };
    for (const own of [
      { provider: 'responses', data: { output: [] } },
      {
        provider: 'messages',
        origin: 'https://a.example',
        data: { content: [THINKING, { type: 'text', text: 'Hello' }] },
      },
    ]) {
      const messages = [user('Hi'), { ...plain, replay: own }, user('Go on')];
      const { body, replaced } = toMessagesBody(input(messages, { origin: 'https://b.example' }));
      expect(body.messages[1]).toEqual(plain);
      expect(replaced).toEqual(['messages[1].replay']);
    }
  });

  test('has the caller of a call that the model made in its code', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' };
    const called = { type: 'tool_use', id: 'toolu_1', name: 'clock', input: { zone: 'UTC' }, caller };
    const made = read([called]);
    expect(send(made).blocks).toEqual([called]);
    expect(read([{ ...called, caller: { type: 'direct' } }]).replay).toBeUndefined();
  });

  test('is not made of a reply that has only text and calls', () => {
    const plain = fromMessagesReply({ ...REPLY, content: REPLY.content.slice(3, 5) }, 'm');
    expect(plain).not.toHaveProperty('replay');
  });

  test('is not needed to read a request that the service refuses, which stays as it is', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'clock', input: {} }] },
      { role: 'user', content: 'Stop.' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '12:00' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'clock', input: {} }] },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: 'It is ' },
    ];
    const opened = readMessagesBody({ body: { model: 'm', max_tokens: 9, messages } });
    expect(opened.raw).not.toHaveProperty('messages');
    expect(opened.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(opened.messages.at(-1)?.content).toBe('It is ');
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
