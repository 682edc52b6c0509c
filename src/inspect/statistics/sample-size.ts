// How many rows or samples are needed to see something, and how often a gate is met by chance. Pure.
import { meanOf, sumOf, wilsonInterval, Z95 } from './intervals';

/** Quantile of the normal distribution below which 80 % lie: a difference of this size is found in 80 % of evaluations. */
const Z80 = 0.8416212335729143;

/**
 * Number of rows with which the differences of two lanes would be decided, if they stay as they are.
 * @param differences Differences of the rates, one a row; at least two
 * @returns Infinity when there is no difference
 */
export function rowsThatDecide(differences: readonly number[]): number {
  const mean = meanOf(differences);
  const variance = sumOf(differences.map((value) => (value - mean) ** 2)) / (differences.length - 1);
  return roundUp(((Z95 + Z80) ** 2 * variance) / mean ** 2);
}

/** Number of samples in each lane that tells two rates apart when the lanes do not answer the same rows. */
export function samplesToTell(one: number, other: number): number {
  const mean = (one + other) / 2;
  const spread = Math.sqrt(one * (1 - one) + other * (1 - other));
  return roundUp((Z95 * Math.sqrt(2 * mean * (1 - mean)) + Z80 * spread) ** 2 / (one - other) ** 2);
}

/**
 * Number of rows, one sample each, that tells two lanes apart which answer the same rows.
 * @param difference of the rates
 * @param differing Share of the rows on which one lane passes and the other fails; at least the difference
 */
export function rowsToTell(difference: number, differing: number): number {
  const spread = Math.sqrt(differing - difference ** 2);
  return roundUp((Z95 * Math.sqrt(differing) + Z80 * spread) ** 2 / difference ** 2);
}

/** Least number of samples after which the interval of a rate reaches about so far to each side. */
export function samplesToKnow(rate: number, reach: number): number {
  for (let count = 1; ; count += 1) {
    // The rate that can be observed: of a whole number of samples.
    const { low, high } = wilsonInterval(Math.round(rate * count) / count, count);
    if (high - low <= 2 * reach) return count;
  }
}

/**
 * Standard error of the mean rate of rows. More rows make it smaller than as many more repeats do.
 * @param between Variance of the rates of the rows
 * @param within Variance of the samples of one row
 */
export const errorOfMean = (
  { between, within }: { between: number; within: number },
  { rows, repeat }: { rows: number; repeat: number },
): number => Math.sqrt((between + within / repeat) / rows);

/** Number of samples that shows a failure of this rate at least once, in 95 % of evaluations. */
export const samplesToSee = (failureRate: number): number =>
  roundUp(Math.log(0.05) / Math.log1p(-failureRate));

/** The highest failure rate that is still compatible (95 %) with no failure in so many samples. */
export const failureRateBehindNone = (samples: number): number => 1 - 0.05 ** (1 / samples);

/** Least number of samples that must pass so that the share is reached; 0.9 × 10 is 9, though it may compute as 9.000000000000002. */
export const passesRequired = (share: number, count: number): number => roundUp(share * count);

/**
 * The chance that every case meets the gate of a case, if the rates are the true ones.
 * @param cases Rate and number of samples of each
 */
export function chanceOfGate(cases: readonly { rate: number; count: number }[], share: number): number {
  let product = 1;
  for (const { rate, count } of cases) product *= chanceOfPasses(rate, count, passesRequired(share, count));
  return product;
}

/** The chance of at least so many passes. */
function chanceOfPasses(rate: number, count: number, required: number): number {
  if (rate === 1 || required <= 0) return 1;
  let chance = (1 - rate) ** count;
  let sum = 0;
  for (let passed = 0; passed <= count; passed += 1) {
    if (passed >= required) sum += chance;
    chance *= ((count - passed) / (passed + 1)) * (rate / (1 - rate));
  }
  return Math.min(1, sum);
}

/** Computed numbers that should be whole are not always: those are not rounded to the next one. */
const roundUp = (value: number): number => Math.max(0, Math.ceil(value - 1e-9));
