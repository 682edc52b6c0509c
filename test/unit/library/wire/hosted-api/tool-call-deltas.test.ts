import { describe, expect, test } from 'vitest';
import { ToolCallDeltas } from '../../../../../src/library/wire/hosted-api/tool-call-deltas';

const OFFERED = ['get_weather', 'get', 'bash', 'now', 'mcp__linear__list_issues'];

/** The calls made from the pieces, as `[id, name, arguments]`. */
function join(...pieces: object[]): unknown[] {
  const deltas = new ToolCallDeltas(OFFERED);
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
        piece({ index: 0, id: 'b' }, 'today', '{"n":1}'),
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

  const OSLO = '{"city":"Oslo"}';
  const ROME = '{"city":"Rome"}';
  const BOTH = [
    ['a', 'get_weather', OSLO],
    ['b', 'get_weather', ROME],
  ];
  /** `[index, id, name, arguments]`; what is undefined is left out. */
  type Row = [index: unknown, id: unknown, name: unknown, args: string];
  const joinRows = (rows: readonly Row[]): unknown[] =>
    join(
      ...rows.map(([index, id, name, args]) =>
        JSON.parse(JSON.stringify({ index, id, function: { name, arguments: args } })),
      ),
    );
  const halves = (...[one, two, three, four]: [index: unknown, id: unknown, name?: unknown][]): unknown[] =>
    joinRows([
      [one?.[0], one?.[1], 'get_weather', '{"city":'],
      [two?.[0], two?.[1], 'get_weather', '{"city":'],
      [three?.[0], three?.[1], three?.[2], '"Oslo"}'],
      [four?.[0], four?.[1], four?.[2], '"Rome"}'],
    ]);

  test.each<[string, [unknown, unknown, unknown?][]]>([
    [
      'one index',
      [
        [0, 'a'],
        [0, 'b'],
        [0, 'a'],
        [0, 'b'],
      ],
    ],
    [
      'one index, and the name once more',
      [
        [0, 'a'],
        [0, 'b'],
        [0, 'a', 'get_weather'],
        [0, 'b', 'get_weather'],
      ],
    ],
    [
      'no index',
      [
        [null, 'a'],
        [null, 'b'],
        [null, 'a'],
        [null, 'b'],
      ],
    ],
    [
      'an index as text',
      [
        ['0', 'a'],
        ['1', 'b'],
        ['0', null],
        ['1', ''],
      ],
    ],
    [
      'an index for each piece',
      [
        [0, 'a'],
        [1, 'b'],
        [2, 'a'],
        [3, 'b'],
      ],
    ],
    [
      'the index of the other call',
      [
        [0, 'a'],
        [1, 'b'],
        [1, 'a'],
        [0, 'b'],
      ],
    ],
    [
      'an index only at first',
      [
        [0, 'a'],
        [1, 'b'],
        [undefined, 'a'],
        [undefined, 'b'],
      ],
    ],
  ])('keeps the pieces of two calls apart by their ids under %s', (_, rows) => {
    expect(halves(...rows)).toEqual(BOTH);
  });

  test('keeps calls apart that have one id and different indexes (llama-server)', () => {
    expect(halves([0, 'x'], [1, 'x'], [0, 'x'], [1, 'x'])).toEqual([
      ['x', 'get_weather', OSLO],
      ['x', 'get_weather', ROME],
    ]);
  });

  test.each<[string, Row[], unknown[]]>([
    [
      'names first, of three calls under one index',
      [
        [0, 'a', 'now', ''],
        [0, 'b', 'bash', ''],
        [0, 'c', 'bash', ''],
        [0, 'c', undefined, '{"command":"ls"}'],
        [0, 'b', undefined, '{"command":"pwd"}'],
      ],
      [
        ['a', 'now', ''],
        ['b', 'bash', '{"command":"pwd"}'],
        ['c', 'bash', '{"command":"ls"}'],
      ],
    ],
    [
      'another tool under the id of the call before',
      [
        [0, 'a', 'get_weather', OSLO],
        [0, 'a', 'bash', '{"command":"ls"}'],
      ],
      [
        ['a', 'get_weather', OSLO],
        ['a', 'bash', '{"command":"ls"}'],
      ],
    ],
    [
      'the name repeated under an id that changes in the middle of the arguments',
      [
        [0, 'a', 'bash', '{"com'],
        [0, 'b', 'bash', 'mand":"ls"}'],
        [0, 'c', 'bash', ''],
      ],
      [['a', 'bash', '{"command":"ls"}']],
    ],
    [
      'the name repeated without an index and an id',
      [
        [null, 'a', 'bash', ''],
        [null, null, 'bash', '{"command":'],
        [null, null, 'bash', '"ls"}'],
      ],
      [['a', 'bash', '{"command":"ls"}']],
    ],
    [
      'one id for two indexes, with names that come late',
      [
        [0, 'a', null, OSLO],
        [0, 'a', 'get_weather', ''],
        [1, 'a', null, '{}'],
        [1, 'a', 'now', ''],
      ],
      [
        ['a', 'get_weather', OSLO],
        ['a', 'now', '{}'],
      ],
    ],
    [
      'an id for each piece (LM Studio)',
      [
        [0, 'a', 'now', ''],
        [0, 'b', '', '{'],
        [0, 'c', '', '}'],
      ],
      [['a', 'now', '{}']],
    ],
    [
      'an object under another id without a name, after complete arguments',
      [
        [0, 'a', 'get_weather', OSLO],
        [0, 'b', undefined, ROME],
      ],
      BOTH,
    ],
  ])('reads %s', (_, rows, calls) => {
    expect(joinRows(rows)).toEqual(calls);
  });

  test.each<[string, Row[]]>([
    [
      'without an id',
      [
        [0, undefined, undefined, OSLO],
        [0, undefined, 'get_weather', ''],
      ],
    ],
    [
      'under the same id',
      [
        [0, 'a', '', OSLO],
        [0, 'a', 'get_weather', ''],
      ],
    ],
    [
      'under another id',
      [
        [0, 'a', null, OSLO],
        [0, 'b', 'get_weather', ''],
      ],
    ],
    [
      'in the middle of the arguments',
      [
        [0, 'a', null, '{"city'],
        [0, 'a', 'get_weather', '":"Oslo"}'],
      ],
    ],
  ])('gives a call the name that comes late %s', (_, rows) => {
    expect(joinRows(rows)).toMatchObject([[rows[0]?.[1], 'get_weather', OSLO]]);
  });

  test.each<[string, Row[]]>([
    [
      'two',
      [
        [0, 'a', 'get_', ''],
        [0, undefined, 'weather', ''],
        [0, undefined, undefined, OSLO],
      ],
    ],
    [
      'two, the last with the arguments',
      [
        [0, 'a', 'get_', ''],
        [0, undefined, 'weather', OSLO],
      ],
    ],
    [
      'two under one id',
      [
        [0, 'a', 'get_', ''],
        [0, 'a', 'weather', ''],
        [0, 'a', undefined, OSLO],
      ],
    ],
    [
      'two under different ids',
      [
        [0, 'a', 'get_', ''],
        [0, 'b', 'weather', ''],
        [0, 'b', undefined, OSLO],
      ],
    ],
    [
      'two without an index',
      [
        [null, 'a', 'get_', ''],
        [null, null, 'weather', ''],
        [null, null, null, OSLO],
      ],
    ],
    [
      'four, the first of them the name of a tool',
      [
        [0, 'a', 'get', ''],
        [0, null, '_', ''],
        [0, null, 'weath', ''],
        [0, null, 'er', OSLO],
      ],
    ],
    [
      'one, then the whole',
      [
        [0, 'a', 'get_', ''],
        [0, 'a', 'get_weather', ''],
        [0, 'a', 'get_weather', OSLO],
      ],
    ],
  ])('joins a name that comes in pieces: %s', (_, rows) => {
    expect(joinRows(rows)).toEqual([['a', 'get_weather', OSLO]]);
  });

  test('reports the name as far as it has come', () => {
    const deltas = new ToolCallDeltas(OFFERED);
    const names = ['mcp__', 'linear__', 'list_issues', undefined].map(
      (name) => deltas.add({ index: 0, function: { name, arguments: '' } }).name,
    );
    expect(names).toEqual(['mcp__', 'mcp__linear__', 'mcp__linear__list_issues', undefined]);
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
