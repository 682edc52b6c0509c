// What a chat returns: the reply as the server sent it, and the turn made from it.
import type { TokenUsage } from './cost';
import type { AttemptRecord, Exchange } from './exchange';
import type { Message, ReplayData } from './message';
import type { RescueReport } from './rescue';
import type { ProviderToolCall } from './tool';

/** The reply as the back end returned it. Does not depend on whether rescue is on. */
export interface RawAssistant {
  /** Unchanged; '' when the back end returned no text. */
  content: string;
  /** Native calls only. */
  toolCalls: ProviderToolCall[];
  usage: TokenUsage;
  /** The number of attempts that `request()` returned. */
  attempts: number;
  /**
   * Why the reply ended, such as `stop` or `length`, in the words of the server; those of the Messages API that mean the same
   * as a word of chat completions are that word.
   */
  finishReason?: string | undefined;
  /** The reasoning text that the server sent separately from the content. */
  reasoning?: string | undefined;
  /** The model that answered, as the server names it. */
  model?: string | undefined;
  /** What the back end wants back unchanged when this reply is part of a later request. */
  replay?: ReplayData | undefined;
  /** What the service says of its refusal to answer (Messages API: `stop_details`). */
  refusal?: { category?: string | undefined; explanation?: string | undefined } | undefined;
}

/** A piece of a streamed reply, in order of arrival, as `onDelta` receives it. Whole calls and rescue come with the turn. */
export interface ChatDelta {
  content?: string | undefined;
  /**
   * For callers that show prose only: the content up to here without calls written as text; '' while the last part may still
   * become a call. What turns out to be no call follows in a piece of its own. The text is only scanned when this is read.
   */
  text?: string | undefined;
  reasoning?: string | undefined;
  /** A piece of a native tool call. `arguments` is the next part of their text. */
  toolCall?:
    | { index: number; id?: string | undefined; name?: string | undefined; arguments?: string | undefined }
    | undefined;
  /** Sent as soon as the server reports it. */
  usage?: TokenUsage | undefined;
}

/** The part that had arrived of a failed reply. */
export interface PartialReply {
  /** '' when no content had arrived. */
  content: string;
  reasoning?: string | undefined;
  /** Native calls; the last one may be cut off anywhere. */
  toolCalls?: { id?: string | undefined; name?: string | undefined; arguments: string }[] | undefined;
}

/** The result of one call of `chat`. */
export interface ChatTurn {
  /** The message that enters the history. If calls were rescued, its content is the text without them. */
  assistant: Message;
  raw: RawAssistant;
  /** The native calls or, if there are none, the rescued ones. */
  toolCalls: ProviderToolCall[];
  /** Present when tools were offered and no native call was received. With rescue off, says what would have been rescued. */
  rescue?: RescueReport | undefined;
  /** Token counts as the server reported them; `costUsd` is in USD and absent without rates or counts. */
  usage: TokenUsage & { costUsd?: number | undefined };
  /** Number of attempts that were made. */
  attempts: number;
  /** Every attempt, including the failed ones. */
  ledger: AttemptRecord[];
  /** The request and the last response, redacted. */
  exchange: Exchange;
}
