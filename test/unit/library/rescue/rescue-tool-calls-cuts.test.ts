import { describe, expect, it } from 'vitest';
import { isPartOf, POSITIVE, rescueCase, sample, SEED, toKey, toKeys } from './law-support';
import type { CorpusCase } from './rescue-fixtures';

/** Machines are slow at times. */
const LIMIT = { timeout: 60_000 };

/** Every length of all cases is half a million replies; of longer ones some lengths must do. */
const MOST_CUTS = 20;
const MOST_CASES = 500;

const CASES = sample(POSITIVE, MOST_CASES);

const cutsOf = ({ text }: CorpusCase): number[] =>
  sample(
    Array.from({ length: text.length }, (_, length) => length),
    MOST_CUTS,
  );

/** The cases with the lengths at which the law does not hold. */
const findBad = (holds: (item: CorpusCase, length: number) => boolean): { id: string; cuts: number[] }[] =>
  CASES.map((item) => ({ id: item.id, cuts: cutsOf(item).filter((length) => !holds(item, length)) })).filter(
    ({ cuts }) => cuts.length > 0,
  );

describe(`rescueToolCalls, wherever the reply is cut (seed ${SEED})`, LIMIT, () => {
  it('makes the first calls and no others of a reply that the limit cut', () => {
    const bad = findBad((item, length) => {
      const wanted = toKeys(item.expected);
      const found = toKeys(rescueCase(item, item.text.slice(0, length), 'length').calls);
      return found.every((call, index) => call === wanted[index]);
    });
    expect(bad).toEqual([]);
  });

  it('makes of any other cut reply the first calls too, the last one perhaps with its first parameters only', () => {
    // a complete call at the end of thinking that stays open counts, and stops counting where the answer goes on
    // and of a value that holds the tag that ends it nobody knows where it ends
    const isClear = ({ kind, expected }: CorpusCase): boolean =>
      kind !== 'mixed' && !JSON.stringify(expected).includes('</');
    const closed = new Set(CASES.filter(isClear).map(({ id }) => id));
    const bad = findBad((item, length) => {
      if (!closed.has(item.id)) return true;
      const { calls } = rescueCase(item, item.text.slice(0, length));
      return calls.every((call, index) => {
        const wanted = item.expected[index];
        if (wanted && toKey(call) === toKey(wanted)) return true;
        return index === calls.length - 1 && isPartOf(call, wanted);
      });
    });
    expect(bad).toEqual([]);
  });

  it('makes calls of some of the cut replies, so that the laws say something', () => {
    const calling = CASES.filter((item) => rescueCase(item, item.text.slice(0, -1)).calls.length > 0);
    expect(calling.length).toBeGreaterThan(CASES.length / 4);
  });
});
