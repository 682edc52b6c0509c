import { describe, expect, test } from 'vitest';
import {
  clusteredInterval,
  differenceInterval,
  studentQuantile,
  wilsonInterval,
} from '../../../../src/inspect/statistics/intervals';
import { fc, runs } from '../../../support/arbitrary/properties';

const rounded = ({ low, high }: { low: number; high: number }) => [low.toFixed(4), high.toFixed(4)];
/** Rates of rows with this many passes of so many samples. */
const rates = (count: number, ...passed: number[]) => passed.map((value) => value / count);

describe('wilsonInterval', () => {
  test.each([
    [0, 1, 0, 0.7935],
    [1, 1, 0.2065, 1],
    [0, 10, 0, 0.2775],
    [1, 10, 0.0179, 0.4042],
    [5, 10, 0.2366, 0.7634],
    [7, 10, 0.3968, 0.8922],
    [9, 10, 0.5958, 0.9821],
    [10, 10, 0.7225, 1],
    [18, 20, 0.699, 0.9721],
    [20, 20, 0.8389, 1],
    [90, 100, 0.8256, 0.9448],
    [95, 100, 0.8882, 0.9785],
    [45, 50, 0.7864, 0.9565],
    [450, 500, 0.8706, 0.9233],
    [30, 40, 0.5981, 0.8581],
    [43, 50, 0.7381, 0.9305],
    [4, 4, 0.5101, 1],
  ])('%i of %i: %d to %d', (passed, count, low, high) => {
    expect(rounded(wilsonInterval(passed / count, count))).toEqual(rounded({ low, high }));
  });

  test('lies within 0 and 1, holds the share, and narrows with the number of trials', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000 }), fc.integer({ min: 1, max: 10_000 }), (some, count) => {
        const rate = (some % (count + 1)) / count;
        const { low, high } = wilsonInterval(rate, count);
        expect(0 <= low && low <= rate && rate <= high && high <= 1).toBe(true);
        const next = wilsonInterval(rate, count + 1);
        expect(next.high - next.low).toBeLessThan(high - low);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('clusteredInterval', () => {
  test('accounts for rows that differ: 1, 0.9, 0.7, 0.4, ten samples each', () => {
    expect(rounded(clusteredInterval(rates(10, 10, 9, 7, 4), 40))).toEqual(['0.3031', '0.9539']);
  });

  test('accounts for rows that differ: ten rows, five samples each', () => {
    const interval = clusteredInterval(rates(5, 5, 5, 5, 4, 5, 3, 5, 5, 1, 5), 50);
    expect(rounded(interval)).toEqual(['0.5886', '0.9635']);
  });

  test('counts rows instead of samples when all rows have the same rate', () => {
    expect(rounded(clusteredInterval([1, 1, 1, 1], 40))).toEqual(['0.5101', '1.0000']);
    expect(clusteredInterval([0.9, 0.9, 0.9], 30)).toEqual(wilsonInterval(0.9, 3));
  });

  test('lies within 0 and 1 and holds the mean', () => {
    const row = fc.integer({ min: 0, max: 10 }).map((passed) => passed / 10);
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 200 }), (rows) => {
        const { low, high } = clusteredInterval(rows, rows.length * 10);
        const mean = rows.reduce((sum, rate) => sum + rate, 0) / rows.length;
        expect(0 <= low && low <= mean + 1e-12 && mean - 1e-12 <= high && high <= 1).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('differenceInterval', () => {
  test.each([
    [9, 5, 10, -0.0024, 0.6759],
    [18, 12, 20, 0.0294, 0.5253],
  ])('%i and %i of %i: %d to %d', (one, other, count, low, high) => {
    const interval = differenceInterval({ passed: one, count }, { passed: other, count });
    expect(rounded(interval)).toEqual(rounded({ low, high }));
  });
});

describe('studentQuantile', () => {
  test.each([
    [1, 12.7062],
    [2, 4.3027],
    [3, 3.1824],
    [4, 2.7764],
    [9, 2.2622],
    [19, 2.093],
    [30, 2.0423],
    [120, 1.9799],
    [4999, 1.9604],
  ])('of %i degrees of freedom is %d', (degrees, quantile) => {
    expect(studentQuantile(degrees)).toBeCloseTo(quantile, 4);
  });
});
