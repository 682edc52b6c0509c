// What servers and services say when they cannot embed texts. Pure data.
import type { ServerWords } from './words-entry';

/** Stand before the words for an overflow: what is too long here is a text and no conversation. */
export const EMBEDDING_WORDS: readonly ServerWords[] = [
  {
    // Go's encoder, for a vector of which a component is not finite.
    id: 'ollama-nan',
    server: 'ollama',
    pattern: /json: unsupported value: (?:NaN|[+-]?Inf)/i,
    cause: 'no-number',
    source: 'https://github.com/ollama/ollama/issues/9639',
  },
  {
    id: 'llama-batch',
    server: 'llama-server',
    pattern:
      /input (?:\((?<prompt>\d+) tokens\) )?is too large to process(?:[^(]{0,80}\(current batch size: (?<room>\d+)\))?/i,
    cause: 'long-text',
    source: 'https://github.com/ggml-org/llama.cpp/pull/7389',
  },
  {
    id: 'ollama-input',
    server: 'ollama',
    pattern: /input length exceeds (?:the |maximum )*context length/i,
    cause: 'long-text',
    source: 'https://github.com/ollama/ollama/blob/main/server/routes.go',
  },
  {
    id: 'vllm-embedding-input',
    server: 'vllm',
    pattern:
      /maximum context length is (?<room>\d+) tokens\. However, you requested (?<prompt>\d+) tokens in the input for (?:embedding|score|pooling)/i,
    cause: 'long-text',
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/serving_engine.py',
  },
  {
    id: 'tei-input',
    server: 'tgi',
    pattern: /[`'"]?inputs?[`'"]? must have less than (?<room>\d+) tokens\. Given: (?<prompt>\d+)/i,
    cause: 'long-text',
    source: 'https://github.com/huggingface/text-embeddings-inference/blob/main/core/src/tokenization.rs',
  },
  {
    // TEI, DashScope, Gemini, Cohere, Voyage, Mistral, OpenAI.
    id: 'embedding-batch',
    pattern:
      /batch size \d+ > maximum allowed batch size|batch size is invalid, it should not be larger than|at most \d+ requests can be in one batch|number of texts must be at most|batch size limit is|too many (?:tokens|inputs) in batch|['"`]?input['"`]?: array too long|max(?:imum)? \d+ tokens per request/i,
    cause: 'many-texts',
    source: 'https://github.com/huggingface/text-embeddings-inference/blob/main/core/src/infer.rs',
  },
  {
    id: 'llama-pooling',
    server: 'llama-server',
    pattern: /pooling type ['"`]?none['"`]? is not|requires pooling|pooling_type (?:is )?none/i,
    cause: 'no-pooling',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
  },
  {
    // Ollama, llama-server, vLLM, SGLang, LM Studio, OpenAI.
    id: 'no-embeddings',
    pattern:
      /does(?: not|n't) (?:support|provide|have|appear to be)[^.]{0,30}\bembeddings?\b|\bis not (?:an )?embeddings?\b|not allowed to generate embeddings|embeddings?\b[^.]{0,30}\bnot (?:supported|enabled|available|implemented)/i,
    cause: 'no-embeddings',
    source: 'https://github.com/ollama/ollama/blob/main/server/routes.go',
  },
];
