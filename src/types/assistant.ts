// What a chat returns: the reply as the server sent it, and the turn that is made of it.
import type { TokenUsage } from './cost';
import type { AttemptRecord, Exchange } from './exchange';
import type { Message } from './message';
import type { RescueReport } from './rescue';
import type { ProviderToolCall } from './tool';

/** The reply as the back end returned it; the same whether rescue is on or off. */
export interface RawAssistant {
  /** Untouched; '' when the back end returned no text. */
  content: string;
  /** Native calls only. */
  toolCalls: ProviderToolCall[];
  usage: TokenUsage;
  /** The value that `request()` returned. */
  attempts: number;
  finishReason?: string | undefined;
  reasoning?: string | undefined;
  model?: string | undefined;
}

/** A piece of a streamed reply, in the order of arrival; what `onDelta` receives. Calls and rescue come with the turn. */
export interface ChatDelta {
  content?: string | undefined;
  /**
   * The part of the content up to here that is no call written as text, for those who show prose only; '' while what came
   * may become one. What is left of it in the end comes in a piece of its own. Scanned only where it is read, in order.
   */
  text?: string | undefined;
  reasoning?: string | undefined;
  /** A piece of a native tool call: `arguments` is the next part of its text. */
  toolCall?:
    | { index: number; id?: string | undefined; name?: string | undefined; arguments?: string | undefined }
    | undefined;
  /** As soon as the server tells it. */
  usage?: TokenUsage | undefined;
}

/** What had arrived of a reply that failed. */
export interface PartialReply {
  /** '' when none had. */
  content: string;
  reasoning?: string | undefined;
  /** Native calls; the last one may be cut anywhere. */
  toolCalls?: { id?: string | undefined; name?: string | undefined; arguments: string }[] | undefined;
}

/** What one call of `chat` came to. */
export interface ChatTurn {
  /** What enters the history: when calls were rescued, its content is the rest of the text. */
  assistant: Message;
  raw: RawAssistant;
  /** The native calls, or else the rescued ones. */
  toolCalls: ProviderToolCall[];
  /** Present when tools were offered and no native call came; with rescue off it says what would have been taken. */
  rescue?: RescueReport | undefined;
  usage: TokenUsage & { costUsd?: number | undefined };
  attempts: number;
  ledger: AttemptRecord[];
  exchange: Exchange;
}
