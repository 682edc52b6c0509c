// Replies as servers and relays really send them: what failed or is paused, repeated events, fields of their own, numbers that
// JSON cannot hold. Nothing is lost, and what is not certain stays byte for byte.
import { describe, expect, it } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import { readChat } from '../../../../src/recording/read-chat';
import { openRepair } from '../../../../src/recording/repair/open-repair';

type Path = '/chat/completions' | '/responses' | '/messages' | '/api/chat';

const PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string' }, id: { type: 'integer' } },
};
const TOOL = { name: 'get_weather', parameters: PARAMETERS };
const OFFERED = [{ type: 'function', ...TOOL, function: TOOL }];
const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const DAMAGED = "{'city': 'Oslo'}";
const REPAIRED = '{"city":"Oslo"}';

function repair(path: Path, body: string, { size = 1_000_000, type = 'text/event-stream' } = {}): string {
  const protocol = PROVIDER_CATALOG.find(({ chatPath }) => chatPath === path);
  const chat = readChat(JSON.stringify({ messages: [], tools: OFFERED }));
  const opened =
    protocol && openRepair(protocol, chat, { status: 200, fields: { 'content-type': type } }).repair;
  if (!opened) throw new Error('there is no repair');
  const bytes = Buffer.from(body);
  const given: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) given.push(opened.push(bytes.subarray(at, at + size)));
  return Buffer.concat([...given, opened.end()]).toString();
}

const whole = (path: Path, document: object): unknown =>
  JSON.parse(repair(path, JSON.stringify(document), { type: 'application/json' }));

interface Typed {
  type: string;
  [key: string]: unknown;
}

/** The documents of a stream. */
const documentsIn = (body: string): Typed[] =>
  [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Typed);

const events = (documents: readonly Typed[]): string =>
  documents.map((document) => `event: ${document.type}\ndata: ${JSON.stringify(document)}\n\n`).join('');

/** Fragments of the stream in the order in which a program gets them. */
const orderOf = (body: string, ...fragments: string[]): string[] =>
  fragments
    .filter((fragment) => body.includes(fragment))
    .toSorted((one, other) => body.indexOf(one) - body.indexOf(other));

