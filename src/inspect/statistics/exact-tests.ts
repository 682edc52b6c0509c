// Tests of whether two lanes differ, exact and without random numbers: for many rows, for one row, for several lanes. Pure.
import { sumOf } from './intervals';
import type { Trials } from './intervals';

/** Bounds of the work and the memory of a test, see `toDifferences`. */
const MAX_STEPS = 40_000_000;
const MAX_CELLS = 2_000_000;
/** In standard deviations: what lies farther away has a share below 1e-17. */
const REACH = 9;

/**
 * Exact sign-flip test: the share of the 2^n ways to give each difference a sign whose sum is at least as far from 0 as the sum
 * that was observed. If each row was sampled once, it equals the exact test of McNemar.
 * @param differences Whole numbers, one a row
 * @returns p, 0 to 1; 1 without a difference
 */
export function signFlipTest(differences: readonly number[]): number {
  const sizes = differences.filter((value) => value !== 0).map(Math.abs);
  const total = sumOf(sizes);
  const observed = Math.abs(sumOf(differences));
  if (observed === 0) return 1;
  // shares[s]: of the ways to choose some of the sizes, the share whose sum is s. With signs, their sum is 2s - total.
  const shares = new Float64Array(total + 1);
  shares[0] = 1;
  let [reached, squares, low] = [0, 0, 0];
  for (const size of sizes) {
    reached += size;
    squares += size ** 2;
    const half = (REACH * Math.sqrt(squares)) / 2;
    const start = Math.max(0, Math.floor(reached / 2 - half));
    const end = Math.min(reached, Math.ceil(reached / 2 + half));
    for (let sum = end; sum >= start; sum -= 1)
      shares[sum] = ((shares[sum] ?? 0) + (sum >= size ? (shares[sum - size] ?? 0) : 0)) / 2;
    shares.fill(0, low, start);
    low = start;
  }
  // Both tails are equal: the chosen and the rest may change places.
  let tail = 0;
  for (let sum = (total + observed) / 2; sum <= total; sum += 1) tail += shares[sum] ?? 0;
  return Math.min(1, 2 * tail);
}

/**
 * Whole numbers that are proportional to the differences of the rates of the rows: counts, scaled to a common number of samples.
 * For some thousand rows with many different numbers of samples they are rounded, so that the test stays fast.
 */
export function toDifferences(rows: readonly { one: Trials; other: Trials }[]): number[] {
  const most = Math.max(1, Math.floor(Math.min(MAX_CELLS / rows.length, MAX_STEPS / rows.length ** 1.5)));
  let scale = 1;
  for (const count of new Set(rows.flatMap(({ one, other }) => [one.count, other.count])))
    scale = Math.min(most, (scale / greatestDivisor(scale, count)) * count);
  const differences = rows.map(({ one, other }) =>
    Math.round(scale * (one.passed / one.count - other.passed / other.count)),
  );
  const divisor = differences.reduce(greatestDivisor, 0);
  return divisor > 1 ? differences.map((value) => value / divisor) : differences;
}

function greatestDivisor(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** Fisher's exact test, two-sided: the share of the tables with these sums that are no more likely than the observed one. */
export function fisherTest(one: Trials, other: Trials): number {
  const passed = one.passed + other.passed;
  const least = Math.max(0, passed - other.count);
  const most = Math.min(passed, one.count);
  // Relative to the first table; in logarithms, as the numbers of combinations exceed what a number can be.
  const logs = [0];
  for (let k = least; k < most; k += 1) {
    const ratio = ((one.count - k) * (passed - k)) / ((k + 1) * (other.count - passed + k + 1));
    logs.push((logs.at(-1) ?? 0) + Math.log(ratio));
  }
  const peak = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - peak));
  const observed = weights[one.passed - least] ?? 0;
  // Tables that are as likely as the observed one may differ from it by rounding.
  const extreme = weights.filter((weight) => weight <= observed * (1 + 1e-9));
  return Math.min(1, sumOf(extreme) / sumOf(weights));
}

/** Holm's method: adjusts each p for the number of comparisons, in the order given. */
export function adjustByHolm(values: readonly number[]): number[] {
  const adjusted: number[] = [];
  let least = 0;
  const order = values.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.min(1, Math.max(least, p * (values.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
