// What both wire files turn into a request body, and what they make of a reply.
import type { Message, RawAssistant, SamplingParams, ToolType } from '../../types';

export interface WireInput {
  model: string;
  tools: readonly ToolType[];
  messages: readonly Message[];
  /** Merged already. */
  sampling: SamplingParams;
  /** Somebody observes the reply while it arrives. */
  isStreaming: boolean;
}

export interface TranslatedInput<Body> {
  body: Body;
  sent: Record<string, string>;
  dropped: string[];
  /** Places in the body whose value no server takes. */
  replaced: string[];
}

/** The body has whatever the caller's raw keys brought: nothing about it is certain any more. */
export interface MergedInput extends TranslatedInput<Record<string, unknown>> {
  overridden: string[];
}

/** What goes over the wire, and what the exchange tells of it. */
export interface WireRequest extends Omit<MergedInput, 'body'> {
  /** The body as JSON. */
  json: string;
  /** The body asks for a stream: raw may ask for one, or forbid it. */
  isStream: boolean;
}

/** What a reply says, whatever it was read from. */
export type WireReply = Omit<RawAssistant, 'attempts'>;

/** Neither protocol has a field for a failed tool result. */
export const toResultText = ({ content, isError }: Message): string =>
  isError ? `Error: ${content}` : content;
