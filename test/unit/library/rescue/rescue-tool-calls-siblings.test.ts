import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import { runs } from '../../../support/arbitrary/properties';
import { createRandom } from '../../../support/arbitrary/random';
import { FORMAT_IDS, isSingle, SEED, write } from './law-support';
import { toolsOf } from './rescue-fixtures';

const TOOLS = toolsOf('peers');
const FIRST = [
  { name: 'ask', arguments: { topic: 'ivy' } },
  { name: 'memo', arguments: { title: 'ivy', body: 'oak {tree}' } },
];
const SECOND = { name: 'scan', arguments: { path: '/ab', glob: '*.q' } };
/** One in so many offsets is damaged, each in three ways: one in 20, or every other one in a long run. */
const RARITY = 160 / runs(80);

const damage = (text: string, at: number): string[] => [
  text.slice(0, at) + text.slice(at + 1),
  text.slice(0, at) + text.charAt(at) + text.slice(at),
  `${text.slice(0, at)}"${text.slice(at + 1)}`,
];

/** Whether the arguments contain text of the other call. */
const isMixed = ({ name, arguments: value }: { name: string; arguments: unknown }): boolean =>
  (name === 'scan' ? /ivy|oak/ : /scan|\/ab|\*\.q/).test(JSON.stringify(value));

describe('rescueToolCalls on two calls, one of them damaged', () => {
  it.each(FORMAT_IDS.filter((id) => !isSingle(id)))(
    'never puts text of one call into the other: %s',
    (format) => {
      const random = createRandom(SEED);
      for (const first of FIRST) {
        const text = write([first, SECOND], format) ?? '';
        for (let at = random.below(RARITY); at < text.length; at += 1 + random.below(2 * RARITY)) {
          for (const damaged of damage(text, at))
            expect(rescueToolCalls(damaged, TOOLS).calls.filter(isMixed), damaged).toEqual([]);
        }
      }
    },
  );
});
