// The stream readers with recordings of real servers, and with known forms of other servers.
import { describe, expect, test } from 'vitest';
import type { ChatDelta } from '../../../../src/library';
import { HostedApiStream } from '../../../../src/library/wire/hosted-api/hosted-api-stream';
import { LocalHostStream } from '../../../../src/library/wire/local-host/local-host-stream';
import { fromLocalHostReply } from '../../../../src/library/wire/local-host/local-host-wire';
import { toRecord } from '../../../../src/library/util/json';
import { readRecorded } from '../../../support/messages/recorded';
import { bytesOf, readStream as read, RECORDED_STREAMS as RECORDED } from './read-stream';

const joined = (deltas: readonly ChatDelta[], key: 'content' | 'reasoning'): string =>
  deltas.map((delta) => delta[key] ?? '').join('');

describe('a recorded stream', () => {
  test.each(RECORDED)('%s %s results in the same reply with CRLF and comments', (side, name) => {
    const body = readRecorded(name).response.body;
    const whole = read(side, [bytesOf(body)]);
    expect(read(side, [bytesOf(body.replaceAll('\n', '\r\n'))])).toEqual(whole);
    if (side === 'hosted') expect(read(side, [bytesOf(`: keep-alive\n\n${body}`)])).toEqual(whole);
  });

  test('of Ollama may have a call in its last object', () => {
    expect(read('local', [bytesOf(readRecorded('ollama-chat-tools-stream').response.body)])).toMatchObject({
      reply: {
        toolCalls: [
          { id: 'Q5sKhOlQ5YEeBYLp2nAEnqb5RwI0gXum', name: 'get_weather', arguments: { city: 'Paris' } },
        ],
        usage: { promptTokens: 386, completionTokens: 9 },
      },
    });
  });

  test('of llama-server emits a call piece by piece, which together are its arguments', () => {
    const { deltas, reply } = read('hosted', [
      bytesOf(readRecorded('llamacpp-chat-tools-stream').response.body),
    ]);
    const pieces = deltas.flatMap(({ toolCall }) => (toolCall ? [toolCall] : []));
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces[0]).toMatchObject({ index: 0, name: 'get_weather' });
    expect(pieces.map((piece) => piece.arguments ?? '').join('')).toBe('{"city": "Paris"}');
    expect(reply).toMatchObject({ toolCalls: [{ arguments: { city: 'Paris' } }] });
  });

  test.each(RECORDED)('%s %s emits exactly the text and the reasoning of the reply', (side, name) => {
    const { deltas, reply } = read(side, [bytesOf(readRecorded(name).response.body)]);
    if (!reply || typeof reply === 'string') return;
    expect(joined(deltas, 'content')).toBe(reply.content);
    expect(joined(deltas, 'reasoning')).toBe(reply.reasoning ?? '');
  });

  test.each([
    ['local', 'ollama-midstream-error', 'document', 'Unexpected empty grammar stack'],
    ['hosted', 'llamacpp-midstream-error', 'document', 'Unexpected empty grammar stack'],
    ['hosted', 'ollama-v1-midstream-error', 'truncated', 'no finish reason'],
  ] as const)('%s %s is a failure', (side, name, failure, words) => {
    const result = read(side, [bytesOf(readRecorded(name).response.body)]);
    expect(result).toMatchObject({ failure, message: expect.stringContaining(words) });
  });
});

describe('a tool call that the server could not parse and quotes in an error of its stream', () => {
  const failed = 'Let me see. <function=f>{"a":</function>';
  const groq = { error: { message: 'Failed', code: 'tool_use_failed', failed_generation: failed } };
  const ollama = { error: `error parsing tool call: raw='${failed}', err=unexpected end` };
  const events = (...chunks: unknown[]): string =>
    chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  const lines = (...chunks: unknown[]): string =>
    chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('');
  const hosted = (delta: object): object => ({ choices: [{ index: 0, delta }] });
  const local = (message: object): object => ({ message, done: false });
  const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };

  test.each([
    ['hosted', 'alone', failed, events(groq)],
    ['hosted', 'after its beginning', failed, events(hosted({ content: 'Let me see. ' }), groq)],
    ['hosted', 'after other text', `Well. ${failed}`, events(hosted({ content: 'Well. ' }), groq)],
    ['hosted', 'instead of a stream', failed, JSON.stringify(groq)],
    ['hosted', 'in an event of its own', failed, `event: error\n${events(groq)}`],
    ['local', 'alone', failed, lines(ollama)],
    ['local', 'after its beginning', failed, lines(local({ content: 'Let me see. ' }), ollama)],
    ['local', 'instead of a stream', failed, JSON.stringify(ollama, null, 2)],
  ] as const)('%s, %s: becomes the content and ends the reply', (side, _where, content, body) => {
    const { reply, deltas } = read(side, [bytesOf(body)]);
    expect(reply).toMatchObject({ content, finishReason: 'tool_call_parse_error', toolCalls: [] });
    expect(joined(deltas, 'content')).toBe(content);
  });

  test.each([
    ['hosted', events(hosted(call), groq)],
    ['local', lines(local(call), ollama)],
  ] as const)('%s, after a native call: is a failure whose partial reply contains the text', (side, body) => {
    expect(read(side, [bytesOf(body)])).toMatchObject({
      failure: 'document',
      partial: { content: failed, toolCalls: [{ name: 'f', arguments: '{}' }] },
    });
  });
});

