// What counts as embeddings, whoever made them. Knows no protocol.

/**
 * An empty or missing vector is an error, never `[]`: what is computed from it would be wrong without a word.
 * @returns a sentence instead when there is not one vector of finite numbers a text.
 */
export function checkVectors(vectors: unknown, count: number): number[][] | string {
  if (!Array.isArray(vectors)) return 'The reply has no embeddings.';
  if (vectors.length !== count) return `The reply has ${vectors.length} vectors for ${count} texts.`;
  const bad = vectors.findIndex((vector) => !isVector(vector));
  return bad < 0
    ? (vectors as number[][])
    : `The vector of text ${bad + 1} is empty or holds something else than numbers.`;
}

const isVector = (vector: unknown): vector is number[] =>
  Array.isArray(vector) && vector.length > 0 && vector.every((value) => Number.isFinite(value));
