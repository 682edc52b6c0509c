// Calls in pieces, in every form in which a server that gives ids can send them.
import { expect, test } from 'vitest';
import { ToolCallDeltas } from '../../../../../src/library/wire/hosted-api/tool-call-deltas';
import { fc } from '../../../../support/arbitrary/properties';

const OFFERED = ['get_weather', 'get', 'bash', 'mcp__linear__list_issues'];

/** How the index of a piece is made from the number of its call. */
const INDEXES: readonly ((call: number) => unknown)[] = [
  (call) => call,
  (call) => String(call),
  () => 0,
  () => null,
  () => undefined,
];

interface Written {
  name: string;
  text: string;
  /** Lengths of the pieces of the arguments. */
  lengths: number[];
  nameCut: number;
}
const anyCall: fc.Arbitrary<Written> = fc.record({
  name: fc.constantFrom(...OFFERED),
  text: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value)),
  lengths: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 8 }),
  nameCut: fc.nat(),
});

/** `first`: in the first piece. `each`: in all of them. `parts`: in two pieces. `late`: after the arguments. */
type NameWay = 'first' | 'each' | 'parts' | 'late';

function toPieces({ name, text, lengths, nameCut }: Written, way: NameWay): object[] {
  const texts: string[] = [];
  let rest = text;
  for (const length of lengths) {
    if (rest.length <= length) break;
    texts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  texts.push(rest);
  if (way === 'each') return texts.map((args) => ({ name, arguments: args }));
  const bare = texts.map((args) => ({ arguments: args }));
  if (way === 'late') return [...bare, { name, arguments: '' }];
  const cut = way === 'parts' ? 1 + (nameCut % (name.length - 1)) : name.length;
  const parts = [name.slice(0, cut), name.slice(cut)].filter((part) => part !== '');
  return [...parts.map((part) => ({ name: part, arguments: '' })), ...bare];
}

test('pieces that all have the id of their call result in the calls, however they are mixed', () => {
  const anyWay = fc.constantFrom<NameWay>('first', 'each', 'parts', 'late');
  const calls = fc.array(anyCall, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      calls,
      anyWay,
      fc.constantFrom(...INDEXES),
      fc.array(fc.nat()),
      (all, way, toIndex, order) => {
        const queues = all.map((call) => toPieces(call, way));
        const deltas = new ToolCallDeltas(OFFERED);
        const began = new Set<number>();
        for (let step = 0; queues.some((queue) => queue.length > 0); step++) {
          const open = [...queues.keys()].filter((call) => (queues[call]?.length ?? 0) > 0);
          const call = open[(order[step] ?? 0) % open.length] ?? 0;
          began.add(call);
          deltas.add({ index: toIndex(call), id: `id${call}`, function: queues[call]?.shift() });
        }
        expect(deltas.toolCalls()).toMatchObject(
          [...began].map((call) => ({
            id: `id${call}`,
            function: { name: all[call]?.name, arguments: all[call]?.text },
          })),
        );
      },
    ),
  );
});
