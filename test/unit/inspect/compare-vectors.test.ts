import { describe, expect, test } from 'vitest';
import { compareVectors, cosineSimilarity } from '../../../src/inspect';

describe('cosineSimilarity', () => {
  test.each([
    ['identical vectors', [3, 4], [3, 4], 1],
    ['vectors of the same direction and other lengths', [3, 4], [6, 8], 1],
    ['orthogonal vectors', [1, 0], [0, 2], 0],
    ['opposite vectors', [1, -2], [-1, 2], -1],
    ['vectors at 45 degrees', [1, 0], [1, 1], Math.SQRT1_2],
    ['vectors whose product overflows', [1e300, 1e300], [1e300, 1e300], 1],
    ['vectors whose length overflows', [1e308, -1e308, 1e308, 1e308], [1e308, -1e308, 1e308, 1e308], 1],
    ['vectors whose square underflows', [1e-300, 0], [1e-300, 1e-300], Math.SQRT1_2],
  ])('is correct for %s', (_title, one, other, expected) => {
    expect(cosineSimilarity(one, other)).toBeCloseTo(expected, 12);
    expect(cosineSimilarity(other, one)).toBeCloseTo(expected, 12);
  });

  test('is never outside of [-1, 1] because of rounding', () => {
    for (let seed = 1; seed < 200; seed++) {
      const vector = Array.from({ length: 17 }, (_, index) => Math.sin(seed * (index + 1)));
      expect(cosineSimilarity(vector, vector)).toBeLessThanOrEqual(1);
      expect(cosineSimilarity(vector, vector)).toBeCloseTo(1, 12);
    }
  });

  test.each([
    ['a vector of zeros', [0, 0], [1, 0]],
    ['different dimensions', [1, 0], [1, 0, 0]],
    ['NaN', [Number.NaN, 1], [1, 1]],
    ['infinity', [Number.POSITIVE_INFINITY, 1], [1, 1]],
    ['empty vectors', [], []],
  ])('is null with %s', (_title, one, other) => {
    expect(cosineSimilarity(one, other)).toBeNull();
    expect(cosineSimilarity(other, one)).toBeNull();
  });
});

describe('compareVectors', () => {
  test('returns dimension and length of each vector, and a symmetric matrix', () => {
    const { shapes, similarity } = compareVectors([
      [3, 4],
      [1, 0],
      [0, 0],
    ]);
    expect(shapes).toEqual([
      { dimension: 2, norm: 5 },
      { dimension: 2, norm: 1 },
      { dimension: 2, norm: 0 },
    ]);
    expect(similarity).toEqual([
      [expect.closeTo(1), expect.closeTo(0.6), null],
      [expect.closeTo(0.6), expect.closeTo(1), null],
      [null, null, null],
    ]);
    expect(similarity[0]?.[1]).toBe(similarity[1]?.[0]);
  });

  test('returns NaN as the length of a vector with a component of NaN', () => {
    expect(compareVectors([[1, Number.NaN]]).shapes).toEqual([{ dimension: 2, norm: Number.NaN }]);
  });

  test('returns empty lists for no vectors', () => {
    expect(compareVectors([])).toEqual({ shapes: [], similarity: [] });
  });
});
