import { describe, expect, test } from 'vitest';
import { ToolCallDeltas } from '../../../../../src/library/wire/hosted-api/tool-call-deltas';

/** The calls made from the pieces, as `[id, name, arguments]`. */
function join(...pieces: object[]): unknown[] {
  const deltas = new ToolCallDeltas();
  for (const piece of pieces) deltas.add(piece);
  return (deltas.toolCalls() as { id?: string; function: { name: string; arguments: string } }[]).map(
    ({ id, function: { name, arguments: args } }) => [id, name, args],
  );
}

const piece = (place: { index?: number; id?: string }, name: string | undefined, args: string): object => ({
  ...place,
  function: { ...(name !== undefined && { name }), arguments: args },
});

describe('ToolCallDeltas', () => {
  test('joins pieces without an index by their id', () => {
    expect(
      join(
        piece({ id: 'a' }, 'f', '{"n"'),
        piece({ id: 'b' }, 'g', '{}'),
        piece({ id: 'a' }, undefined, ':1}'),
      ),
    ).toEqual([
      ['a', 'f', '{"n":1}'],
      ['b', 'g', '{}'],
    ]);
  });

  test('adds a piece without index and id to the last call', () => {
    expect(join(piece({ id: 'a' }, 'f', '{"n"'), piece({}, undefined, ':1}'))).toEqual([
      ['a', 'f', '{"n":1}'],
    ]);
  });

  test('joins id, name and arguments that come one by one without an index', () => {
    expect(
      join(
        { id: 'a' },
        piece({}, 'f', ''),
        piece({}, undefined, '{"n":1}'),
        { id: 'b' },
        piece({}, 'g', '{}'),
      ),
    ).toEqual([
      ['a', 'f', '{"n":1}'],
      ['b', 'g', '{}'],
    ]);
  });

  test('adds a piece without an index to a call that is not complete, even under another id', () => {
    expect(join(piece({ id: 'a' }, 'f', '{"n"'), piece({ id: 'x' }, undefined, ':1}'))).toEqual([
      ['a', 'f', '{"n":1}'],
    ]);
  });

  test('separates calls by their index, in any order of pieces', () => {
    expect(
      join(
        piece({ index: 1, id: 'b' }, 'g', '{'),
        piece({ index: 0, id: 'a' }, 'f', '{'),
        piece({ index: 1 }, undefined, '}'),
        piece({ index: 0 }, undefined, '}'),
      ),
    ).toEqual([
      ['b', 'g', '{}'],
      ['a', 'f', '{}'],
    ]);
  });

  test.each([
    ['its id and name', { index: 0, id: 'a' }],
    ['its name', { index: 0 }],
    ['its name under another id (Poolside)', { index: 0, id: 'b' }],
  ])('starts no call with a piece that only repeats %s after complete arguments', (_, place) => {
    expect(join(piece({ index: 0, id: 'a' }, 'f', '{"n":1}'), piece(place, 'f', ''))).toEqual([
      ['a', 'f', '{"n":1}'],
    ]);
  });

  test('starts a call with another name under the same index, even after a call without arguments (Gemini relays)', () => {
    expect(
      join(
        piece({ index: 0, id: 'a' }, 'now', ''),
        piece({ index: 0, id: 'b' }, 'today', ''),
        piece({ index: 0, id: 'c' }, 'today', '{"n":1}'),
      ),
    ).toEqual([
      ['a', 'now', ''],
      ['b', 'today', '{"n":1}'],
    ]);
  });

  test('starts a call with the same name and new arguments under the same index (Gemini relays)', () => {
    expect(
      join(piece({ index: 0, id: 'a' }, 'f', '{"n":1}'), piece({ index: 0, id: 'b' }, 'f', '{"n":2}')),
    ).toEqual([
      ['a', 'f', '{"n":1}'],
      ['b', 'f', '{"n":2}'],
    ]);
  });

  test('adds white space to its call, even with the name once more', () => {
    expect(join(piece({ index: 0, id: 'a' }, 'f', '{"n":1}'), piece({ index: 0 }, 'f', ' '))).toEqual([
      ['a', 'f', '{"n":1} '],
    ]);
  });

  test('takes linear time for calls, pieces of one call, and brackets in a text', () => {
    const many = new ToolCallDeltas();
    for (let index = 0; index < 100_000; index += 1) many.add(piece({ index, id: `c${index}` }, 'f', '{}'));
    expect(many.toolCalls()).toHaveLength(100_000);
    const one = new ToolCallDeltas();
    one.add(piece({ index: 0, id: 'a' }, 'f', '{"x":"'));
    for (let count = 0; count < 100_000; count += 1) one.add(piece({ index: 0 }, 'f', 'abc}'));
    expect(one.toolCalls()).toHaveLength(1);
    expect(join(piece({ index: 0, id: 'a' }, 'f', `{"x":"${'}{'.repeat(500_000)}`))).toHaveLength(1);
  });
});
