import { describe, expect, it } from 'vitest';
import { isPartOf, POSITIVE, rescueCase, sample, SEED, toKey, toKeys } from './law-support';
import { someOf } from '../../../support/properties';
import type { CorpusCase } from './rescue-fixtures';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

/** All lengths of all cases would be half a million replies, so only some lengths of some cases are read. */
const MOST_CUTS = 20;
const MOST_CASES = 500;

const CASES = sample(POSITIVE, MOST_CASES);

const cutsOf = ({ id, text }: CorpusCase): readonly number[] =>
  someOf(
    sample(
      Array.from({ length: text.length }, (_, length) => length),
      MOST_CUTS,
    ),
    id.length,
  );

/** The cases for which the law does not hold, with the lengths. */
const findBad = (holds: (item: CorpusCase, length: number) => boolean): { id: string; cuts: number[] }[] =>
  CASES.map((item) => ({ id: item.id, cuts: cutsOf(item).filter((length) => !holds(item, length)) })).filter(
    ({ cuts }) => cuts.length > 0,
  );

describe(`rescueToolCalls, on cut replies (seed ${SEED})`, LIMIT, () => {
  it('finds only the first calls of the whole reply when the token limit cut it', () => {
    const bad = findBad((item, length) => {
      const wanted = toKeys(item.expected);
      const found = toKeys(rescueCase(item, item.text.slice(0, length), 'length').calls);
      return found.every((call, index) => call === wanted[index]);
    });
    expect(bad).toEqual([]);
  });

  it('finds only the first calls of any other cut reply, the last one perhaps with only its first parameters', () => {
    // left out: a complete call at the end of open reasoning counts until the answer goes on (kind 'mixed'), and the end of
    // a value that contains its own closing tag cannot be known
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

  it('finds calls in some of the cut replies, so that the laws mean something', () => {
    const calling = CASES.filter((item) => rescueCase(item, item.text.slice(0, -1)).calls.length > 0);
    expect(calling.length).toBeGreaterThan(CASES.length / 4);
  });
});
