// Checks embedding vectors, whoever made them. Independent of protocols.
import { isListOf } from './json';

/**
 * The vectors, if there is one non-empty vector of finite numbers for each text. Anything else is an error and never `[]`,
 * because results computed from it would silently be wrong.
 * @returns one sentence about what is wrong, instead of vectors
 */
export function checkVectors(vectors: unknown, count: number): number[][] | string {
  if (!Array.isArray(vectors)) return 'The reply has no embeddings.';
  if (vectors.length !== count) return `The reply has ${vectors.length} vectors for ${count} texts.`;
  const bad = vectors.findIndex((vector) => !isVector(vector));
  return bad < 0
    ? (vectors as number[][])
    : `The vector of text ${bad + 1} is empty or contains something other than numbers.`;
}

const isVector = (vector: unknown): vector is number[] => isListOf(vector, isNumber) && vector.length > 0;

const isNumber = (value: unknown): value is number => Number.isFinite(value);
