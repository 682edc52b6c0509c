// The interface between scripted models and the protocols. Independent of protocol fields, HTTP headers and sockets.
import type { Message, SamplingParams, ToolType } from '../../types';

export type DemoProtocol = 'local' | 'hosted' | 'messages' | 'responses';

export interface DemoRequest {
  protocol: DemoProtocol;
  /** The scripted model's name, without a tag. */
  model: string;
  messages: readonly Message[];
  /** The offered tools; may be empty. */
  tools: readonly ToolType[];
  /** Protocols without a seed get one from the stage. */
  sampling: SamplingParams;
  /** Whether the request demands a tool call; the local protocol cannot. */
  isCallRequired?: boolean | undefined;
  /** Whether the request allows one call at most; only the messages and responses protocols can. */
  isCallSingle?: boolean | undefined;
  /** Whether the request asks the model to reason; only the messages and responses protocols can. */
  isReasoningAsked?: boolean | undefined;
  /** Starts at 1: how often this exact request body was received since its last success. */
  attempt: number;
}

export interface DemoCall {
  name: string;
  /** The arguments as JSON text, as the model wrote them. */
  argumentsText: string;
}

/** A response with status 200. */
export interface DemoTurn {
  kind: 'turn';
  content: string;
  toolCalls: readonly DemoCall[];
  /** Hidden reasoning, separate from the content. */
  reasoning?: string | undefined;
  /** `length` when the reply was truncated. @default 'stop' */
  finishReason?: 'stop' | 'length' | undefined;
  /** The stop sequence at which the content was cut. @default none was met */
  stopSequence?: string | undefined;
  /** Milliseconds to wait before the headers. @default 0 */
  delayMs?: number | undefined;
  /** Whether the connection ends in the middle of the response. @default false */
  isCutOff?: boolean | undefined;
}

/** A response with an error status; each protocol writes it in its own error shape. */
export interface DemoFailure {
  kind: 'failure';
  status: number;
  message: string;
  /**
   * `error.code` of the hosted and responses protocols: a text such as `rate_limit_exceeded`, as in OpenAI's errors, or the
   * status as a number, as in llama-server's own.
   */
  code: string | number;
  /** `error.type` of the hosted and responses protocols, such as `requests`. The other two derive it from the status. */
  type: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds to wait before the headers. @default 0 */
  delayMs?: number | undefined;
}

/** No response: the request is accepted, and nothing is sent until the caller disconnects. */
export interface DemoSilence {
  kind: 'silence';
  /** Never set: a response that is never sent cannot be delayed. */
  delayMs?: undefined;
}

export type DemoReply = DemoTurn | DemoFailure | DemoSilence;

/** One scripted model. The same request always gets the same reply. */
export interface Scenario {
  /** The id of the model. */
  name: string;
  /** One sentence about what the model demonstrates. */
  summary: string;
  /** True: answers embeddings and refuses chats. @default false: the reverse */
  isEmbedder?: boolean | undefined;
  reply: (request: DemoRequest) => DemoReply;
}

/** A turn of plain text. */
export function toTextTurn(content: string): DemoTurn {
  return { kind: 'turn', content, toolCalls: [] };
}
