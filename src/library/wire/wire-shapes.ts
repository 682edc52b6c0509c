// The types of what the wire files turn into a request body, and of what they read from a reply.
import type {
  Message,
  RawAssistant,
  SamplingParams,
  SentToolChoice,
  ToolChoice,
  ToolType,
} from '../../types';

export interface WireInput {
  model: string;
  /** The server that is asked, as in `https://api.example.com`; undefined where replay data is not bound to one. */
  origin?: string | undefined;
  tools: readonly ToolType[];
  messages: readonly Message[];
  /** Already merged with the provider's own. */
  sampling: SamplingParams;
  toolChoice?: ToolChoice | undefined;
  /**
   * Whether the order of the messages, missing results and missing tools stay although services refuse them: for the comparison
   * with the body of another program.
   */
  isAsGiven?: true;
  /** Whether the caller receives the reply as it arrives. */
  isStreaming: boolean;
}

export interface TranslatedInput<Body> {
  body: Body;
  sent: Record<string, string>;
  dropped: string[];
  /** Paths in the body of values that were replaced or left out. */
  replaced: string[];
}

/** The body contains the caller's raw keys, so nothing is certain about it any more. */
export interface MergedInput extends TranslatedInput<Record<string, unknown>> {
  overridden: string[];
}

/** What is sent, and what the exchange records about it. */
export interface WireRequest extends Omit<MergedInput, 'body'> {
  /** The body as JSON. */
  json: string;
  /** Whether the body asks for a stream; `raw` may ask for one, or forbid it. */
  isStream: boolean;
  /** As in the finished body. */
  toolChoice: SentToolChoice | undefined;
}

/** The contents of a reply, whether it was streamed or not. */
export type WireReply = Omit<RawAssistant, 'attempts'>;

/** Neither protocol has a field for a failed tool result, so the text says it. */
export const ERROR_MARK = 'Error: ';

export const toResultText = ({ content, isError }: Message): string =>
  isError ? `${ERROR_MARK}${content}` : content;
