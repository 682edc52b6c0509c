// How servers of the OpenAI protocol render the prompt of a chat request without generating. The protocol itself has no way;
// llama-server and vLLM have routes of their own. Others only tokenize a finished text (SGLang's `/tokenize`). Pure.
import { toCount, toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';

/**
 * Body for llama-server's `POST /apply-template`. It reads a whole chat request, with tools and `chat_template_kwargs`, as the
 * chat does. Source: https://github.com/ggml-org/llama.cpp/tree/master/tools/server, `oaicompat_chat_params_parse`
 */
export const toTemplateBody = (body: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !/^stream(?:_options)?$/.test(key)));

export const fromTemplateReply = (document: unknown): string | undefined =>
  toString(toRecord(document)['prompt']);

/** Body for llama-server's `POST /tokenize`, with the options of its chat; a router finds the server by the model. */
export const toTokenizeBody = (content: string, { model }: JsonRecord): JsonRecord => ({
  ...(model !== undefined && { model }),
  content,
  add_special: true,
  parse_special: true,
  with_pieces: true,
});

/** The text of each token; a token that is not valid Unicode is a list of bytes. */
export function fromTokenizeReply(document: unknown): unknown[] | undefined {
  const { tokens } = toRecord(document);
  return Array.isArray(tokens) ? tokens.map((token) => toRecord(token)['piece']) : undefined;
}

/** The fields of a chat request that vLLM's `TokenizeChatRequest` has, too. */
const TOKENIZED = [
  'model',
  'messages',
  'tools',
  'chat_template',
  'chat_template_kwargs',
  'add_generation_prompt',
  'continue_final_message',
  'add_special_tokens',
  'mm_processor_kwargs',
];

/**
 * Body for vLLM's `POST /tokenize`. Source: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html and
 * `vllm/entrypoints/serve/tokenize/protocol.py`
 */
export function toChatTokenizeBody(body: JsonRecord): JsonRecord {
  const taken = TOKENIZED.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]);
  // The server refuses both at once.
  const generation = body['continue_final_message'] === true ? {} : { add_generation_prompt: true };
  return { ...generation, ...Object.fromEntries(taken), return_token_strs: true };
}

export interface TokenizedChat {
  ids: unknown[];
  tokens: number;
  contextLength: number | undefined;
  /** The token strings; absent from older versions. Those of special tokens are their texts. */
  pieces: unknown[] | undefined;
}

export function fromChatTokenizeReply(document: unknown): TokenizedChat | undefined {
  const { tokens: ids, token_strs: pieces, count, max_model_len: length } = toRecord(document);
  if (!Array.isArray(ids)) return undefined;
  return {
    ids,
    tokens: toCount(count) ?? ids.length,
    contextLength: toCount(length) || undefined,
    pieces: Array.isArray(pieces) ? pieces : undefined,
  };
}

/** Body for vLLM's `POST /detokenize`: its token strings are those of the vocabulary, such as `Ġword`, and no text. */
export const toDetokenizeBody = (ids: unknown[], { model }: JsonRecord): JsonRecord => ({
  model,
  tokens: ids,
});

export const fromDetokenizeReply = fromTemplateReply;

const toString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
