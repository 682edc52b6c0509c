// One message of a conversation in provider-neutral form; the wire files translate it for each server.
import type { ProviderToolCall } from './tool';

/** The author of a message. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/**
 * What a back end wants back unchanged with its message in the next request, such as its reasoning or a signature. Only the
 * kind of provider that made it reads `data`.
 */
export interface ReplayData {
  /** The kind of provider that made the data; another kind never sends it. */
  provider: string;
  /** The model that was asked; the data is not sent to another one. Absent when the model does not matter. */
  model?: string | undefined;
  /** The server that made the data, as in `https://api.example.com`; no other one gets it. Absent when that does not matter. */
  origin?: string | undefined;
  /** Id of the connection that was used; set by a caller that has several. No provider reads it. */
  connection?: string | undefined;
  /** Set by the caller when `data` must not be sent, because a secret in it was masked or the connection is another one. */
  isWithheld?: true | undefined;
  /** A JSON value. */
  data: unknown;
}

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
  /** Tool only: the result is an error; it is sent with the prefix `Error: `, and in the field of a protocol that has one. */
  isError?: boolean | undefined;
  /** Assistant only: reasoning text, separate from the content. */
  reasoning?: string | undefined;
  /** Assistant only: what the back end wants back unchanged with this message. */
  replay?: ReplayData | undefined;
}
