// What both protocols' embedding requests come down to. Pure; it knows no wire.
import { CHARACTERS_PER_TOKEN, countTokens } from './tokens';
import { WireError } from './wire-error';

/** One text to embed. */
export interface EmbeddingInput {
  text: string;
  tokens: number;
}

/** What this server and the real ones say when a chat model is asked for a vector. */
export const NO_EMBEDDINGS = 'This server does not support embeddings. Start it with `--embeddings`';

/** As many as OpenAI takes in one request; the real servers here take any number, but this one shares its process. */
const MAX_INPUTS = 2048;

/** The mark every prompt begins with. */
const START_TOKENS = 1;

export function toEmbeddingInput(text: string): EmbeddingInput {
  return { text, tokens: countTokens(text) + START_TOKENS };
}

/** The beginning of the text that has no more than `maxTokens` tokens. */
export function cutEmbeddingInput(input: EmbeddingInput, maxTokens: number): EmbeddingInput {
  if (input.tokens <= maxTokens) return input;
  return toEmbeddingInput(input.text.slice(0, (maxTokens - START_TOKENS) * CHARACTERS_PER_TOKEN));
}

export function countEmbeddingTokens(inputs: readonly EmbeddingInput[]): number {
  return inputs.reduce((sum, input) => sum + input.tokens, 0);
}

/** @throws {WireError} 400 for more inputs than one request may have. */
export function checkInputCount(inputs: readonly unknown[]): void {
  if (inputs.length <= MAX_INPUTS) return;
  throw new WireError(400, `too many inputs: ${inputs.length}, and one request may have ${MAX_INPUTS}`);
}
