// Seeded pseudo-random values, so that a failing case can be reproduced.

export interface Random {
  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
}

/** The same seed yields the same values. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32: small, and good enough to generate cases.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('there is nothing to pick from');
      return item;
    },
    chance: (probability) => next() < probability,
  };
}
