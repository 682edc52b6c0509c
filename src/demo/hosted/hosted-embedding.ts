// The embeddings of the hosted protocol: the checks of a llama-server with its error texts, and its response. Pure.
import { embedText } from '../model/embed-text';
import {
  NO_EMBEDDINGS,
  checkInputCount,
  countEmbeddingTokens,
  toEmbeddingInput,
} from '../wire/embedding-input';
import type { EmbeddingInput } from '../wire/embedding-input';
import { readHostedModel, readHostedObject } from './hosted-request';
import { isJsonObject } from '../wire/json-value';
import { stringIn } from '../wire/wire-message';
import { WireError } from '../wire/wire-error';

const MAX_INPUT_TOKENS = 512;

/**
 * Computes the body of the response from the body of the request. `dimensions` is ignored, as in llama-server.
 * @throws {WireError} with the server's status, text and type
 */
export function toHostedEmbeddings(body: string): string {
  const request = readHostedObject(body);
  const scenario = readHostedModel(request);
  if (!scenario.isEmbedder) throw new WireError(501, NO_EMBEDDINGS, 'not_supported_error');
  const isBase64 = readEncoding(request['encoding_format']);
  const inputs = readInputs(request['input'] ?? request['content']);
  const vectors = inputs.map((input) => embedText(input.text));
  // `content` is the field of llama-server's older endpoint, which returns only the list.
  if (request['input'] === undefined) {
    return JSON.stringify(vectors.map((vector, index) => ({ index, embedding: [vector] })));
  }
  const tokens = countEmbeddingTokens(inputs);
  return JSON.stringify({
    model: scenario.name,
    object: 'list',
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    data: vectors.map((vector, index) => ({
      embedding: isBase64 ? toBase64(vector) : vector,
      index,
      object: 'embedding',
      ...(isBase64 ? { encoding_format: 'base64' } : {}),
    })),
  });
}

/** Whether the request asks for base64. */
function readEncoding(format: unknown): boolean {
  if (format === undefined || format === 'float') return false;
  if (format === 'base64') return true;
  throw new WireError(400, 'The format to return the embeddings in. Can be either float or base64');
}

/** One input: a text, or a list that contains a number (tokens). Several inputs: a list of texts or token lists. */
function readInputs(input: unknown): EmbeddingInput[] {
  if (input === undefined) throw new WireError(400, '"input" or "content" must be provided');
  const isList = Array.isArray(input) && !input.some((item) => typeof item === 'number');
  const items: unknown[] = isList ? input : [input];
  if (items.length === 0) throw new WireError(400, '"input" must not be empty');
  checkInputCount(items);
  return items.map((item) => checkSize(readInput(item)));
}

function readInput(input: unknown): EmbeddingInput {
  const text = isJsonObject(input) ? stringIn(input['prompt_string']) : stringIn(input);
  if (text !== undefined) return toEmbeddingInput(text);
  if (Array.isArray(input) && input.every((item) => isTextOrToken(item))) return fromTokens(input);
  throw new WireError(
    400,
    '"prompt" elements must be a string, a list of tokens, a JSON object containing a prompt string, or a list of mixed strings & tokens.',
  );
}

function isTextOrToken(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isInteger(value);
}

/** There is no vocabulary, so a token becomes its number as text; equal tokens give equal vectors. */
function fromTokens(tokens: readonly (string | number)[]): EmbeddingInput {
  if (tokens.length === 0) throw new WireError(400, 'Input content cannot be empty');
  return { text: tokens.join(' '), tokens: tokens.length };
}

function checkSize(input: EmbeddingInput): EmbeddingInput {
  if (input.tokens <= MAX_INPUT_TOKENS) return input;
  const hint = `increase the physical batch size (current batch size: ${MAX_INPUT_TOKENS})`;
  throw new WireError(500, `input (${input.tokens} tokens) is too large to process. ${hint}`, 'server_error');
}

/** The float32 values as little-endian bytes. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  for (const [index, value] of vector.entries()) {
    bytes.writeFloatLE(value, index * Float32Array.BYTES_PER_ELEMENT);
  }
  return bytes.toString('base64');
}
