import { describe, expect, test } from 'vitest';
import {
  chanceOfGate,
  errorOfMean,
  failureRateBehindNone,
  passesRequired,
  rowsThatDecide,
  rowsToTell,
  samplesToKnow,
  samplesToSee,
  samplesToTell,
} from '../../../../src/inspect/statistics/sample-size';

describe('rowsThatDecide', () => {
  test('is 12 for 12 points with a standard deviation of 0.1476', () => {
    expect(rowsThatDecide([0.1, 0, 0, 0.3, 0.2, 0, 0.4, 0, 0, 0.2])).toBe(12);
  });

  test('is infinite without a difference', () => {
    expect(rowsThatDecide([0.1, -0.1])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('samplesToTell, rowsToTell', () => {
  test.each([
    [0.5, 0.9, 20, 23, 18],
    [0.7, 0.9, 62, 65, 37],
    [0.8, 0.9, 199, 202, 77],
    [0.85, 0.9, 686, 689, 155],
    [0.9, 0.95, 435, 438, 155],
    [0.95, 0.99, 285, 288, 194],
  ])('%d from %d: %i samples, %i to %i rows', (one, other, samples, independent, nested) => {
    expect(samplesToTell(one, other)).toBe(samples);
    const difference = other - one;
    // Rows on which the lanes differ: when each fails where it happens to, and when the better one also passes where the other does.
    expect(rowsToTell(difference, one * (1 - other) + other * (1 - one))).toBe(independent);
    expect(rowsToTell(difference, difference)).toBe(nested);
  });

  test('half-way between both, 90 % from 95 % needs 296 rows', () => {
    expect(rowsToTell(0.05, (0.14 + 0.05) / 2)).toBe(296);
  });
});

describe('samplesToKnow', () => {
  test.each([
    [0.5, 0.1, 93],
    [0.5, 0.05, 381],
    [0.8, 0.1, 60],
    [0.8, 0.05, 245],
    [0.9, 0.1, 34],
    [0.9, 0.05, 141],
  ])('a rate of %d to ± %d: %i', (rate, reach, samples) => {
    expect(samplesToKnow(rate, reach)).toBe(samples);
  });
});

describe('samplesToSee', () => {
  test.each([
    [0.2, 14],
    [0.1, 29],
    [0.05, 59],
    [0.02, 149],
    [0.01, 299],
  ])('a failure of rate %d: %i', (rate, samples) => {
    expect(samplesToSee(rate)).toBe(samples);
  });
});

describe('failureRateBehindNone', () => {
  test.each([
    [10, 0.259],
    [20, 0.139],
    [60, 0.049],
    [300, 0.01],
  ])('of %i samples: %d', (samples, rate) => {
    expect(failureRateBehindNone(samples)).toBeCloseTo(rate, 3);
  });
});

describe('errorOfMean', () => {
  test.each([
    [1, 0.0775],
    [2, 0.0671],
    [5, 0.06],
    [10, 0.0574],
  ])('of 20 rows with %i repeats: %d', (repeat, error) => {
    expect(errorOfMean({ between: 0.06, within: 0.06 }, { rows: 20, repeat })).toBeCloseTo(error, 4);
  });
});

describe('passesRequired', () => {
  test('is the least number of samples whose share is at least the gate', () => {
    expect(passesRequired(0.9, 10)).toBe(9);
    expect(passesRequired(0.95, 10)).toBe(10);
    expect(passesRequired(1, 7)).toBe(7);
    expect(passesRequired(0, 7)).toBe(0);
    for (let count = 1; count <= 100; count += 1)
      for (let passed = 0; passed <= count; passed += 1)
        expect(passesRequired(passed / count, count)).toBe(passed);
  });
});

describe('chanceOfGate', () => {
  const tens = (...rates: number[]) => rates.map((rate) => ({ rate, count: 10 }));
  const twenty = Array.from({ length: 20 }, () => 0.95);

  test.each([
    [0.8, 0.9885, 0.793, 3],
    [0.9, 0.9139, 0.165, 3],
    [1, 0.5987, 0.00004, 5],
  ])('of ten samples at 95 %%, %d required: one case %d, twenty %d', (share, one, all, digits) => {
    expect(chanceOfGate(tens(0.95), share)).toBeCloseTo(one, 4);
    expect(chanceOfGate(tens(...twenty), share)).toBeCloseTo(all, digits);
  });

  test('multiplies the chances of cases with different numbers of samples', () => {
    const [once, twice] = [
      { rate: 0.5, count: 1 },
      { rate: 0.5, count: 2 },
    ];
    expect(chanceOfGate([once, twice], 1)).toBeCloseTo(0.125, 12);
    expect(chanceOfGate([once, twice], 0.5)).toBeCloseTo(0.375, 12);
  });

  test('is certain for rates of 1 and impossible for rates of 0', () => {
    expect(chanceOfGate(tens(1, 1), 1)).toBe(1);
    expect(chanceOfGate(tens(1, 0), 0.1)).toBe(0);
    expect(chanceOfGate(tens(0), 0)).toBe(1);
    expect(chanceOfGate([], 1)).toBe(1);
  });
});
