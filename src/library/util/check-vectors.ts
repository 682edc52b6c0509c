// Checks embedding vectors, whoever made them. Independent of protocols.

/** What is wrong with vectors, and what to do about it; sentences. */
export interface VectorProblem {
  why: string;
  next: string;
}

const CHOOSE_MODEL = 'Choose a model that embeds, and a server that was started for embeddings.';
const ONE_BY_ONE = 'Send the texts one at a time.';

/**
 * The vectors, if there is one non-empty vector of finite numbers for each text. Anything else is an error and never `[]`,
 * because results computed from it would silently be wrong.
 * @returns what is wrong, instead of vectors
 */
export function checkVectors(vectors: unknown, count: number): number[][] | VectorProblem {
  if (!Array.isArray(vectors)) return { why: 'The reply has no embeddings.', next: CHOOSE_MODEL };
  const { length } = vectors;
  if (length !== count) {
    const next = length < count ? `Send fewer texts at once, and none that is empty.` : ONE_BY_ONE;
    return {
      why: `The reply has ${length} vectors for ${count} texts.`,
      next: length === 0 ? `${CHOOSE_MODEL} An empty text has no vector on some servers.` : next,
    };
  }
  for (const [index, vector] of vectors.entries()) {
    const problem = findProblem(vector, `The vector of text ${index + 1}`);
    if (problem) return problem;
  }
  return vectors as number[][];
}

/** How a list of vectors can be wrong without being one of wrong vectors. */
export const inWrongOrder = (why: string): VectorProblem => ({ why, next: ONE_BY_ONE });

/** @param which The vector, as the beginning of a sentence. */
function findProblem(vector: unknown, which: string): VectorProblem | undefined {
  if (!Array.isArray(vector))
    return { why: `${which} is ${nameOf(vector)} and not a list of numbers.`, next: CHOOSE_MODEL };
  if (vector.length === 0) return { why: `${which} is empty.`, next: CHOOSE_MODEL };
  // Unlike `find`, `findIndex` also looks at the holes of a list.
  const place = vector.findIndex((value) => !Number.isFinite(value));
  if (place < 0) return undefined;
  const value: unknown = vector[place];
  if (Array.isArray(value)) {
    return {
      why: `${which} is a list of ${vector.length} vectors, one for each token: the server does not pool them.`,
      next: 'Start the server with the pooling that the model needs (llama-server: `--pooling mean`, `cls` or `last`), or choose an embedding model.',
    };
  }
  return {
    why: `${which} has ${nameOf(value)} in place of a number, at its index ${place}.`,
    next: 'Where the model computes something that is not a finite number (NaN), servers send null: send the text again and another one. If both fail, update the server, or use another quantization or precision of the model.',
  };
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? 'nothing' : String(value);
}
