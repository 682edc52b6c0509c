import { describe, expect, test } from 'vitest';
import type { Message, SamplingParams } from '../../../../src/library';
import { readResponsesBody, toResponsesBody } from '../../../../src/library/wire/responses/responses-body';
import {
  fromResponsesReply,
  toResponsesRequest,
} from '../../../../src/library/wire/responses/responses-wire';

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
const said = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const CLOCK = { name: 'clock', description: 'The time', parameters: { type: 'object', properties: {} } };

describe('toResponsesBody', () => {
  test('sends each message as an item at its place, system text included, and is not stored', () => {
    const { body, replaced } = toResponsesBody(
      input([
        { role: 'system', content: 'Be brief.' },
        user('Hi'),
        { role: 'assistant', content: 'Hello.' },
        { role: 'system', content: 'Now in verse.' },
      ]),
    );
    expect(body).toEqual({
      model: 'm',
      input: [
        { type: 'message', role: 'system', content: 'Be brief.' },
        { type: 'message', role: 'user', content: 'Hi' },
        said('Hello.'),
        { type: 'message', role: 'system', content: 'Now in verse.' },
      ],
      store: false,
    });
    expect(replaced).toEqual([]);
  });

  test('sends calls and results by the id of the call, a failed one in words, and no empty text', () => {
    const { body, replaced } = toResponsesBody(
      input([
        { role: 'assistant', content: '', toolCalls: [call('a', { zone: 'UTC' }), call('b', 'not json')] },
        { role: 'tool', content: '12:00', toolCallId: 'a' },
        { role: 'tool', content: 'no clock', toolCallId: 'b', isError: true },
      ]),
    );
    expect(body.input).toEqual([
      { type: 'function_call', call_id: 'a', name: 'clock', arguments: '{"zone":"UTC"}' },
      { type: 'function_call', call_id: 'b', name: 'clock', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: '12:00' },
      { type: 'function_call_output', call_id: 'b', output: 'Error: no clock' },
    ]);
    expect(replaced).toEqual(['input[1].arguments']);
  });

  test('makes up the result of a call that was cancelled, after the others, and not of one that is open at the end', () => {
    const asking = (...ids: string[]): Message => ({
      role: 'assistant',
      content: '',
      toolCalls: ids.map((id) => call(id)),
    });
    const result = (id: string): Message => ({ role: 'tool', content: `of ${id}`, toolCallId: id });
    const { body, replaced } = toResponsesBody(
      input([
        asking('a', 'b'),
        result('b'),
        user('Stop.'),
        asking('c'),
        user('And?'),
        result('c'),
        asking('d'),
      ]),
    );
    const items = body.input.map((item) =>
      item.type === 'message' ? item.content : [item.call_id, 'output' in item ? item.output : '?'],
    );
    expect(items).toEqual([
      ['a', '?'],
      ['b', '?'],
      ['b', 'of b'],
      ['a', 'Error: The call has no result: it was cancelled.'],
      'Stop.',
      ['c', '?'],
      'And?',
      ['c', 'of c'],
      ['d', '?'],
    ]);
    expect(replaced).toEqual(['input[3]']);
  });

  test('declares tools without strictness unless it is asked for, and the choice of one by name', () => {
    const tools = [CLOCK, { ...CLOCK, name: 'alarm', strict: true }];
    const { body } = toResponsesBody(input([user('Hi')], { tools, toolChoice: { tool: 'clock' } }));
    expect(body.tools).toEqual([
      { type: 'function', ...CLOCK, strict: false },
      { type: 'function', ...CLOCK, name: 'alarm', strict: true },
    ]);
    expect(body.tool_choice).toEqual({ type: 'function', name: 'clock' });
    for (const toolChoice of ['auto', 'none', 'required'] as const)
      expect(toResponsesBody(input([], { tools, toolChoice })).body.tool_choice).toBe(toolChoice);
    expect(toResponsesBody(input([], { toolChoice: 'required' })).body).not.toHaveProperty('tool_choice');
  });

  const sampling: SamplingParams = {
    temperature: 0,
    topP: 0.9,
    topK: 4,
    seed: 1,
    maxTokens: 32,
    stop: ['x'],
  };
  test.each<[string, object | undefined, string[], string[]]>([
    ['gpt-4o-mini', undefined, ['temperature', 'topP', 'maxTokens'], ['topK', 'seed', 'stop']],
    ['gpt-5-chat-latest', undefined, ['temperature', 'topP', 'maxTokens'], ['topK', 'seed', 'stop']],
    ['gpt-5-mini', undefined, ['maxTokens'], ['topK', 'seed', 'stop', 'temperature', 'topP']],
    ['openai/o4-mini', undefined, ['maxTokens'], ['topK', 'seed', 'stop', 'temperature', 'topP']],
    [
      'gpt-5.1',
      { reasoning: { effort: 'none' } },
      ['temperature', 'topP', 'maxTokens'],
      ['topK', 'seed', 'stop'],
    ],
  ])('sends %s with raw %j the sampling that it takes', (model, raw, sent, dropped) => {
    const made = toResponsesBody(input([user('Hi')], { model, sampling }), raw as Record<string, unknown>);
    expect(Object.keys(made.sent).toSorted()).toEqual(sent.toSorted());
    expect(made.dropped.toSorted()).toEqual(dropped.toSorted());
    expect(made.body.max_output_tokens).toBe(32);
  });

  test('asks models that reason for what has to be sent back, and leaves storing to raw', () => {
    const { json } = toResponsesRequest(input([user('Hi')], { model: 'gpt-5-mini', isStreaming: true }), {
      store: true,
    });
    expect(JSON.parse(json)).toMatchObject({
      include: ['reasoning.encrypted_content'],
      store: true,
      stream: true,
    });
    expect(toResponsesBody(input([user('Hi')])).body).not.toHaveProperty('include');
  });
});

