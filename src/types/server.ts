// What a server tells of itself and of its models. Every count is what the server said; what it did not say is absent.
import type { SamplingParams } from './sampling';

/** The local servers that are known by what they answer. */
export type ServerProduct = 'ollama' | 'llama-server' | 'vllm' | 'lm-studio';

/** A server and the models it offers. */
export interface ServerInfo {
  /** Absent when the answers do not show what it is, as with hosted APIs. */
  product?: ServerProduct | undefined;
  /** In the server's own words, such as `0.32.1` or `b11669`. */
  version?: string | undefined;
  models: ModelInfo[];
}

/** One model of a server. */
export interface ModelInfo {
  /** What a request names it by. */
  id: string;
  /** Of its file, in bytes. */
  sizeBytes?: number | undefined;
  /** Number of weights, in the server's own words: `8.2B`. */
  parameterSize?: string | undefined;
  /** Such as `Q4_K_M`. */
  quantization?: string | undefined;
  /** Tokens that it takes at most. */
  maxContextLength?: number | undefined;
  /** Tokens that it takes as it is loaded now. */
  contextLength?: number | undefined;
  /** `completion`, `tools`, `vision`, `thinking`, `embedding` … Absent: the server does not tell. */
  capabilities?: string[] | undefined;
  /** What it is used with where a request sets nothing, as far as the server tells. */
  samplingDefaults?: SamplingParams | undefined;
  /** Whether it is in memory. Absent: the server does not tell. */
  isRunning?: boolean | undefined;
}
