// Maps the neutral sampling keys to the keys of each back end; null where it has none.
import type { SamplingParams } from '../../types';

export type SamplingKeys = Readonly<Record<keyof SamplingParams, string | null>>;

/** The request keys of such a map, with the types of their values. */
export type WireSampling<Keys extends SamplingKeys> = {
  [Key in keyof SamplingParams as Keys[Key] & string]?: NonNullable<SamplingParams[Key]>;
};

/** Keys of Ollama, under `options`. */
export const LOCAL_HOST_SAMPLING_KEYS = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  maxTokens: 'num_predict',
  numCtx: 'num_ctx',
  stop: 'stop',
  repeatPenalty: 'repeat_penalty',
} as const satisfies SamplingKeys;

/** Keys of the hosted chat-completion API, at the top level. */
export const HOSTED_API_SAMPLING_KEYS = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: null,
  seed: 'seed',
  maxTokens: 'max_tokens',
  numCtx: null,
  stop: 'stop',
  repeatPenalty: null,
} as const satisfies SamplingKeys;

/** Keys of the Messages API, at the top level. */
export const MESSAGES_SAMPLING_KEYS = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: null,
  maxTokens: 'max_tokens',
  numCtx: null,
  stop: 'stop_sequences',
  repeatPenalty: null,
} as const satisfies SamplingKeys;

/** Keys of the Responses API, at the top level. */
export const RESPONSES_SAMPLING_KEYS = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: null,
  seed: null,
  maxTokens: 'max_output_tokens',
  numCtx: null,
  stop: null,
  repeatPenalty: null,
} as const satisfies SamplingKeys;
