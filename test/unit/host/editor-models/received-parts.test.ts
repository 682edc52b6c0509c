import { describe, expect, it } from 'vitest';
import { ReceivedParts } from '../../../../src/host/editor-models/received-parts';
import type { ChatDelta } from '../../../../src/types';
import {
  callPart,
  dataPart,
  textPart,
  thinkingPart,
} from '../../../support/editor-models/fake-editor-models';

function receive(parts: readonly unknown[]): { received: ReceivedParts; deltas: ChatDelta[] } {
  const deltas: ChatDelta[] = [];
  let now = 0;
  const received = new ReceivedParts(
    () => (now += 10),
    (delta) => void deltas.push(delta),
  );
  for (const part of parts) received.add(part);
  return { received, deltas };
}

describe('ReceivedParts', () => {
  it('keeps every part as a line, with the time at which it arrived', () => {
    const { received } = receive([
      textPart('Hé'),
      thinkingPart('hm'),
      callPart('1', 'now', { at: 1 }),
      dataPart('image/png', 'xx'),
      { odd: 1 },
      undefined,
    ]);
    const { body = '', arrivals = [], isComplete, status } = received.response ?? {};
    expect(
      body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { type: 'text', value: 'Hé' },
      { type: 'thinking', value: 'hm' },
      { type: 'call', callId: '1', name: 'now', input: { at: 1 } },
      { type: 'data', mimeType: 'image/png', bytes: 4 },
      { type: 'unknown', members: ['odd'] },
      { type: 'unknown', members: [] },
    ]);
    expect(arrivals.filter((_, index) => index % 2 === 1)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(arrivals.at(-2)).toBe(Buffer.byteLength(body));
    expect([isComplete, status]).toEqual([false, undefined]);
  });

  it('makes the reply of them, and passes each on at once', () => {
    const { received, deltas } = receive([
      textPart('a'),
      textPart('b'),
      thinkingPart('hm'),
      callPart('1', 'now', { at: 1 }),
    ]);
    expect(received.reply).toEqual({
      content: 'ab',
      reasoning: 'hm',
      toolCalls: [{ id: '1', name: 'now', arguments: { at: 1 }, source: 'native' }],
      usage: {},
    });
    expect(deltas).toEqual([
      { content: 'a' },
      { content: 'b' },
      { reasoning: 'hm' },
      { toolCall: { index: 0, id: '1', name: 'now', arguments: '{"at":1}' } },
    ]);
  });

  it.each<[string, unknown, object]>([
    [
      'all counts',
      {
        prompt_tokens: 9,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
      { promptTokens: 9, completionTokens: 4, cachedTokens: 2, reasoningTokens: 1 },
    ],
    ['one count', { prompt_tokens: 9 }, { promptTokens: 9 }],
    ['no numbers', { prompt_tokens: 'nine' }, {}],
    ['no object', 'usage', {}],
  ])('reads the usage part with %s, and estimates nothing', (_title, value, expected) => {
    expect(receive([dataPart('usage', value)]).received.reply.usage).toEqual(expected);
  });

  it('does not take data of other kinds for usage', () => {
    const { received } = receive([dataPart('application/json', { prompt_tokens: 9 })]);
    expect(received.reply.usage).toEqual({});
  });

  it('ends a reply that is too large', () => {
    const { received } = receive([]);
    const piece = textPart('x'.repeat(1024 * 1024));
    expect(() => {
      for (let count = 0; count < 5; count++) received.add(piece);
    }).toThrow('not read to its end');
  });

  it('has no response before the first part, and an empty one of a reply without parts', () => {
    const { received } = receive([]);
    expect(received.response).toBeUndefined();
    received.isComplete = true;
    expect(received.response).toMatchObject({ body: '', isComplete: true });
  });
});
