// Sends requests to the embedding endpoints over a real socket and reads their answers.
import type { DemoServer } from '../../../src/demo';
import { sendRequest } from './raw-request';

export interface EmbeddingAnswer {
  status: number;
  json: EmbeddingBody;
}

interface EmbeddingBody {
  model?: string;
  embeddings?: number[][];
  embedding?: number[];
  prompt_eval_count?: number;
  total_duration?: number;
  data?: { embedding: number[] | string; index: number; encoding_format?: string }[];
  usage?: { prompt_tokens: number; total_tokens: number };
  error?: unknown;
}

/** @param path From the root, such as `/api/embed`. The model is demo-embed unless the body names another. */
export async function askEmbedding(
  server: DemoServer,
  path: string,
  body: Record<string, unknown>,
): Promise<EmbeddingAnswer> {
  const text = JSON.stringify({ model: 'demo-embed', ...body });
  const reply = await sendRequest(server.localHost + path, { body: text });
  return { status: reply.status, json: JSON.parse(reply.body) as EmbeddingBody };
}
