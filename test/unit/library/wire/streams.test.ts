// The stream readers on what real servers sent, cut at every place and at random ones.
import { describe, expect, test } from 'vitest';
import type { ChatDelta } from '../../../../src/library';
import { StreamFailure } from '../../../../src/library/transport/stream-reader';
import { HostedApiStream } from '../../../../src/library/wire/hosted-api-stream';
import { fromHostedApiReply } from '../../../../src/library/wire/hosted-api-wire';
import { LocalHostStream } from '../../../../src/library/wire/local-host-stream';
import { fromLocalHostReply } from '../../../../src/library/wire/local-host-wire';
import { createRandom } from '../../../support/random';
import { readRecorded } from '../../../support/recorded';

const SIDES = {
  local: {
    create: (emit: (delta: ChatDelta) => void) => new LocalHostStream(emit),
    fromReply: fromLocalHostReply,
  },
  hosted: {
    create: (emit: (delta: ChatDelta) => void) => new HostedApiStream(emit),
    fromReply: fromHostedApiReply,
  },
};
type Side = keyof typeof SIDES;

/** Reads pieces; ids that were made here differ each time and are left out. */
function read(side: Side, pieces: readonly Uint8Array[]) {
  const { create, fromReply } = SIDES[side];
  const deltas: ChatDelta[] = [];
  const stream = create((delta) => deltas.push(delta));
  try {
    for (const piece of pieces) stream.push(piece);
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { failure: error.kind, message: error.message, partial: stream.partial(), deltas };
  }
  const reply = fromReply(stream.document());
  return {
    reply: JSON.parse(JSON.stringify(reply).replaceAll(/"call_[0-9a-z]{24}"/g, '"made"')) as typeof reply,
    deltas,
  };
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const joined = (deltas: readonly ChatDelta[], key: 'content' | 'reasoning'): string =>
  deltas.map((delta) => delta[key] ?? '').join('');

const RECORDED: [Side, string][] = [
  ['local', 'ollama-chat-stream'],
  ['local', 'ollama-chat-tools-stream'],
  ['local', 'ollama-chat-tools-parallel-stream'],
  ['local', 'ollama-go-tools-stream'],
  ['local', 'ollama-chat-think-true-stream'],
  ['local', 'ollama-chat-emoji-stream'],
  ['local', 'ollama-midstream-error'],
  ['hosted', 'llamacpp-chat-stream'],
  ['hosted', 'llamacpp-chat-stream-usage'],
  ['hosted', 'llamacpp-chat-tools-stream'],
  ['hosted', 'llamacpp-chat-tools-parallel-stream'],
  ['hosted', 'llamacpp-chat-tools-truncated-stream'],
  ['hosted', 'llamacpp-chat-reasoning-stream'],
  ['hosted', 'llamacpp-chat-emoji-stream'],
  ['hosted', 'llamacpp-midstream-error'],
  ['hosted', 'ollama-v1-chat-tools-stream-usage'],
  ['hosted', 'ollama-v1-chat-think-stream'],
  ['hosted', 'ollama-v1-midstream-error'],
];

describe('a recorded stream', () => {
  test.each(RECORDED)('%s %s reads the same however it is cut', (side, name) => {
    const bytes = bytesOf(readRecorded(name).response.body);
    const whole = read(side, [bytes]);
    expect(
      read(
        side,
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole);
    const random = createRandom(7);
    for (let round = 0; round < 30; round++) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length;) {
        const size = 1 + random.below(200);
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(read(side, pieces)).toEqual(whole);
    }
  });

  test.each(RECORDED)('%s %s reads the same with CRLF and with comments', (side, name) => {
    const body = readRecorded(name).response.body;
    const whole = read(side, [bytesOf(body)]);
    expect(read(side, [bytesOf(body.replaceAll('\n', '\r\n'))])).toEqual(whole);
    if (side === 'hosted') expect(read(side, [bytesOf(`: keep-alive\n\n${body}`)])).toEqual(whole);
  });

  test('of Ollama with a call in its last object is that call', () => {
    expect(read('local', [bytesOf(readRecorded('ollama-chat-tools-stream').response.body)])).toMatchObject({
      reply: {
        raw: {
          toolCalls: [
            { id: 'Q5sKhOlQ5YEeBYLp2nAEnqb5RwI0gXum', name: 'get_weather', arguments: { city: 'Paris' } },
          ],
          usage: { promptTokens: 386, completionTokens: 9 },
        },
      },
    });
  });

  test('of llama-server hands on a call piece by piece, and the pieces make its arguments', () => {
    const { deltas, reply } = read('hosted', [
      bytesOf(readRecorded('llamacpp-chat-tools-stream').response.body),
    ]);
    const pieces = deltas.flatMap(({ toolCall }) => (toolCall ? [toolCall] : []));
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces[0]).toMatchObject({ index: 0, name: 'get_weather' });
    expect(pieces.map((piece) => piece.arguments ?? '').join('')).toBe('{"city": "Paris"}');
    expect(reply).toMatchObject({ raw: { toolCalls: [{ arguments: { city: 'Paris' } }] } });
  });

  test.each(RECORDED)('%s %s hands on exactly the text and the reasoning of the reply', (side, name) => {
    const { deltas, reply } = read(side, [bytesOf(readRecorded(name).response.body)]);
    if (!reply || typeof reply === 'string') return;
    expect(joined(deltas, 'content')).toBe(reply.raw.content);
    expect(joined(deltas, 'reasoning')).toBe(reply.raw.reasoning ?? '');
  });

  test.each([
    ['local', 'ollama-midstream-error', 'document', 'Unexpected empty grammar stack'],
    ['hosted', 'llamacpp-midstream-error', 'document', 'Unexpected empty grammar stack'],
    ['hosted', 'ollama-v1-midstream-error', 'truncated', 'no finish reason'],
  ] as const)('%s %s is a failure, never a normal end', (side, name, failure, words) => {
    const result = read(side, [bytesOf(readRecorded(name).response.body)]);
    expect(result).toMatchObject({ failure, message: expect.stringContaining(words) });
  });

  test.each(RECORDED)('%s %s that is cut off anywhere before its end mark is a failure', (side, name) => {
    const { body } = readRecorded(name).response;
    const end = Math.max(body.lastIndexOf('"done":true'), body.lastIndexOf('"finish_reason":"'), 10);
    const random = createRandom(11);
    for (let round = 0; round < 20; round++) {
      const result = read(side, [bytesOf(body.slice(0, random.below(end)))]);
      expect(['truncated', 'document', 'format']).toContain(result.failure);
    }
  });
});

