// What the embedding requests of both protocols have in common. Independent of their wire formats. Pure.
import { CHARACTERS_PER_TOKEN, countTokens } from '../model/tokens';
import { WireError } from './wire-error';

/** One text to embed. */
export interface EmbeddingInput {
  text: string;
  tokens: number;
}

/** The error of llama-server when a chat model is asked for embeddings. */
export const NO_EMBEDDINGS = 'This server does not support embeddings. Start it with `--embeddings`';

/**
 * As many as OpenAI accepts in one request. llama-server and Ollama accept any number, but this server shares its process.
 */
const MAX_INPUTS = 2048;

/** The start token, with which every prompt begins. */
const START_TOKENS = 1;

export function toEmbeddingInput(text: string): EmbeddingInput {
  return { text, tokens: countTokens(text) + START_TOKENS };
}

/** The beginning of the text that has at most `maxTokens` tokens. */
export function cutEmbeddingInput(input: EmbeddingInput, maxTokens: number): EmbeddingInput {
  if (input.tokens <= maxTokens) return input;
  return toEmbeddingInput(input.text.slice(0, (maxTokens - START_TOKENS) * CHARACTERS_PER_TOKEN));
}

export function countEmbeddingTokens(inputs: readonly EmbeddingInput[]): number {
  return inputs.reduce((sum, input) => sum + input.tokens, 0);
}

/** @throws {WireError} 400 when one request has too many inputs */
export function checkInputCount(inputs: readonly unknown[]): void {
  if (inputs.length <= MAX_INPUTS) return;
  throw new WireError(400, `too many inputs: ${inputs.length}, and one request may have ${MAX_INPUTS}`);
}
