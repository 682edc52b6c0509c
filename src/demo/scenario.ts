// The neutral seam between a scripted model and the two wires. It knows no protocol field, no HTTP header order, no socket.
import type { Message, SamplingParams, ToolType } from '../types';

export type DemoProtocol = 'local' | 'hosted';

export interface DemoRequest {
  protocol: DemoProtocol;
  /** The scripted model's name, without a tag. */
  model: string;
  messages: readonly Message[];
  /** The tools that were offered; empty when none was. */
  tools: readonly ToolType[];
  sampling: SamplingParams;
  /** The request says that a tool has to be called; only the hosted protocol can. */
  isCallRequired?: boolean | undefined;
  /** 1-based: how often this very same request body was seen since its last success. */
  attempt: number;
}

export interface DemoCall {
  name: string;
  /** The arguments as JSON text, as a model writes them. */
  argumentsText: string;
}

/** An answer with status 200. */
export interface DemoTurn {
  kind: 'turn';
  content: string;
  toolCalls: readonly DemoCall[];
  /** Hidden reasoning, kept apart from the content. */
  reasoning?: string | undefined;
  /** `length` when the reply was cut. @default 'stop' */
  finishReason?: 'stop' | 'length' | undefined;
  /** Milliseconds before the headers. @default 0 */
  delayMs?: number | undefined;
  /** The connection ends in the middle of the answer. @default false */
  isCutOff?: boolean | undefined;
}

/** An answer with an error status; each wire writes it in its own error shape. */
export interface DemoFailure {
  kind: 'failure';
  status: number;
  message: string;
  /**
   * The hosted wire's `error.code`: a text such as `rate_limit_exceeded`, as OpenAI has it, or the status as a number,
   * as llama-server has it in the errors of its own.
   */
  code: string | number;
  /** The hosted wire's `error.type`, such as `requests`. */
  type: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds before the headers. @default 0 */
  delayMs?: number | undefined;
}

/** No answer at all: the request is taken, and nothing comes until its caller leaves. */
export interface DemoSilence {
  kind: 'silence';
  /** What never begins is not delayed either. */
  delayMs?: undefined;
}

export type DemoReply = DemoTurn | DemoFailure | DemoSilence;

/** One scripted model. The same request always gets the same reply. */
export interface Scenario {
  /** The model id. */
  name: string;
  /** One sentence: what it shows. */
  summary: string;
  /** Answers embeddings, and no chat. @default false: the other way round */
  isEmbedder?: boolean | undefined;
  reply: (request: DemoRequest) => DemoReply;
}

/** A turn of plain text. */
export function toTextTurn(content: string): DemoTurn {
  return { kind: 'turn', content, toolCalls: [] };
}
