// What both wire files turn into a request body, and what they make of a reply.
import type { Message, RawAssistant, SamplingParams, ToolType } from '../../types';
import type { NativeCalls } from './native-calls';

export interface WireInput {
  model: string;
  tools: readonly ToolType[];
  messages: readonly Message[];
  /** Merged already. */
  sampling: SamplingParams;
  /** Somebody follows the reply while it arrives. */
  isStreaming: boolean;
}

export interface TranslatedInput<Body> {
  body: Body;
  sent: Record<string, string>;
  dropped: string[];
  /** Places in the body whose value the protocol cannot say. */
  replaced?: string[];
}

/** The body has whatever the caller's raw keys brought: nothing about it is certain any more. */
export interface WireRequest extends TranslatedInput<Record<string, unknown>> {
  overridden: string[];
}

export interface WireReply {
  raw: Omit<RawAssistant, 'attempts'>;
  /** The exact argument texts of the calls, in their order. */
  calls: NativeCalls['raw'];
}

/** Neither protocol has a field for a failed tool result. */
export const toResultText = ({ content, isError }: Message): string =>
  isError ? `Error: ${content}` : content;
