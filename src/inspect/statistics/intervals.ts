// Confidence intervals (95 %) of shares: of one case, of the mean over rows, of a difference. Pure.
import type { Interval } from '../../types';

/** Quantile of the normal distribution that leaves 2.5 % on each side. */
export const Z95 = 1.959963984540054;

/**
 * Wilson's interval of a share. Unlike share ± z · error it is not of width 0 when all or none passed.
 * @param share 0 to 1
 * @param count Number of trials, more than 0. After a correction for clusters it need not be whole.
 */
export function wilsonInterval(share: number, count: number): Interval {
  const z2 = Z95 ** 2 / count;
  const centre = (share + z2 / 2) / (1 + z2);
  const half = (Z95 / (1 + z2)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count));
  // By definition exact at both ends, where rounding would leave 0.9999999999999999.
  return {
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  };
}

/**
 * Interval of the mean of the rates of rows. The samples of one row resemble each other, so they tell less than as many
 * rows: the number of samples is divided by the design effect, and Student's t accounts for the small number of rows.
 * Source: E. Miller, Adding Error Bars to Evals, arXiv 2411.00640.
 * @param rates One rate a row, 0 to 1; at least two
 * @param samples Number of samples in all rows
 */
export const clusteredInterval = (rates: readonly number[], samples: number): Interval =>
  wilsonInterval(meanOf(rates), effectiveSamples(rates, samples));

/** The number of independent samples that would tell as much as these. Parameters as those of `clusteredInterval`. */
export function effectiveSamples(rates: readonly number[], samples: number): number {
  const rows = rates.length;
  const mean = meanOf(rates);
  const variance = sumOf(rates.map((rate) => (rate - mean) ** 2)) / (rows * (rows - 1));
  // Without any difference between the rows, the repeats show nothing.
  if (variance < 1e-15) return rows;
  const designEffect = Math.max(1, (variance * samples) / (mean * (1 - mean)));
  return (samples / designEffect) * (Z95 / studentQuantile(rows - 1)) ** 2;
}

/** Newcombe's interval of the difference of two independent shares, -1 to 1. */
export function differenceInterval(one: Trials, other: Trials): Interval {
  const [p, q] = [one.passed / one.count, other.passed / other.count];
  const [a, b] = [wilsonInterval(p, one.count), wilsonInterval(q, other.count)];
  return {
    low: p - q - Math.hypot(p - a.low, b.high - q),
    high: p - q + Math.hypot(a.high - p, q - b.low),
  };
}

/** Independent trials of one thing; `count` is more than 0. */
export interface Trials {
  passed: number;
  count: number;
}

/**
 * Quantile of Student's t that leaves 2.5 % on each side, by bisection of its distribution. For whole degrees of freedom that
 * is a finite sum over the cosine of the angle whose tangent is t / √degrees: Abramowitz and Stegun, 26.7.3 and 26.7.4.
 * @param degrees 1 or more
 */
export function studentQuantile(degrees: number): number {
  let [low, high] = [0, Math.PI / 2];
  // Each step halves the error, until no number is left between the two.
  for (let step = 0; step < 55; step += 1) {
    const angle = (low + high) / 2;
    if (shareWithin(angle, degrees) < 0.95) low = angle;
    else high = angle;
  }
  return Math.tan(low) * Math.sqrt(degrees);
}

function shareWithin(angle: number, degrees: number): number {
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power < degrees && term > 1e-17; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** NaN for no values. */
export const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
