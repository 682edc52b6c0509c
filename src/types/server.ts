// What a server reports about itself and its models. What it does not report is absent.
import type { SamplingParams } from './sampling';

/** The local servers that are recognized by their responses. */
export type ServerProduct = 'ollama' | 'llama-server' | 'vllm' | 'lm-studio';

/** Who wrote a message or a reply, as far as its words show; `service`: a hosted one, which nobody here can start differently. */
export type ServerName = ServerProduct | 'sglang' | 'tabbyapi' | 'tgi' | 'service';

/** A server and the models it offers. */
export interface ServerInfo {
  /** Absent when the responses do not show it, as with hosted APIs. */
  product?: ServerProduct | undefined;
  /** As the server writes it, such as `0.32.1` or `b11669`. */
  version?: string | undefined;
  models: ModelInfo[];
}

/** One model of a server. */
export interface ModelInfo {
  /** The name of the model in requests. */
  id: string;
  /** Size of its file, in bytes. */
  sizeBytes?: number | undefined;
  /** Number of weights as the server writes it, such as `8.2B`. */
  parameterSize?: string | undefined;
  /** Such as `Q4_K_M`. */
  quantization?: string | undefined;
  /** Maximum context length in tokens. */
  maxContextLength?: number | undefined;
  /** Context length in tokens with which it is loaded now. */
  contextLength?: number | undefined;
  /** `completion`, `tools`, `vision`, `thinking`, `embedding` … Absent when the server does not report them. */
  capabilities?: string[] | undefined;
  /** Values that the server uses for parameters a request omits, as far as it reports them. */
  samplingDefaults?: SamplingParams | undefined;
  /** Whether it is loaded in memory. Absent when the server does not report it. */
  isRunning?: boolean | undefined;
}
