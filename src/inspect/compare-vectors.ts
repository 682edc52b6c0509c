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
  const [oneSize, otherSize] = [sizeOf(one), sizeOf(other)];
  if (!(isLength(oneSize) && isLength(otherSize))) return null;
  // Both are scaled first, because neither the lengths nor the product of large vectors need be numbers.
  const cosine = one.reduce(
    (sum, value, index) => sum + (value / oneSize) * ((other[index] ?? 0) / otherSize),
    0,
  );
  return Math.min(1, Math.max(-1, cosine / (lengthOf(one, oneSize) * lengthOf(other, otherSize))));
}

/** Euclidean length. Scaled, so that very large and very small components do not overflow or vanish. */
function normOf(vector: readonly number[]): number {
  const size = sizeOf(vector);
  if (size === 0) return 0;
  return isLength(size) ? size * lengthOf(vector, size) : Number.NaN;
}

/** The largest component without its sign; NaN when one is NaN. */
const sizeOf = (vector: readonly number[]): number =>
  vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

const isLength = (size: number): boolean => size > 0 && Number.isFinite(size);

/** Euclidean length in multiples of the largest component: from 1 to the root of the dimension. */
const lengthOf = (vector: readonly number[], size: number): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + (value / size) ** 2, 0));
