// Embeddings side by side: dimension, length and cosine similarity. Pure; it never lets a wrong vector look like a number.

export interface VectorShape {
  dimension: number;
  /** Euclidean length; NaN when a component is no finite number. */
  norm: number;
}

export interface VectorComparison {
  shapes: VectorShape[];
  /** Cosine similarity, row by row, from -1 to 1; `null` where there is none. */
  similarity: (number | null)[][];
}

export function compareVectors(vectors: readonly (readonly number[])[]): VectorComparison {
  const shapes = vectors.map((vector) => ({ dimension: vector.length, norm: normOf(vector) }));
  const similarity = vectors.map((row, rowIndex) =>
    vectors.map((column, columnIndex) =>
      // the same pair the other way round comes to the same number
      rowIndex <= columnIndex ? cosineSimilarity(row, column) : cosineSimilarity(column, row),
    ),
  );
  return { shapes, similarity };
}

/**
 * The cosine of the angle between two vectors, within [-1, 1].
 * @returns null for vectors of unequal dimension, of length zero, or with something else in them than finite numbers.
 */
export function cosineSimilarity(one: readonly number[], other: readonly number[]): number | null {
  if (one.length !== other.length) return null;
  const [oneNorm, otherNorm] = [normOf(one), normOf(other)];
  if (!(oneNorm > 0 && otherNorm > 0)) return null;
  // each is brought to length 1 first: the product of two large vectors may be beyond what a number holds
  const cosine = one.reduce(
    (sum, value, index) => sum + (value / oneNorm) * ((other[index] ?? 0) / otherNorm),
    0,
  );
  return Math.min(1, Math.max(-1, cosine));
}

/** Euclidean length. Scaled, so that neither very large nor very small components lose it. */
function normOf(vector: readonly number[]): number {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0 || !Number.isFinite(largest)) return largest === 0 ? 0 : Number.NaN;
  return largest * Math.sqrt(vector.reduce((sum, value) => sum + (value / largest) ** 2, 0));
}
