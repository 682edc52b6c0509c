import { describe, expect, test } from 'vitest';
import {
  adjustByHolm,
  fisherTest,
  signFlipTest,
  toDifferences,
} from '../../../../src/inspect/statistics/exact-tests';
import { fc, runs } from '../../../support/arbitrary/properties';
import { computedMsSince } from '../../../support/computed-ms';

const repeated = (value: number, times: number): number[] => Array.from({ length: times }, () => value);
const rowsOf = (count: number, one: readonly number[], other: readonly number[]) =>
  one.map((passed, index) => ({ one: { passed, count }, other: { passed: other[index] ?? 0, count } }));

/** All 2^n ways to give each difference a sign. */
function tryAllSigns(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  let sums = [0];
  for (const value of differences) sums = sums.flatMap((sum) => [sum + value, sum - value]);
  return sums.filter((sum) => Math.abs(sum) >= observed).length / sums.length;
}

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);

describe('signFlipTest', () => {
  test.each([
    [[1, 2, 0, 1, 0, 3, 1, -1, 2, 1], 0.046875],
    [[2, 1, 3, 1, 2], 0.0625],
    [[2, 1, 3, 1, 2, 1], 0.03125],
    [[], 1],
    [[0, 0], 1],
  ])('of %j is %d', (differences, p) => {
    expect(signFlipTest(differences)).toBe(p);
  });

  test.each([
    [0, 5, 0.0625],
    [0, 6, 0.03125],
    [1, 8, 0.0391],
    [2, 8, 0.1094],
    [2, 10, 0.0386],
    [3, 9, 0.146],
    [5, 15, 0.0414],
    [10, 25, 0.0167],
    [4, 4, 1],
    [0, 0, 1],
  ])('equals the test of McNemar for one sample a row: %i and %i', (worse, better, p) => {
    const found = signFlipTest([...repeated(-1, worse), ...repeated(1, better), ...repeated(0, 7)]);
    expect(found).toBeCloseTo(p, 4);
    const discordant = worse + better;
    const tail = repeated(0, Math.min(worse, better) + 1).reduce(
      (sum, _, k) => sum + choose(discordant, k),
      0,
    );
    expect(found).toBeCloseTo(Math.min(1, (2 * tail) / 2 ** discordant), 12);
  });

  test('equals trying all signs', () => {
    const differences = fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 12 });
    fc.assert(
      fc.property(differences, (values) => {
        expect(signFlipTest(values)).toBeCloseTo(tryAllSigns(values), 12);
      }),
      { numRuns: runs(300) },
    );
  });

  test('is not below 0.05 for five rows, whatever their differences', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 5 }), (values) => {
        expect(signFlipTest(values)).toBeGreaterThanOrEqual(0.0625);
      }),
      { numRuns: runs(300) },
    );
  });

  test('stays exact and fast for 5,000 rows of 100 samples', () => {
    // The sum of equal differences is binomial, of which the normal distribution is a good approximation here.
    const differences = [...repeated(100, 2550), ...repeated(-100, 2450)];
    const startedAt = process.cpuUsage();
    expect(signFlipTest(differences)).toBeCloseTo(0.1615, 3);
    expect(signFlipTest(repeated(99, 5000))).toBeLessThan(1e-12);
    expect(computedMsSince(startedAt)).toBeLessThan(10_000);
  });
});

describe('toDifferences', () => {
  test('takes the counts of rows with equally many samples, divided by what they have in common', () => {
    const rows = rowsOf(10, [10, 9, 10, 8, 10, 7, 10, 9, 10, 6], [9, 9, 10, 5, 8, 7, 6, 9, 10, 4]);
    expect(toDifferences(rows)).toEqual([1, 0, 0, 3, 2, 0, 4, 0, 0, 2]);
    expect(signFlipTest(toDifferences(rows))).toBe(0.0625);
    expect(toDifferences(rowsOf(10, [10, 0], [0, 10]))).toEqual([1, -1]);
    expect(toDifferences(rowsOf(10, [5], [5]))).toEqual([0]);
  });

  test('scales counts of different numbers of samples to a common number', () => {
    const third = { passed: 1, count: 3 };
    const half = { passed: 1, count: 2 };
    const whole = { passed: 1, count: 1 };
    // 1/6, 1/2, -1/6
    expect(
      toDifferences([
        { one: half, other: third },
        { one: whole, other: half },
        { one: third, other: half },
      ]),
    ).toEqual([1, 3, -1]);
  });

  test('keeps the work of the test bounded for 5,000 rows with all numbers of samples', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      one: { passed: index % 7, count: 7 + (index % 94) },
      other: { passed: index % 5, count: 5 + (index % 96) },
    }));
    const differences = toDifferences(rows);
    expect(differences.every(Number.isSafeInteger)).toBe(true);
    expect(differences.reduce((sum, value) => sum + Math.abs(value), 0)).toBeLessThan(2_000_000);
    const startedAt = process.cpuUsage();
    expect(signFlipTest(differences)).toBeLessThan(1);
    expect(computedMsSince(startedAt)).toBeLessThan(10_000);
  });
});

describe('fisherTest', () => {
  test.each([
    [9, 5, 10, 0.1409],
    [10, 6, 10, 0.0867],
    [10, 5, 10, 0.0325],
    [18, 12, 20, 0.0648],
    [20, 15, 20, 0.0471],
    [47, 38, 50, 0.0226],
    [5, 5, 10, 1],
    [0, 0, 10, 1],
    [10, 10, 10, 1],
  ])('of %i and %i of %i is %d', (one, other, count, p) => {
    expect(fisherTest({ passed: one, count }, { passed: other, count })).toBeCloseTo(p, 4);
  });

  test('equals counting all tables with the same sums', () => {
    const trials = fc
      .integer({ min: 1, max: 40 })
      .chain((count) => fc.record({ passed: fc.integer({ min: 0, max: count }), count: fc.constant(count) }));
    fc.assert(
      fc.property(trials, trials, (one, other) => {
        const passed = one.passed + other.passed;
        const ways = (k: number): number =>
          k > one.count || passed - k < 0 || passed - k > other.count
            ? 0
            : choose(one.count, k) * choose(other.count, passed - k);
        const all = repeated(0, passed + 1).map((_, k) => ways(k));
        const extreme = all.filter((weight) => weight <= ways(one.passed) * (1 + 1e-9));
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
        expect(fisherTest(one, other)).toBeCloseTo(sum(extreme) / sum(all), 9);
        expect(fisherTest(one, other)).toBeCloseTo(fisherTest(other, one), 9);
      }),
      { numRuns: runs(500) },
    );
  });

  test('stays within numbers for 100,000 samples', () => {
    const p = fisherTest({ passed: 45_000, count: 50_000 }, { passed: 45_200, count: 50_000 });
    expect(p).toBeCloseTo(0.0343, 3);
  });
});

describe('adjustByHolm', () => {
  test('multiplies each p by the number of those that are not smaller', () => {
    const adjusted = adjustByHolm([0.004, 0.03, 0.02]);
    expect(adjusted.map((p) => p.toFixed(4))).toEqual(['0.0120', '0.0400', '0.0400']);
    expect(adjustByHolm([0.6, 0.9])).toEqual([1, 1]);
    expect(adjustByHolm([0.04])).toEqual([0.04]);
    expect(adjustByHolm([])).toEqual([]);
  });

  test('keeps the order and never makes a p smaller', () => {
    const p = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(p, { maxLength: 20 }), (values) => {
        const adjusted = adjustByHolm(values);
        for (const [i, one] of values.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(one);
          for (const [j, other] of values.entries())
            if (one < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? 0);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
