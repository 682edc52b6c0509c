import { describe, expect, test } from 'vitest';
import { findPairing, pairOthers } from '../../../../src/inspect/matching/pairing';
import { fc } from '../../../support/arbitrary/properties';

/** The largest number of pairs, by trying all of them. */
function bruteForce(edges: boolean[][], one = 0, taken = new Set<number>()): number {
  if (one === edges.length) return 0;
  let best = bruteForce(edges, one + 1, taken);
  for (const [other, canPair] of (edges[one] ?? []).entries())
    if (canPair && !taken.has(other))
      best = Math.max(best, 1 + bruteForce(edges, one + 1, new Set([...taken, other])));
  return best;
}

const arbitraryFlag = fc.boolean();
const arbitraryEdges = fc.integer({ min: 1, max: 6 }).chain((others) =>
  fc.array(fc.array(arbitraryFlag, { minLength: others, maxLength: others }), {
    minLength: 1,
    maxLength: 6,
  }),
);
const count = (pairing: readonly (number | undefined)[]): number =>
  pairing.filter((other) => other !== undefined).length;

describe('findPairing', () => {
  test('makes as many pairs as trying all of them', () => {
    fc.assert(
      fc.property(arbitraryEdges, (edges) => {
        const pairing = findPairing(
          edges.length,
          edges[0]?.length ?? 0,
          (one, other) => edges[one]?.[other] ?? false,
        );
        expect(count(pairing)).toBe(bruteForce(edges));
        expect(new Set(pairing.filter((other) => other !== undefined)).size).toBe(count(pairing));
        for (const [one, other] of pairing.entries())
          if (other !== undefined) expect(edges[one]?.[other]).toBe(true);
      }),
    );
  });

  test('exchanges a partner that another member needs', () => {
    const edges = [
      [true, true],
      [true, false],
    ];
    expect(findPairing(2, 2, (one, other) => edges[one]?.[other] ?? false)).toEqual([1, 0]);
  });
});

describe('pairOthers', () => {
  test('pairs all needed others when some pairing does, and unpairs nobody', () => {
    fc.assert(
      fc.property(arbitraryEdges, fc.array(arbitraryFlag, { minLength: 6, maxLength: 6 }), (edges, flags) => {
        const others = edges[0]?.length ?? 0;
        const needed = flags.slice(0, others);
        const canPair = (one: number, other: number): boolean => edges[one]?.[other] ?? false;
        const pairing = findPairing(edges.length, others, canPair);
        const paired = pairOthers(pairing, needed, canPair);
        const unpaired = needed.filter((isNeeded, other) => isNeeded && !paired.includes(other)).length;
        const onlyNeeded = edges.map((row) => row.map((edge, other) => edge && (needed[other] ?? false)));
        expect(unpaired).toBe(needed.filter(Boolean).length - bruteForce(onlyNeeded));
        for (const [one, other] of pairing.entries())
          if (other !== undefined) expect(paired[one]).toBeDefined();
        const partners = paired.filter((other) => other !== undefined);
        expect(new Set(partners).size).toBe(partners.length);
        for (const [one, other] of paired.entries())
          if (other !== undefined) expect(canPair(one, other)).toBe(true);
      }),
    );
  });
});