/** Not recorded: known forms of other servers. */
describe('a hosted stream', () => {
  const events = (...chunks: unknown[]): Uint8Array =>
    bytesOf(
      chunks
        .map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`)
        .join(''),
    );
  const delta = (fields: object, finish: string | null = null): object => ({
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  });
  const piece = (fields: object): object => delta({ tool_calls: [fields] });
  const END = delta({}, 'tool_calls');
  const callsOf = (...chunks: unknown[]) => {
    const { reply } = read('hosted', [events(...chunks, END)]);
    if (!reply || typeof reply === 'string') throw new Error('no reply');
    return reply.toolCalls.map(({ id, name, arguments: args }) => [id, name, args]);
  };

  const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } };

  test.each<[string, unknown[]]>([
    ['a finish reason', [delta({ content: 'Hi' }, 'stop')]],
    ['[DONE]', [delta({ content: 'Hi' }), '[DONE]']],
    ['[DONE] and finish reasons that are empty', [delta({ content: 'Hi' }, ''), '[DONE]']],
    ['its final usage', [delta({ content: 'Hi' }), USAGE]],
  ])('is complete after %s', (_, chunks) => {
    expect(read('hosted', [events(...chunks)]).reply).toMatchObject({ content: 'Hi' });
  });

  test.each<[string, unknown[]]>([
    ['neither [DONE] nor a finish reason nor its final usage', [delta({ content: 'Hi' })]],
    ['a usage in the middle', [USAGE, delta({ content: 'Hi' })]],
    [
      '[DONE] after an error of the provider behind it',
      [
        delta({ content: 'Hi' }),
        { choices: [{ delta: {}, finish_reason: null, native_finish_reason: 'network_error' }] },
        '[DONE]',
      ],
    ],
  ])('is broken off with %s', (_, chunks) => {
    expect(read('hosted', [events(...chunks)])).toMatchObject({
      failure: 'truncated',
      partial: { content: 'Hi' },
    });
  });

  test('is no reply without a choice', () => {
    expect(read('hosted', [events(USAGE, '[DONE]')])).toMatchObject({ failure: 'truncated' });
  });

  test('is complete after [DONE] or after the usage that follows its last choice, but not after a finish reason', () => {
    const stream = new HostedApiStream(() => undefined);
    const isCompleteAfter = (chunk: unknown): boolean => {
      stream.push(events(chunk));
      return stream.isComplete();
    };
    const usage = { prompt_tokens: 3 };
    expect(isCompleteAfter({ choices: [], usage })).toBe(false); // vLLM can be asked to send it with every chunk
    expect(isCompleteAfter(delta({ content: 'Hel' }, 'stop'))).toBe(false);
    expect(isCompleteAfter({ ...delta({ content: 'lo' }), usage })).toBe(false);
    expect(isCompleteAfter({ choices: [] })).toBe(false);
    expect(isCompleteAfter({ choices: [], usage })).toBe(true);
    stream.end();
    expect(stream.partial()).toEqual({ content: 'Hello' });
  });

  test('ignores an id and a name that are null or empty in later pieces (SGLang, DashScope)', () => {
    const first = { index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } };
    expect(
      callsOf(
        piece(first),
        piece({ index: 0, id: null, function: { name: null, arguments: ':1' } }),
        piece({ index: 0, id: '', function: { name: '', arguments: '}' } }),
      ),
    ).toEqual([['a', 'f', { x: 1 }]]);
  });

  test.each(['', ' ', 'null', ' null '])('takes %j as the arguments of a call without any', (args) => {
    expect(callsOf(piece({ index: 0, id: 'a', function: { name: 'f', arguments: args } }))).toEqual([
      ['a', 'f', {}],
    ]);
  });

  test('keeps the first id when it changes (Poolside)', () => {
    expect(
      callsOf(
        piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }),
        piece({ index: 0, id: 'b', function: { arguments: '}' } }),
      ),
    ).toEqual([['a', 'f', {}]]);
  });

  test('separates calls that all have index 0 or no index (Gemini relays)', () => {
    const one = { id: 'a', function: { name: 'f', arguments: '{"n":1}' } };
    const two = { id: 'b', function: { name: 'g', arguments: '{"n":2}' } };
    const expected = [
      ['a', 'f', { n: 1 }],
      ['b', 'g', { n: 2 }],
    ];
    expect(callsOf(piece({ index: 0, ...one }), piece({ index: 0, ...two }))).toEqual(expected);
    expect(callsOf(piece(one), piece(two))).toEqual(expected);
  });

  test.each(['', '\n', ' \n\n'])('reads two objects joined under one index as two calls: %j', (between) => {
    const text = `{"n":"}{"}${between}{"n":2}${between}`;
    expect(callsOf(piece({ index: 0, id: 'a', function: { name: 'f', arguments: text } }))).toEqual([
      ['a', 'f', { n: '}{' }],
      ['made', 'f', { n: 2 }],
    ]);
  });

  test('may have its error in a field of that name (older llama-server)', () => {
    const error = '{"code":500,"message":"the context is full","type":"server_error"}';
    const begun = Buffer.from(events(delta({ content: 'Hi' }))).toString();
    expect(read('hosted', [bytesOf(`${begun}error: ${error}\n\n`)])).toMatchObject({
      failure: 'document',
      message: 'the context is full',
      partial: { content: 'Hi' },
    });
  });

  test('may have null as the index of its choices', () => {
    const choice = { index: null, delta: { content: 'Hi' }, finish_reason: 'stop' };
    expect(read('hosted', [events({ choices: [choice] })]).reply).toMatchObject({ content: 'Hi' });
  });

  test('may have its call under the former name, which is read as in an unstreamed reply', () => {
    const former = { name: 'f', arguments: '{"n":1}' };
    expect(
      callsOf(
        delta({ content: null, tool_calls: [], function_call: { name: 'f', arguments: '' } }),
        delta({ function_call: { arguments: '{"n"' } }),
        delta({ function_call: { arguments: ':1}' } }),
      ),
    ).toEqual([['made', 'f', { n: 1 }]]);
    const message = { content: null, tool_calls: [], function_call: former };
    expect(read('hosted', [bytesOf(JSON.stringify({ choices: [{ message }] }))]).reply).toMatchObject({
      toolCalls: [{ name: 'f', arguments: { n: 1 } }],
    });
  });

  test('is read even if a server answers in one piece', () => {
    const document = { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] };
    expect(read('hosted', [bytesOf(`\n\n${JSON.stringify(document, null, 2)}\n`)]).reply).toMatchObject({
      content: 'Hello',
    });
    expect(read('hosted', [bytesOf('<html>Login</html>')]).failure).toBe('format');
    expect(read('hosted', [bytesOf('{"error":"busy"}')])).toMatchObject({
      failure: 'document',
      message: 'busy',
    });
  });

  test('skips chunks without choices, and uses the usage of the last one', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: null };
    const { reply, deltas } = read('hosted', [
      events(
        { choices: [], prompt_filter_results: [] },
        delta({ content: 'x' }, 'stop'),
        { choices: [], usage },
        '[DONE]',
      ),
    ]);
    expect(reply).toMatchObject({ usage: { promptTokens: 3, completionTokens: 1 } });
    expect(deltas.at(-1)).toEqual({ usage: { promptTokens: 3, completionTokens: 1 } });
  });
});

describe('a local stream', () => {
  test('is read even if a server answers in one piece over several lines', () => {
    const document = { message: { content: 'Hello' }, done: true, done_reason: 'stop', eval_count: 2 };
    const text = `\n${JSON.stringify(document, null, 2)}\n`;
    for (const pieces of [[text], text.split(/(?=.)/)]) {
      const { reply, deltas } = read('local', pieces.map(bytesOf));
      expect(reply).toMatchObject({ content: 'Hello', finishReason: 'stop', usage: { completionTokens: 2 } });
      expect(deltas).toEqual([{ content: 'Hello' }, { usage: { completionTokens: 2 } }]);
    }
    expect(read('local', [bytesOf(JSON.stringify({ error: 'busy' }, null, 2))])).toMatchObject({
      failure: 'document',
      message: 'busy',
    });
    expect(read('local', [bytesOf(text.slice(0, -4))]).failure).toBe('truncated');
    expect(read('local', [bytesOf('{\n"message"\n}\n')]).failure).toBe('format');
  });

  test('may have its content in parts, which are read as in an unstreamed reply', () => {
    const content = [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Hel' }, 'lo'];
    const document = { message: { content }, done: true };
    const expected = { content: 'Hello', reasoning: 'hm' };
    expect(fromLocalHostReply(document)).toMatchObject(expected);
    const { reply, deltas } = read('local', [bytesOf(JSON.stringify(document))]);
    expect(reply).toMatchObject(expected);
    expect([joined(deltas, 'content'), joined(deltas, 'reasoning')]).toEqual(['Hello', 'hm']);
  });

  test('returns separate arguments for each call, also from objects that differ only in their text', () => {
    const object = (content: string): string => {
      const call = { function: { name: 'f', arguments: { list: [1] } } };
      return `${JSON.stringify({ message: { content, tool_calls: [call] }, done: false })}\n`;
    };
    const stream = new LocalHostStream(() => undefined);
    stream.push(bytesOf(['a', 'b', 'c', 'd'].map(object).join('')));
    stream.push(bytesOf('{"message":{"content":""},"done":true}\n'));
    const reply = fromLocalHostReply(stream.document());
    if (typeof reply === 'string') throw new Error(reply);
    expect(reply.content).toBe('abcd');
    const lists = reply.toolCalls.map(({ arguments: args }) => toRecord(args)['list']);
    expect(lists).toEqual([[1], [1], [1], [1]]);
    expect(new Set(lists).size).toBe(4);
  });
});