describe('chat completions', () => {
  const chunk = (delta: object, finish: string | null = null, more: object = {}, ofChoice = {}): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish, ...ofChoice }], ...more })}\n\n`;
  const called = (args: string, more: object = {}, index = 0): string =>
    chunk({ tool_calls: [{ index, ...more, function: { name: 'get_weather', arguments: args } }] });
  const DONE = 'data: [DONE]\n\n';

  it.each([
    ['an error', 'data: {"error":{"message":"It broke."}}\n\n'],
    ['an error in a field of its own', 'error: {"message":"It broke."}\n\n'],
    ['an event of an error', 'event: error\ndata: {"message":"It broke."}\n\n'],
    ['a text in parts', chunk({ content: [{ type: 'text', text: 'It broke.' }] })],
  ])('give a text that was held back before %s', (_, next) => {
    for (const size of [1, 1_000_000]) {
      const given = repair('/chat/completions', chunk({ content: 'Well. <tool_call>{"na' }) + next, { size });
      const order = ['Well. ', '<tool_call>{\\"na', 'It broke.'];
      expect(orderOf(given, ...order)).toEqual(order);
    }
  });

  it.each(['error', 'content_filter', 'insufficient_system_resource'])(
    'have no calls to run when they end with %s',
    (reason) => {
      const body = chunk({ content: CALL }) + chunk({}, reason) + DONE;
      expect(repair('/chat/completions', body)).toBe(body);
      const choice = { index: 0, message: { content: CALL }, finish_reason: reason };
      expect(whole('/chat/completions', { choices: [choice] })).toEqual({ choices: [choice] });
      const native = called(DAMAGED) + chunk({}, reason) + DONE;
      expect(repair('/chat/completions', native)).toBe(native);
    },
  );

  it.each([
    ['an integer of 20 digits', '{"id": 12345678901234567890}'],
    ['a number without an end', '{"id": 1e400}'],
  ])('keep a call as text whose arguments could not be written exactly: %s', (_, args) => {
    const text = CALL.replace('{"city": "Oslo"}', args);
    const body = chunk({ content: `${text}${CALL}` }) + chunk({}, 'stop') + DONE;
    const given = documentsIn(repair('/chat/completions', body)).map(({ choices }) => choices);
    expect(given).toMatchObject([
      [{ delta: { content: text } }],
      [{ delta: { tool_calls: [{ function: { arguments: REPAIRED } }] } }],
      [{ finish_reason: 'tool_calls' }],
    ]);
  });

  it('keep other calls and the fields of a call whose arguments are repaired', () => {
    const extra = { id: 'call_a', extra_content: { google: { thought_signature: 's' } } };
    const other = called('{"id":12345678901234567890}', { id: 'call_b' }, 1);
    const body = called(DAMAGED, extra) + other + chunk({ content: 'So.' }) + chunk({}, 'tool_calls') + DONE;
    const given = repair('/chat/completions', body);
    expect(given).toBe(body.replace(JSON.stringify(DAMAGED), JSON.stringify(REPAIRED)));
    const call = { ...extra, type: 'function', function: { name: 'get_weather', arguments: DAMAGED } };
    const choice = (args: string): object => ({
      index: 0,
      message: { content: null, tool_calls: [{ ...call, function: { ...call.function, arguments: args } }] },
      finish_reason: 'tool_calls',
    });
    expect(whole('/chat/completions', { choices: [choice(DAMAGED)] })).toEqual({
      choices: [choice(REPAIRED)],
    });
  });

  it('say once what was sampled', () => {
    const text = `A <b> ${CALL}`;
    const sampled = (token: string): object => ({ logprobs: { content: [{ token }] } });
    const body = Array.from(text, (piece) => chunk({ content: piece }, null, {}, sampled(piece))).join('');
    const given = documentsIn(repair('/chat/completions', body + chunk({}, 'stop') + DONE));
    const tokens = given.flatMap(({ choices }) =>
      (choices as { logprobs?: { content: { token: string }[] } }[]).flatMap(
        ({ logprobs }) => logprobs?.content.map(({ token }) => token) ?? [],
      ),
    );
    expect(tokens.join('')).toBe(text);
  });

  it('keep thinking that comes in parts', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
    const content = (text: string): object[] => [thinking, { type: 'text', text }];
    const reply = (message: object, finish: string): object => ({
      choices: [{ index: 0, message, finish_reason: finish }],
    });
    const given = whole('/chat/completions', reply({ content: content(`Well. ${CALL}`) }, 'stop'));
    expect(given).toMatchObject(reply({ content: content('Well.') }, 'tool_calls'));
    const refused = reply({ content: null, refusal: CALL }, 'stop');
    expect(whole('/chat/completions', refused)).toEqual(refused);
  });

  it('may be nested too deep to be written again', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const body = `data: {"choices":[{"index":0,"delta":{"content":"A <tool","x":${deep}}}]}\n\n${DONE}`;
    expect(repair('/chat/completions', body)).toBe(body);
    const document = `{"choices":[{"index":0,"message":{"content":${JSON.stringify(CALL)},"x":${deep}}}]}`;
    expect(repair('/chat/completions', document, { type: 'application/json' })).toBe(document);
  });

  it('are repaired with a byte order mark, blank events and lines that end in CR alone', () => {
    const body = `\uFEFF${chunk({ content: CALL })}data:\n\n: comment\nid: 7\n\n${chunk({}, 'stop')}${DONE}`;
    for (const text of [body, body.replaceAll('\n', '\r')])
      for (const size of [1, 1_000_000])
        expect(repair('/chat/completions', text, { size })).toContain('"finish_reason":"tool_calls"');
  });

  it('are not held back when a stream comes as JSON, or white space before a document', () => {
    const protocol = PROVIDER_CATALOG.find(({ chatPath }) => chatPath === '/chat/completions');
    const chat = readChat(JSON.stringify({ messages: [], tools: OFFERED }));
    const fields = { 'content-type': 'application/json' };
    for (const text of [chunk({ content: 'Well.' }), '\n  \n']) {
      const opened = protocol && openRepair(protocol, chat, { status: 200, fields }).repair;
      expect(opened?.push(Buffer.from(text)).toString()).toBe(text);
    }
  });
});

describe('Messages', () => {
  const message = { id: 'm', type: 'message', role: 'assistant', content: [], stop_reason: null };
  const start = { type: 'message_start', message };
  const text = (value: string, index = 0): Typed[] => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: value } },
    { type: 'content_block_stop', index },
  ];
  const call = (args: string, index = 0, name = 'get_weather'): Typed[] => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `t${index}`, name, input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: args } },
    { type: 'content_block_stop', index },
  ];
  const end = (reason: string | null): Typed => ({ type: 'message_delta', delta: { stop_reason: reason } });
  const stop = { type: 'message_stop' };

  it.each(['pause_turn', 'refusal', 'compaction'])('have no calls to run when they end with %s', (reason) => {
    const given = documentsIn(repair('/messages', events([start, ...text(CALL), end(reason), stop])));
    expect(given.filter(({ type }) => type !== 'ping')).toEqual(
      [start, ...text(CALL), end(reason), stop].filter(({ type }) => type !== 'ping'),
    );
    const document = { ...message, content: [{ type: 'text', text: CALL }], stop_reason: reason };
    expect(whole('/messages', document)).toEqual(document);
  });

  it('leave out a text that was nothing but calls, as a service refuses an empty one', () => {
    const given = documentsIn(repair('/messages', events([start, ...text(CALL), end('end_turn'), stop])));
    expect(given).toMatchObject([
      start,
      { type: 'ping' },
      { index: 0, content_block: { type: 'tool_use', name: 'get_weather', input: {} } },
      { index: 0, delta: { partial_json: REPAIRED } },
      { type: 'content_block_stop', index: 0 },
      end('tool_use'),
      stop,
    ]);
  });

  it('end in calls by the delta that has the reason', () => {
    const body = events([start, ...text(`Well. ${CALL}`), end(null), end('end_turn'), stop]);
    expect(
      documentsIn(repair('/messages', body)).flatMap(({ delta, type }) =>
        type === 'message_delta' ? [delta] : [],
      ),
    ).toEqual([{ stop_reason: null }, { stop_reason: 'tool_use' }]);
  });

  it.each([
    ['after a text', [...text('Well.'), ...call(DAMAGED, 1)]],
    ['before a text', [...call(DAMAGED), ...text('So.', 1)]],
    ['whose start is repeated', [...call(DAMAGED).slice(0, 1), ...call(DAMAGED)]],
    ['whose block has no end', call(DAMAGED).slice(0, -1)],
    ['beside another', [...call('{"id":12345678901234567890}'), ...call(DAMAGED, 1)]],
  ])('keep the place of a call with damaged arguments: %s', (_, documents) => {
    const body = events([start, ...documents, end('tool_use'), stop]);
    // A ping keeps the connection open while a call is held back, so it does not keep its place.
    const withoutPings = (of: string): string => of.replaceAll(events([{ type: 'ping' }]), '');
    const given = withoutPings(repair('/messages', body));
    expect(given).toBe(withoutPings(body.replace(JSON.stringify(DAMAGED), JSON.stringify(REPAIRED))));
    expect(given).not.toBe(withoutPings(body));
  });

  it('keep a content that is no list', () => {
    const document = { ...message, content: CALL, stop_reason: 'end_turn' };
    expect(whole('/messages', document)).toEqual(document);
  });
});

describe('Responses', () => {
  const part = (text: string): object => ({ type: 'output_text', text, annotations: [] });
  const item = (text: string): object => ({
    type: 'message',
    id: 'm',
    role: 'assistant',
    content: [part(text)],
  });
  const reply = (status: string, output: object[], more: object = {}): object => ({
    id: 'r',
    object: 'response',
    status,
    output,
    ...more,
  });
  const text = (value: string, output_index = 0): Typed[] => {
    const place = { output_index, item_id: 'm', content_index: 0 };
    return [
      { type: 'response.output_item.added', output_index, item: { ...item(''), content: [] } },
      { type: 'response.content_part.added', ...place, part: part('') },
      { type: 'response.output_text.delta', ...place, delta: value, logprobs: [], obfuscation: 'x' },
      { type: 'response.output_text.done', ...place, text: value },
      { type: 'response.content_part.done', ...place, part: part(value) },
      { type: 'response.output_item.done', output_index, item: item(value) },
    ];
  };
  const called = (args: string, at: number): object => ({
    type: 'function_call',
    id: `fc_${at}`,
    call_id: `call_${at}`,
    name: 'get_weather',
    arguments: args,
  });
  const call = (args: string, at: number): Typed[] => {
    const place = { output_index: at, item_id: `fc_${at}` };
    return [
      { type: 'response.output_item.added', output_index: at, item: called('', at) },
      { type: 'response.function_call_arguments.delta', ...place, delta: args },
      { type: 'response.function_call_arguments.done', ...place, arguments: args },
      { type: 'response.output_item.done', output_index: at, item: called(args, at) },
    ];
  };

  it.each([
    ['failed', {}],
    ['cancelled', {}],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }],
    ['in_progress', {}],
  ])('have no calls to run when they are %s', (status, more) => {
    const response = reply(status, [item(CALL)], more);
    const body = events([...text(CALL), { type: `response.${status}`, response }]);
    const given = documentsIn(repair('/responses', body));
    expect(given.filter(({ delta }) => delta !== undefined)).toMatchObject([{ delta: CALL }]);
    expect(given.at(-1)).toMatchObject({ response });
    expect(whole('/responses', response)).toEqual(response);
  });

  it.each([
    ['after a text', [...text('Well.'), ...call(DAMAGED, 1)], [item('Well.'), called(DAMAGED, 1)]],
    ['before a text', [...call(DAMAGED, 0), ...text('So.', 1)], [called(DAMAGED, 0), item('So.')]],
    [
      'beside another',
      [...call('{"id":12345678901234567890}', 0), ...call(DAMAGED, 1)],
      [called('{"id":12345678901234567890}', 0), called(DAMAGED, 1)],
    ],
    [
      'without indexes',
      call(DAMAGED, 0).map((document) => ({ ...document, output_index: undefined })),
      [called(DAMAGED, 0)],
    ],
  ])('keep the place of a call with damaged arguments: %s', (_, documents, output) => {
    const numbered = [...documents, { type: 'response.completed', response: reply('completed', output) }];
    const body = events(numbered.map((document, at) => ({ ...document, sequence_number: at })));
    expect(repair('/responses', body)).toBe(
      body.replaceAll(JSON.stringify(DAMAGED), JSON.stringify(REPAIRED)),
    );
    expect(whole('/responses', reply('completed', output))).toEqual(
      JSON.parse(
        JSON.stringify(reply('completed', output)).replace(JSON.stringify(DAMAGED), JSON.stringify(REPAIRED)),
      ),
    );
  });

  it('say the same text in their pieces and at their end', () => {
    const value = `Well.\n\n${CALL}`;
    const body = events([
      ...text(value).flatMap((document) =>
        document.type === 'response.output_text.delta'
          ? Array.from(value, (delta) => ({ ...document, delta }))
          : [document],
      ),
      { type: 'response.completed', response: reply('completed', [item(value)]) },
    ]);
    const given = documentsIn(repair('/responses', body));
    const ofType = (type: string): Typed[] => given.filter((document) => document.type === type);
    const pieces = ofType('response.output_text.delta').map(({ delta }) => delta);
    expect(ofType('response.output_text.done')).toMatchObject([{ text: pieces.join('') }]);
    expect(ofType('response.completed')).toMatchObject([
      { response: { output: [{ content: [{ text: pieces.join('') }] }, { arguments: REPAIRED }] } },
    ]);
  });

  it('leave out a text that was nothing but calls', () => {
    const response = reply('completed', [item(CALL)]);
    const body = events([...text(CALL), { type: 'response.completed', response }]);
    const given = documentsIn(repair('/responses', body));
    expect(given).toHaveLength(5);
    expect(given[0]).toMatchObject({ output_index: 0, item: { type: 'function_call' } });
    expect(given[4]).toMatchObject({ response: { output: [{ type: 'function_call' }] } });
  });

  it('keep a refusal', () => {
    const refused = reply('completed', [{ ...item(''), content: [{ type: 'refusal', refusal: CALL }] }]);
    expect(whole('/responses', refused)).toEqual(refused);
  });
});

describe('Ollama', () => {
  const line = (message: object, more: object = {}): string =>
    `${JSON.stringify({ model: 'm', created_at: 't', message: { role: 'assistant', ...message }, done: false, ...more })}\n`;
  const type = 'application/x-ndjson';

  it('give a text that was held back before an error', () => {
    const body = `${line({ content: 'Well. <tool_call>{"na' })}{"error":"It broke."}\n`;
    const order = ['Well. ', '<tool_call>{\\"na', 'It broke.'];
    expect(orderOf(repair('/api/chat', body, { type }), ...order)).toEqual(order);
  });

  it('repair arguments that are a text, at their place', () => {
    const call = (args: unknown): string =>
      line({ content: 'So.', tool_calls: [{ id: 'a', function: { name: 'get_weather', arguments: args } }] });
    const end = line({ content: '' }, { done: true, done_reason: 'stop' });
    expect(repair('/api/chat', `\n${call(DAMAGED)}${end}`, { type })).toBe(
      `\n${call(JSON.parse(REPAIRED))}${end}`,
    );
  });
});