/** Not recorded: the forms that other servers are known for. */
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
    return reply.raw.toolCalls.map(({ id, name, arguments: args }) => [id, name, args]);
  };

  test('without [DONE] after a finish reason is complete; with [DONE] and none it is not', () => {
    expect(read('hosted', [events(delta({ content: 'Hi' }, 'stop'))]).reply).toMatchObject({
      raw: { content: 'Hi' },
    });
    expect(read('hosted', [events(delta({ content: 'Hi' }), '[DONE]')])).toMatchObject({
      failure: 'truncated',
      partial: 'Hi',
    });
  });

  test('ignores id and name that are null or empty in later pieces (SGLang, DashScope)', () => {
    const first = { index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } };
    expect(
      callsOf(
        piece(first),
        piece({ index: 0, id: null, function: { name: null, arguments: ':1' } }),
        piece({ index: 0, id: '', function: { name: '', arguments: '}' } }),
      ),
    ).toEqual([['a', 'f', { x: 1 }]]);
  });

  test('keeps the first id when it changes (Poolside)', () => {
    expect(
      callsOf(
        piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }),
        piece({ index: 0, id: 'b', function: { arguments: '}' } }),
      ),
    ).toEqual([['a', 'f', {}]]);
  });

  test('tells calls apart that all have index 0, or none (Gemini relays)', () => {
    const one = { id: 'a', function: { name: 'f', arguments: '{"n":1}' } };
    const two = { id: 'b', function: { name: 'g', arguments: '{"n":2}' } };
    const expected = [
      ['a', 'f', { n: 1 }],
      ['b', 'g', { n: 2 }],
    ];
    expect(callsOf(piece({ index: 0, ...one }), piece({ index: 0, ...two }))).toEqual(expected);
    expect(callsOf(piece(one), piece(two))).toEqual(expected);
  });

  test('reads two objects that are glued under one index as two calls', () => {
    expect(
      callsOf(piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{"n":"}{"}{"n":2}' } })),
    ).toEqual([
      ['a', 'f', { n: '}{' }],
      ['made', 'f', { n: 2 }],
    ]);
  });

  test('is read when a server answers in one piece all the same', () => {
    const document = { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] };
    expect(read('hosted', [bytesOf(`\n\n${JSON.stringify(document, null, 2)}\n`)]).reply).toMatchObject({
      raw: { content: 'Hello' },
    });
    expect(read('hosted', [bytesOf('<html>Login</html>')]).failure).toBe('format');
    expect(read('hosted', [bytesOf('{"error":"busy"}')])).toMatchObject({
      failure: 'document',
      message: 'busy',
    });
  });

  test('skips chunks without choices, and takes the usage of the last one', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: null };
    const { reply, deltas } = read('hosted', [
      events(
        { choices: [], prompt_filter_results: [] },
        delta({ content: 'x' }, 'stop'),
        { choices: [], usage },
        '[DONE]',
      ),
    ]);
    expect(reply).toMatchObject({ raw: { usage: { promptTokens: 3, completionTokens: 1 } } });
    expect(deltas.at(-1)).toEqual({ usage: { promptTokens: 3, completionTokens: 1 } });
  });
});
