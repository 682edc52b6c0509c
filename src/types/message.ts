// One entry of a conversation, in neutral form; the wire files write it in each server's own.
import type { ProviderToolCall } from './tool';

/** Who says a message. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** One entry of a conversation, in neutral form: every provider turns it into its own. */
export interface Message {
  role: Role;
  content: string;
  /** Assistant only: the calls this turn asked for. */
  toolCalls?: ProviderToolCall[] | undefined;
  /** Tool only: the name of the tool that answers. */
  toolName?: string | undefined;
  /** Tool only: the id of the call that is answered. */
  toolCallId?: string | undefined;
  /** Tool only: the result is an error; it is sent with the prefix `Error: `. */
  isError?: boolean | undefined;
  /** Assistant only: reasoning text, kept apart from the content. */
  reasoning?: string | undefined;
}
