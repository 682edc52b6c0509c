// The options of a call of a provider.
import type {
  CallProgress,
  ChatDelta,
  Message,
  SamplingParams,
  TokenUsage,
  ToolChoice,
  ToolType,
} from '../../types';
import type { ObservedAttempt } from '../transport/wire-recorder';

/** Options of one call of `chat`. */
export interface ChatOptions {
  /** Tools offered to the model; none of them is run. @default [] */
  tools?: readonly ToolType[] | undefined;
  messages: readonly Message[];
  /** Overrides the provider's own sampling key by key. */
  sampling?: SamplingParams | undefined;
  /**
   * Sent if tools are offered and the back end has a field for it; `raw` may override it. With `none`, calls in the text of
   * the reply are reported but not accepted.
   */
  toolChoice?: ToolChoice | undefined;
  /**
   * Sent byte for byte instead of the body that the other options would give, such as to repeat a recorded request. The
   * other options still determine how the reply is read; whether it is a stream is read from this body. Only the built-in
   * providers support it.
   */
  body?: string | undefined;
  /** Ends the call in every phase, including the waits; the socket is closed. */
  signal?: AbortSignal | undefined;
  /**
   * Receives the reply as it arrives, in order; the turn is the same as without it. Once it has been called, nothing is
   * retried. What it throws is ignored.
   */
  onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Receives the state of the call at each change of phase; complete each time. What it throws is ignored. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
  /**
   * Called when an attempt or a reconnect begins. Its request and response can be read from the argument at any time, also
   * if the attempt fails. Without this callback only the last response is kept. What it throws is ignored.
   */
  onAttempt?: ((attempt: ObservedAttempt) => void) | undefined;
}

/** Options of one call of `renderPrompt` or `countTokens`; `body` is a request that was sent to such a server before. */
export type RenderOptions = Pick<
  ChatOptions,
  'tools' | 'messages' | 'sampling' | 'toolChoice' | 'body' | 'signal' | 'onAttempt'
>;

/** What a provider is asked about without a chat. The sampling is merged with the provider's own. */
export type AskedPrompt = [tools: ToolType[], messages: Message[], sampling: SamplingParams];

/** Options of one call of `embed` or `embedMany`. */
export interface EmbedOptions {
  /** Ends the call in every phase; the socket is closed. */
  signal?: AbortSignal | undefined;
  /**
   * Receives the usage of the call: called once when the call has succeeded, with the sum over all its requests; not called
   * when the server reported no counts. `costUsd` is USD, and absent without rates. What it throws is ignored.
   */
  onUsage?: ((usage: TokenUsage & { costUsd?: number | undefined }) => void) | undefined;
}
