// Streams split at any position: recorded ones of real servers, and generated ones in every permitted form.
import { describe, expect, test } from 'vitest';
import type { ChatDelta } from '../../../../src/library';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { readRecorded } from '../../../support/messages/recorded';
import type { Side } from './read-stream';
import { bytesOf, readStream, RECORDED_STREAMS } from './read-stream';
import { fc } from '../../../support/arbitrary/properties';

/** Splits a stream at these positions. */
function* cut(bytes: Uint8Array, places: readonly number[]): Generator<Uint8Array> {
  let start = 0;
  for (const place of [...places.map((at) => at % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  )) {
    yield bytes.subarray(start, place);
    start = place;
  }
}
const places = fc.array(fc.nat(), { maxLength: 30 });

describe('a recorded stream', () => {
  test.each(RECORDED_STREAMS)('%s %s results in the same reply however it is split', (side, name) => {
    const bytes = bytesOf(readRecorded(name).response.body);
    const whole = readStream(side, [bytes]);
    expect(readStream(side, cut(bytes, [...bytes.keys()]))).toEqual(whole);
    fc.assert(
      fc.property(places, (at) => {
        expect(readStream(side, cut(bytes, at))).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  test.each(RECORDED_STREAMS)('%s %s truncated anywhere before its end mark is a failure', (side, name) => {
    const { body } = readRecorded(name).response;
    const end = Math.max(body.lastIndexOf('"done":true'), body.lastIndexOf('"finish_reason":"'), 10);
    fc.assert(
      fc.property(fc.nat(end - 1), (at) => {
        const { failure } = readStream(side, [bytesOf(body.slice(0, at))]);
        expect(['truncated', 'document']).toContain(failure);
      }),
      { numRuns: 30 },
    );
  });
});

/** A model's reply: pieces of text and reasoning, and calls whose arguments come in pieces. */
interface Said {
  pieces: { content?: string; reasoning?: string }[];
  calls: { id: string; name: string; arguments: unknown; cutAt: number }[];
}

const text = fc.oneof(fc.string({ maxLength: 8 }), anyText({ maxLength: 8 }), fc.constant('\r\n\n\r: data'));
const anySaid: fc.Arbitrary<Said> = fc.record({
  pieces: fc.array(fc.record({ content: text, reasoning: text }, { requiredKeys: [] }), { maxLength: 6 }),
  calls: fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 12 }),
      name: fc.string({ minLength: 1, maxLength: 12 }),
      arguments: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map(asJson),
      cutAt: fc.nat(20),
    }),
    { selector: ({ id }) => id, maxLength: 3 },
  ),
});
/** As after serialization: without -0 and other prototypes. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const FINISH = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const USAGE = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } };

function toHosted({ pieces, calls }: Said): object[] {
  const delta = (fields: object): object => ({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
  const call = (index: number, fields: object): object => delta({ tool_calls: [{ index, ...fields }] });
  return [
    ...pieces.map(({ content, reasoning }) => delta({ content, reasoning_content: reasoning })),
    ...calls.flatMap(({ id, name, arguments: args, cutAt }, index) => {
      const json = JSON.stringify(args);
      return [
        call(index, { id, type: 'function', function: { name, arguments: json.slice(0, cutAt) } }),
        call(index, { function: { arguments: json.slice(cutAt) } }),
      ];
    }),
    FINISH,
    USAGE,
  ];
}

function toLocal({ pieces, calls }: Said): object[] {
  const line = (message: object): object => ({ message: { role: 'assistant', ...message }, done: false });
  return [
    ...pieces.map(({ content = '', reasoning }) => line({ content, thinking: reasoning })),
    ...calls.map(({ id, name, arguments: args }) =>
      line({ content: '', tool_calls: [{ id, function: { name, arguments: args } }] }),
    ),
    { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 7, eval_count: 3 },
  ];
}

/** Variations that a format permits. */
interface Form {
  lineEnd: string;
  hasMark: boolean;
  hasComments: boolean;
  /** Whether one event has several `data` lines. */
  isSpread: boolean;
  hasBlank: boolean;
  hasDone: boolean;
}
const anyForm = (lineEnds: readonly string[]): fc.Arbitrary<Form> =>
  fc.record({
    lineEnd: fc.constantFrom(...lineEnds),
    hasMark: fc.boolean(),
    hasComments: fc.boolean(),
    isSpread: fc.boolean(),
    hasBlank: fc.boolean(),
    hasDone: fc.boolean(),
  });

function writeHosted(said: Said, form: Form): string {
  const { lineEnd, hasMark, hasComments, isSpread, hasBlank, hasDone } = form;
  const field = hasBlank ? 'data: ' : 'data:';
  const events = toHosted(said).map((event) =>
    (isSpread ? JSON.stringify(event, null, 1) : JSON.stringify(event))
      .split('\n')
      .map((line) => field + line)
      .join(lineEnd),
  );
  if (hasDone) events.push(`${field}[DONE]`);
  const lines = events.map((event) => (hasComments ? `: ping${lineEnd}id: 1${lineEnd}${event}` : event));
  return (hasMark ? '\ufeff' : '') + lines.map((event) => event + lineEnd + lineEnd).join('');
}

const writeLocal = (said: Said, { lineEnd, hasMark, hasComments }: Form): string =>
  (hasMark ? '\ufeff' : '') +
  toLocal(said)
    .map((line) => (hasComments ? lineEnd : '') + JSON.stringify(line) + lineEnd)
    .join('');

const WRITERS: Record<Side, { write: typeof writeHosted; form: fc.Arbitrary<Form> }> = {
  hosted: { write: writeHosted, form: anyForm(['\n', '\r\n', '\r']) },
  local: { write: writeLocal, form: anyForm(['\n', '\r\n']) },
};
const joined = (deltas: readonly ChatDelta[], key: 'content' | 'reasoning'): string =>
  deltas.map((delta) => delta[key] ?? '').join('');

describe.each(['local', 'hosted'] as const)(
  'a %s stream of any reply, in any form and split anywhere',
  (side) => {
    const { write, form } = WRITERS[side];

    test('results in that reply, and its deltas are the pieces in order', () => {
      fc.assert(
        fc.property(anySaid, form, places, (said, how, at) => {
          const { reply, deltas } = readStream(side, cut(bytesOf(write(said, how)), at));
          const content = said.pieces.map((piece) => piece.content ?? '').join('');
          const reasoning = said.pieces.map((piece) => piece.reasoning ?? '').join('');
          expect(reply).toMatchObject({
            content,
            toolCalls: said.calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
            usage: { promptTokens: 7, completionTokens: 3 },
            finishReason: 'stop',
            ...(reasoning !== '' && { reasoning }),
          });
          expect([joined(deltas, 'content'), joined(deltas, 'reasoning')]).toEqual([content, reasoning]);
          const pieces = deltas.flatMap(({ toolCall }) => (toolCall ? [toolCall] : []));
          for (const [index, call] of said.calls.entries()) {
            const json = pieces
              .map((piece) => (piece.index === index ? (piece.arguments ?? '') : ''))
              .join('');
            expect(JSON.parse(json)).toEqual(call.arguments);
          }
        }),
      );
    });

    test('results in the same reply as one piece', () => {
      fc.assert(
        fc.property(anySaid, form, places, (said, how, at) => {
          const bytes = bytesOf(write(said, how));
          expect(readStream(side, cut(bytes, at))).toEqual(readStream(side, [bytes]));
        }),
      );
    });

    test('of any bytes ends in a reply or a known failure, the same for every split', () => {
      const noise = fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 12 }),
          fc
            .constantFrom(
              'data:',
              'data: {}',
              '{',
              '}',
              '\n',
              '\r',
              '\r\n\r\n',
              ': x\n',
              '{"done":true}',
              'data: [DONE]\n\n',
            )
            .map(bytesOf),
        ),
      );
      fc.assert(
        fc.property(noise, places, (parts, at) => {
          const bytes = Buffer.concat(parts);
          const whole = readStream(side, [bytes]);
          expect(readStream(side, cut(bytes, at))).toEqual(whole);
          expect('reply' in whole || ['truncated', 'document', 'format'].includes(whole.failure)).toBe(true);
        }),
      );
    });
  },
);
