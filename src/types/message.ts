// One message of a conversation in provider-neutral form; the wire files translate it for each server.
import type { ProviderToolCall } from './tool';

/** The author of a message. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** One message of a conversation in provider-neutral form; each provider translates it. */
export interface Message {
  role: Role;
  content: string;
  /** Assistant only: the calls of this turn. */
  toolCalls?: ProviderToolCall[] | undefined;
  /** Tool only: name of the tool whose result this is. */
  toolName?: string | undefined;
  /** Tool only: id of the call whose result this is. */
  toolCallId?: string | undefined;
  /** Tool only: the result is an error; it is sent with the prefix `Error: `. */
  isError?: boolean | undefined;
  /** Assistant only: reasoning text, separate from the content. */
  reasoning?: string | undefined;
}
