import { describe, expect, test } from 'vitest';
import {
  agreementOf,
  chanceThatAllPass,
  chanceThatOnePasses,
} from '../../../../src/inspect/statistics/repeats';

const mean = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? Number.NaN), 0) / values.length;

describe('chanceThatAllPass', () => {
  test.each([
    [9, 10, 3, 0.7],
    [9, 10, 5, 0.5],
    [9, 10, 10, 0],
    [7, 10, 3, 0.2917],
    [2, 5, 3, 0],
    [6, 8, 4, 0.2143],
    [10, 10, 10, 1],
    [7, 10, 1, 0.7],
  ])('of %i of %i, %i times: %d', (passed, count, k, chance) => {
    expect(chanceThatAllPass({ passed, count }, k)).toBeCloseTo(chance, 4);
  });

  test.each([
    [1, 0.75],
    [3, 0.5063],
    [5, 0.3958],
    [10, 0.25],
  ])('of rows with 10, 9, 7 and 4 of 10, %i times: %d in the mean', (k, chance) => {
    const rows = [10, 9, 7, 4].map((passed) => chanceThatAllPass({ passed, count: 10 }, k));
    expect(mean(rows)).toBeCloseTo(chance, 4);
  });

  test('is unknown for fewer samples', () => {
    expect(chanceThatAllPass({ passed: 2, count: 2 }, 3)).toBeUndefined();
    expect(chanceThatOnePasses({ passed: 2, count: 2 }, 3)).toBeUndefined();
  });
});

describe('chanceThatOnePasses', () => {
  test.each([
    [7, 10, 3, 0.9917],
    [2, 5, 3, 0.9],
    [0, 5, 3, 0],
  ])('of %i of %i, %i times: %d', (passed, count, k, chance) => {
    expect(chanceThatOnePasses({ passed, count }, k)).toBeCloseTo(chance, 4);
  });

  test('of rows with 10, 9, 7 and 4 of 10, 3 times: 0.9563 in the mean', () => {
    const rows = [10, 9, 7, 4].map((passed) => chanceThatOnePasses({ passed, count: 10 }, 3));
    expect(mean(rows)).toBeCloseTo(0.9563, 4);
  });
});

describe('agreementOf', () => {
  test.each([
    [[7, 2, 1], 0.7, 0.4889],
    [[5, 5], 0.5, 0.4444],
    [[10], 1, 1],
    [[1, 1], 0.5, 0],
  ])('of groups of %j', (sizes, largest, pairs) => {
    const agreement = agreementOf(sizes);
    expect(agreement?.largest).toBe(largest);
    expect(agreement?.pairs).toBeCloseTo(pairs, 4);
  });

  test('is unknown for fewer than two samples', () => {
    expect(agreementOf([])).toBeUndefined();
    expect(agreementOf([1])).toBeUndefined();
  });
});
