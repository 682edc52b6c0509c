import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../../src/library/rescue/schema/check-arguments';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import type { RescueReport } from '../../../../src/types';
import { runs } from '../../../support/arbitrary/properties';
import { createRandom } from '../../../support/arbitrary/random';
import { POSITIVE, rescueCase, SEED, toKey } from './law-support';
import { toolsOf } from './rescue-fixtures';
import type { CorpusCase } from './rescue-fixtures';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

const ROUNDS = runs(20);

const WAYS: readonly ((text: string, at: number) => string)[] = [
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.charAt(at) + text.slice(at),
  (text, at) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
];

function mutationsOf(item: CorpusCase): string[] {
  const random = createRandom(SEED + item.id.length * 7919 + item.text.length);
  return Array.from({ length: ROUNDS }, () => random.pick(WAYS)(item.text, random.below(item.text.length)));
}

describe(
  `rescueToolCalls on a reply with one character dropped, doubled or swapped (seed ${SEED})`,
  LIMIT,
  () => {
    const mutations = POSITIVE.flatMap((item) =>
      mutationsOf(item).map((text) => ({ item, text, calls: rescueCase(item, text).calls })),
    );

    it('returns only calls that fit the schema or list what does not fit', () => {
      const bad = mutations.filter(({ item, calls }) =>
        calls.some((call) => {
          const tool = toolsOf(item.tools).find(({ name }) => name === call.name);
          return !tool || (!call.schemaIssues && checkArguments(call.arguments, tool.parameters).length > 0);
        }),
      );
      expect(bad.map(({ text }) => text)).toEqual([]);
    });

    it('still finds calls in most of the replies', () => {
      const found = mutations.filter(({ calls }) => calls.length > 0);
      expect(found.length).toBeGreaterThan(mutations.length / 2);
    });
  },
);

/** A call that is read the same without the text around it: not one of a list, not after indentation. */
const isAlone = ({ text }: CorpusCase, { calls }: RescueReport): boolean =>
  calls.length === 1 && !/(?:^|\n)[ \t]+$/.test(text.slice(0, calls[0]?.start));

describe('rescueToolCalls on the text of a single call', LIMIT, () => {
  it('returns the same call again', () => {
    const alone = POSITIVE.map((item) => ({ item, report: rescueCase(item) })).filter(({ item, report }) =>
      isAlone(item, report),
    );
    const bad = alone.filter(({ item, report }) => {
      const [call] = report.calls;
      if (!call) return true;
      const again = rescueToolCalls(item.text.slice(call.start, call.end), toolsOf(item.tools)).calls;
      return again.length !== 1 || again.map(toKey)[0] !== toKey(call);
    });
    expect(alone.length).toBeGreaterThan(300);
    expect(bad.map(({ item }) => item.id)).toEqual([]);
  });

  it('leaves only the text before, between and after the calls', () => {
    const bad = POSITIVE.filter((item) => {
      const { calls, content } = rescueCase(item);
      let rest = content;
      let from = 0;
      for (const { start, end } of [...calls, { start: item.text.length, end: item.text.length }]) {
        for (const unit of item.text.slice(from, start))
          if (rest.startsWith(unit)) rest = rest.slice(unit.length);
        from = end;
      }
      return rest !== '';
    });
    expect(bad.map(({ id }) => id)).toEqual([]);
  });
});