const REASONING = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'QUJD' };
const COMMENT = { ...said('I look.'), id: 'msg_1', status: 'completed', phase: 'commentary' };
const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'clock',
  arguments: '{"zone": "UTC"}',
  status: 'completed',
};
const REPLY = { status: 'completed', model: 'm', output: [REASONING, COMMENT, CALL] };

describe('replay data of the Responses API', () => {
  const read = (document: object) => {
    const reply = fromResponsesReply(document, 'm');
    if (typeof reply === 'string') throw new Error(reply);
    const { content, toolCalls, replay } = reply;
    return { role: 'assistant', content, toolCalls, replay } satisfies Message;
  };
  const assistant = read(REPLY);
  const send = (message: Message, model = 'm') => {
    const { body, replaced } = toResponsesBody(input([message], { model }));
    return { items: body.input as object[], replaced };
  };
  const sentCall = { type: 'function_call', call_id: 'call_1', name: 'clock', arguments: '{"zone":"UTC"}' };

  test('goes back in its order with its ids, its phase and what is encrypted', () => {
    const { items, replaced } = send(JSON.parse(JSON.stringify(assistant)) as Message);
    expect(items).toEqual([REASONING, COMMENT, { ...sentCall, id: 'fc_1' }]);
    expect(replaced).toEqual([]);
  });

  test('of a reply without calls goes back too', () => {
    const answer = read({ ...REPLY, output: [REASONING, { ...COMMENT, phase: 'final_answer' }] });
    expect(send(answer).items).toEqual([REASONING, { ...COMMENT, phase: 'final_answer' }]);
  });

  test.each<[string, Message, string]>([
    ['for another model', assistant, 'other'],
    ['of another kind of provider', { ...assistant, replay: { provider: 'messages', data: {} } }, 'm'],
    [
      'that was withheld',
      { ...assistant, replay: { provider: 'responses', data: {}, isWithheld: true } },
      'm',
    ],
    ['of a text that was changed', { ...assistant, content: 'I look twice.' }, 'm'],
    ['of calls that were changed', { ...assistant, toolCalls: [] }, 'm'],
  ])('%s is left out and named, with all ids that would miss it', (_, message, model) => {
    const { items, replaced } = send(message, model);
    const { content, toolCalls = [] } = message;
    expect(items).toEqual([said(content), ...(toolCalls.length > 0 ? [sentCall] : [])]);
    expect(replaced).toEqual(['messages[0].replay']);
  });

  test('that only the store of the service can read is left out, the ids of its followers with it', () => {
    const stored = read({ ...REPLY, output: [{ ...REASONING, encrypted_content: null }, COMMENT, CALL] });
    const { id, ...comment } = COMMENT;
    expect(id).toBe('msg_1');
    expect(send(stored)).toEqual({ items: [comment, sentCall], replaced: ['messages[0].replay'] });
  });

  test.each<[string, object[], object[]]>([
    ['alone', [REASONING], []],
    ['after a text', [REASONING, COMMENT, { ...REASONING, id: 'rs_2' }], [REASONING, COMMENT]],
    ['twice', [REASONING, { ...REASONING, id: 'rs_2' }], []],
  ])('of reasoning that nothing followed, %s, is left out and named', (_, output, sent) => {
    const cut = read({ ...REPLY, status: 'incomplete', output });
    const { body, replaced } = toResponsesBody(input([user('Hi'), cut, user('Well?')]));
    expect(body.input.slice(1, -1)).toEqual(sent);
    expect(replaced).toEqual(['messages[1].replay']);
  });

  test('of two thoughts before one text goes back whole', () => {
    const output = [REASONING, { ...REASONING, id: 'rs_2' }, COMMENT];
    expect(send(read({ ...REPLY, output }))).toEqual({ items: output, replaced: [] });
  });

  test('has the further members of a call', () => {
    const caller = { type: 'program', caller_id: 'prog_1' };
    const more = { namespace: 'crm', caller };
    const made = read({ ...REPLY, output: [{ ...CALL, ...more }] });
    expect(send(made).items).toEqual([{ ...sentCall, id: 'fc_1', ...more }]);
    const usual = { ...CALL, namespace: null, caller: { type: 'direct' } };
    expect(read({ ...REPLY, output: [usual] }).replay).toBeUndefined();
  });

  test('of a plain reply of another protocol or server is left out and named', () => {
    for (const replay of [
      { provider: 'messages', data: { content: [] } },
      { provider: 'responses', origin: 'https://a.example', data: { output: [REASONING, said('Hi')] } },
    ]) {
      const messages: Message[] = [{ role: 'assistant', content: 'Hi', replay }];
      const { body, replaced } = toResponsesBody(input(messages, { origin: 'https://b.example' }));
      expect(body.input).toEqual([said('Hi')]);
      expect(replaced).toEqual(['messages[0].replay']);
    }
  });

  test('of an open model is its text', () => {
    const open = {
      ...REASONING,
      encrypted_content: undefined,
      content: [{ type: 'reasoning_text', text: 'Hm.' }],
    };
    const { items } = send(read({ ...REPLY, output: [open, COMMENT, CALL] }));
    expect(items[0]).toEqual(open);
  });

  test('is not made of a reply that has only texts and calls', () => {
    expect(read({ ...REPLY, output: [{ ...COMMENT, phase: undefined }, CALL] }).replay).toBeUndefined();
  });

  test('is not needed to read a request in which a call has no result', () => {
    const sent = [sentCall, { type: 'message', role: 'user', content: 'Stop.' }];
    const { messages, raw } = readResponsesBody({ body: { model: 'm', input: sent } });
    expect(raw).not.toHaveProperty('input');
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user']);
  });

  test('of a recorded request is read again', () => {
    const result: Message = { role: 'tool', content: 'no', toolCallId: 'call_1', isError: true };
    const asked = input([user('Hi'), assistant, result], { tools: [CLOCK], toolChoice: 'required' });
    const body = JSON.parse(toResponsesRequest(asked, { reasoning: { effort: 'low' } }).json) as Record<
      string,
      unknown
    >;
    const { messages, tools, raw, toolChoice } = readResponsesBody({ body, sent: {} });
    expect(toolChoice).toBe('required');
    const again = toResponsesRequest(input(messages, { tools, toolChoice }), raw);
    expect(JSON.parse(again.json)).toEqual(body);
  });
});
