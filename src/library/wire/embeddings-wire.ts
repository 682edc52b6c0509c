// Texts → embedding requests of both protocols; their replies → vectors, in the order of the texts. Pure.
import type { TokenUsage } from '../../types';
import { checkVectors } from '../util/check-vectors';
import { isRecord, toCount, toRecord } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';

/** A text with half a surrogate pair is refused, so the half is replaced. Of Ollama's `POST /api/embed` and of the hosted `POST /embeddings` alike. */
export interface EmbedBody {
  model: string;
  input: string[];
}

/** Of Ollama's older `POST /api/embeddings`. */
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
 * Ollama's `POST /api/embed`: `{embeddings: [[…]]}`. @returns a sentence instead when there is not one vector a text.
 */
export function fromLocalHostEmbeddings(document: unknown, count: number): number[][] | string {
  return checkVectors(toRecord(document)['embeddings'], count);
}

/** Of both of Ollama's routes; the older one tells nothing. */
export const readLocalHostEmbedUsage = (document: unknown): TokenUsage =>
  pruneUndefined({ promptTokens: toCount(toRecord(document)['prompt_eval_count']) });

/** Ollama's older `POST /api/embeddings`, one text a request: `{embedding: […]}`. */
export function fromLocalHostEmbedding(document: unknown): number[][] | string {
  return checkVectors([toRecord(document)['embedding']], 1);
}

/**
 * The hosted `POST /embeddings`: `{data: [{index, embedding}]}`, in any order; a vector may be base64 of little-endian
 * 32-bit floats where a relay insists on it.
 */
export function fromHostedApiEmbeddings(document: unknown, count: number): number[][] | string {
  const data = toRecord(document)['data'];
  if (!Array.isArray(data)) return 'The reply has no data.';
  const entries = data.map(toRecord).map((entry, place) => ({
    index: typeof entry['index'] === 'number' ? entry['index'] : place,
    vector: decode(entry['embedding']),
  }));
  return checkVectors(
    entries.toSorted((a, b) => a.index - b.index).map(({ vector }) => vector),
    count,
  );
}

function decode(embedding: unknown): unknown {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}

/** A server without this route, in contrast to one without this model, which answers 404 with an error document. */
export function isMissingRoute(status: number, document: unknown): boolean {
  return status === 404 && (!isRecord(document) || typeof document['error'] !== 'string');
}
