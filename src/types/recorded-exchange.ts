// A request of another program that was passed on and recorded: what both sides sent, when, and what a repair changed
// or why it could not.
import type { AttemptResponse, ExchangeRequest } from './exchange';

/** Who ended an exchange. `recording`: it was stopped. */
export type ExchangeEnd = 'server' | 'program' | 'network' | 'recording';

/** What was changed of a reply: one entry for each call that the program received differently. */
export interface RepairedCall {
  name: string;
  /** `text`: the model wrote the call as text. `arguments`: it was native, and its arguments were damaged. */
  from: 'text' | 'arguments';
  /** Id of the format in which it was written as text. */
  format?: string | undefined;
  /** Kinds of damage that were repaired. */
  repairs: string[];
}

/**
 * Why a reply could not be repaired. `request-unread`: the request is longer than what is kept, or is no JSON, so the offered
 * tools are not known. `compressed`: the server compressed the reply although it was asked not to. `too-long`: more would have
 * had to be held back than may be.
 */
export type RepairHindrance = 'request-unread' | 'compressed' | 'too-long';

/** One exchange of a recording: the request of another program, and what came back. */
export interface RecordedExchange {
  /** From 1, in the order in which the requests of a recording began. */
  number: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** What the program calls itself; '' when it does not. */
  program: string;
  /** Number of the conversation to which it belongs, from 1; absent for what is no chat. */
  session?: number | undefined;
  /** Id in the catalog of the protocol in which it is a chat. */
  protocol?: string | undefined;
  model?: string | undefined;
  request: ExchangeRequest;
  /** Absent when the server did not answer. */
  response?: AttemptResponse | undefined;
  /** Milliseconds from the start: to the header, to the first byte of the body, and to the end. */
  headersMs?: number | undefined;
  firstByteMs?: number | undefined;
  endMs: number;
  endedBy: ExchangeEnd;
  /** Why there was no answer, or not all of it. */
  problem?: string | undefined;
  /** The code of that error, such as `ECONNREFUSED`. */
  errorCode?: string | undefined;
  /** Whether the key of the connection was added for the program. */
  isKeyAdded?: true | undefined;
  /**
   * What the program received instead of the body of the response, and how long a part of it was held back at most, in
   * milliseconds (absent in recordings of earlier versions); absent when nothing was changed.
   */
  repaired?: { calls: readonly RepairedCall[]; body: string; heldMs?: number | undefined } | undefined;
  /** Whether calls were looked for in the reply, or why they could not; absent when repairing was off, or had nothing to look for. */
  repairing?: 'searched' | RepairHindrance | undefined;
}
