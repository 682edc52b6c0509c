// What the repeats of one case show: chances of several in a row, and how far they agree. Pure.
import { sumOf } from './intervals';
import type { Trials } from './intervals';

/**
 * pass^k: the chance that k samples all pass, estimated without bias; the k-th power of the rate would be too high.
 * Source: arXiv 2406.12045.
 * @returns undefined for fewer than k samples
 */
export function chanceThatAllPass({ passed, count }: Trials, k: number): number | undefined {
  if (count < k) return undefined;
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn += 1) chance *= Math.max(0, passed - drawn) / (count - drawn);
  return chance;
}

/** pass@k: the chance that at least one of k samples passes. Source: arXiv 2107.03374. */
export function chanceThatOnePasses({ passed, count }: Trials, k: number): number | undefined {
  const noneChance = chanceThatAllPass({ passed: count - passed, count }, k);
  return noneChance === undefined ? undefined : 1 - noneChance;
}

/**
 * How far samples that were sorted into groups agree.
 * @param sizes Sizes of the groups
 * @returns the share of the largest group, and the share of the pairs that are in one group; undefined for fewer than two samples
 */
export function agreementOf(sizes: readonly number[]): { largest: number; pairs: number } | undefined {
  const count = sumOf(sizes);
  if (count < 2) return undefined;
  const pairs = sumOf(sizes.map((size) => size * (size - 1)));
  return { largest: Math.max(...sizes) / count, pairs: pairs / (count * (count - 1)) };
}
