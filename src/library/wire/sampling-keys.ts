// The neutral sampling keys in each back end's own words; null where it has none.
import type { SamplingParams } from '../../types';

export type SamplingKeys = Readonly<Record<keyof SamplingParams, string | null>>;

/** The request keys that a table makes of the sampling, with their types. */
export type WireSampling<Keys extends SamplingKeys> = {
  [Key in keyof SamplingParams as Keys[Key] & string]?: NonNullable<SamplingParams[Key]>;
};

/** Ollama, under `options`. */
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

/** The hosted chat-completion API, at the top level. */
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
