// Compares embedding vectors: dimension, length and cosine similarity. Pure. A faulty vector never gets a plausible number.

export interface VectorShape {
  dimension: number;
  /** Euclidean length; NaN when a component is not a finite number. */
  norm: number;
}

export interface VectorComparison {
  shapes: VectorShape[];
  /** Matrix of cosine similarities from -1 to 1; `null` where one cannot be computed. */
  similarity: (number | null)[][];
}

export function compareVectors(vectors: readonly (readonly number[])[]): VectorComparison {
  const shapes = vectors.map((vector) => ({ dimension: vector.length, norm: normOf(vector) }));
  const similarity = vectors.map((row, rowIndex) =>
    vectors.map((column, columnIndex) =>
      // In the same order for both halves of the matrix, so that rounding gives the same number.
      rowIndex <= columnIndex ? cosineSimilarity(row, column) : cosineSimilarity(column, row),
    ),
  );
  return { shapes, similarity };
}

/**
 * The cosine of the angle between two vectors, within [-1, 1].
 * @returns null for vectors of different dimension, of length zero, or with components that are not finite numbers
 */
export function cosineSimilarity(one: readonly number[], other: readonly number[]): number | null {
  if (one.length !== other.length) return null;
  const [oneNorm, otherNorm] = [normOf(one), normOf(other)];
  if (!(oneNorm > 0 && otherNorm > 0)) return null;
  // Both are scaled to length 1 first, because the product of two large vectors may exceed the range of numbers.
  const cosine = one.reduce(
    (sum, value, index) => sum + (value / oneNorm) * ((other[index] ?? 0) / otherNorm),
    0,
  );
  return Math.min(1, Math.max(-1, cosine));
}

/** Euclidean length. Scaled, so that very large and very small components do not overflow or vanish. */
function normOf(vector: readonly number[]): number {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0 || !Number.isFinite(largest)) return largest === 0 ? 0 : Number.NaN;
  return largest * Math.sqrt(vector.reduce((sum, value) => sum + (value / largest) ** 2, 0));
}
