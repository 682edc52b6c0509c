// Translates texts into embedding requests of both protocols, and the replies into vectors in the order of the texts. Pure.
import type { TokenUsage } from '../../types';
import type { VectorProblem } from '../util/check-vectors';
import { checkVectors, inWrongOrder } from '../util/check-vectors';
import { isRecord, toCount, toRecord } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';

/**
 * Body of Ollama's `POST /api/embed` and of the hosted `POST /embeddings`. Servers refuse lone surrogates, so these are
 * replaced.
 */
export interface EmbedBody {
  model: string;
  input: string[];
}

/** Body of Ollama's older `POST /api/embeddings`. */
export interface OldEmbedBody {
  model: string;
  prompt: string;
}

export const toEmbedBody = (model: string, texts: readonly string[]): EmbedBody => ({
  model,
  input: texts.map((text) => text.toWellFormed()),
});

export const toOldEmbedBody = (model: string, text: string): OldEmbedBody => ({
  model,
  prompt: text.toWellFormed(),
});

/**
 * Reads the reply of Ollama's `POST /api/embed`: `{embeddings: [[…]]}`.
 * @returns what is wrong instead when there is not one vector for each text
 */
export function fromLocalHostEmbeddings(document: unknown, count: number): number[][] | VectorProblem {
  const { embeddings } = toRecord(document);
  return checkVectors(Array.isArray(embeddings) ? embeddings.map(toVector) : embeddings, count);
}

/** Reads the token count in replies of both of Ollama's routes; the older one reports none. */
export const readLocalHostEmbedUsage = (document: unknown): TokenUsage =>
  pruneUndefined({ promptTokens: toCount(toRecord(document)['prompt_eval_count']) });

/** Reads the reply of Ollama's older `POST /api/embeddings`, with one text per request: `{embedding: […]}`. */
export function fromLocalHostEmbedding(document: unknown): number[][] | VectorProblem {
  return checkVectors([toVector(toRecord(document)['embedding'])], 1);
}

/**
 * Reads the reply of the hosted `POST /embeddings`: `{data: [{index, embedding}]}`, in any order. Some relays send each
 * vector as base64 of little-endian 32-bit floats, whatever the request says; llama-server's own route, also in old versions
 * of it, sends the list of `data` alone.
 * @returns what is wrong instead when there is not one vector for each text
 */
export function fromHostedApiEmbeddings(document: unknown, count: number): number[][] | VectorProblem {
  const data = Array.isArray(document) ? document : toRecord(document)['data'];
  if (!Array.isArray(data)) {
    return {
      why: 'The reply has no list of vectors (`data`).',
      next: 'The server answers in another form than this protocol has: update it, or use the connection of its own protocol.',
    };
  }
  const entries = data.map(toRecord);
  const vectors = entries.map(({ embedding }) => toVector(decode(embedding)));
  const indexes = entries.map(({ index }) => readIndex(index));
  const numbers = new Set(indexes);
  // Without numbers of their own, the vectors are in the order of the texts.
  if (numbers.size <= 1) return checkVectors(vectors, count);
  if (numbers.has(undefined))
    return inWrongOrder('The reply has vectors without an index beside others that have one.');
  if (numbers.size < indexes.length) return inWrongOrder('The reply has the same index for several vectors.');
  const order = [...indexes.keys()].toSorted((a, b) => (indexes[a] ?? 0) - (indexes[b] ?? 0));
  // Some servers count from 1.
  const span = (indexes[order.at(-1) ?? 0] ?? 0) - (indexes[order[0] ?? 0] ?? 0);
  if (span >= order.length) return inWrongOrder('The reply has indexes that belong to no text.');
  return checkVectors(
    order.map((place) => vectors[place]),
    count,
  );
}

/** Servers that do not pool send a list of vectors, one for each token; with one row, it is the vector of the text. */
const toVector = (embedding: unknown): unknown =>
  Array.isArray(embedding) && embedding.length === 1 && Array.isArray(embedding[0])
    ? embedding[0]
    : embedding;

/** Some relays write it as a text. */
function readIndex(index: unknown): number | undefined {
  return typeof index === 'string' && /^\d+$/.test(index) ? Number(index) : toCount(index);
}

/** A text that is no base64 of whole floats stays one: read leniently, any text would give numbers. */
function decode(embedding: unknown): unknown {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  const isWhole =
    bytes.length % 4 === 0 && bytes.toString('base64') === embedding.padEnd(paddedLength(bytes), '=');
  if (!isWhole) return embedding;
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

/** Some encoders leave the padding out. */
const paddedLength = ({ length }: Buffer): number => Math.ceil(length / 3) * 4;

/** Whether the server lacks this route. A server that lacks the model answers 404 too, but with an error document. */
export function isMissingRoute(status: number, document: unknown): boolean {
  return status === 404 && (!isRecord(document) || typeof document['error'] !== 'string');
}
