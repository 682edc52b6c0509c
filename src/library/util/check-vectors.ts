// Checks embedding vectors, whoever made them. Independent of protocols.

/** What is wrong with vectors, and what to do about it; sentences. */
export interface VectorProblem {
  why: string;
  next: string;
}

export const NO_EMBEDDINGS = 'Choose a model that embeds, on a server that was started for embeddings.';
export const NO_POOLING =
  'Start the server with the pooling that the model needs (llama-server: `--pooling mean`, `cls` or `last`), or choose an embedding model.';
export const NO_NUMBER =
  'The model computed something that is not a finite number (NaN): send the text again and another one. If both fail, update the server, or use another quantization or precision of the model.';
const ONE_BY_ONE = 'Send the texts one at a time.';

/**
 * The vectors, if there is one non-empty vector of finite numbers for each text. Anything else is an error and never `[]`,
 * because results computed from it would silently be wrong.
 * @returns what is wrong, instead of vectors
 */
export function checkVectors(vectors: unknown, count: number): number[][] | VectorProblem {
  if (!Array.isArray(vectors)) return { why: 'The reply has no embeddings.', next: NO_EMBEDDINGS };
  const { length } = vectors;
  if (length !== count) {
    const next = length < count ? `Send fewer texts at once, and none that is empty.` : ONE_BY_ONE;
    return {
      why: `The reply has ${length} vectors for ${count} texts.`,
      next: length === 0 ? `${NO_EMBEDDINGS} An empty text has no vector on some servers.` : next,
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
    return { why: `${which} is ${nameOf(vector)} and not a list of numbers.`, next: NO_EMBEDDINGS };
  if (vector.length === 0) return { why: `${which} is empty.`, next: NO_EMBEDDINGS };
  // Unlike `find`, `findIndex` also looks at the holes of a list.
  const place = vector.findIndex((value) => !Number.isFinite(value));
  if (place < 0) return undefined;
  const value: unknown = vector[place];
  if (Array.isArray(value)) {
    return {
      why: `${which} is a list of ${vector.length} vectors, one for each token: the server does not pool them.`,
      next: NO_POOLING,
    };
  }
  return {
    why: `${which} has ${nameOf(value)} in place of a number, at its index ${place}.`,
    next: NO_NUMBER,
  };
}

function nameOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return String(value);
    case 'undefined':
      return 'nothing';
    default:
      return value === null ? 'null' : 'an object';
  }
}
