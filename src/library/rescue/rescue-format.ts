// What a format of tool calls written as text is to the driver: its openers, and one function that reads at an opener.
// A format knows its grammar; it decides neither whether a tool was offered nor whether the place allows a call.
import type { RescueEvidence, RescueRepair } from '../../types';
import type { JsonRecord } from '../util/json';
import type { SchemaIssue } from './check-arguments';
import type { Mark } from './mark-search';
import type { RescueContext } from './rescue-context';

/** Why something that was read is not to be called, whatever its name. */
export interface Refusal {
  reason: string;
  /** One sentence for a person. */
  detail: string;
  hint?: string | undefined;
}

/** One call as it stands in the text, before anything was checked. */
export interface ReadCall {
  /** As written; '' when a refusal has none. */
  name: string;
  /** Undefined when the text has none; JSON text is decoded later. */
  arguments: unknown;
  id?: string | undefined;
  /** The call's own part of the emission; offsets of the whole text, `end` after the last character. */
  start: number;
  end: number;
  repairs: readonly RescueRepair[];
  /** A bracket around the arguments was missing: a call without arguments may then be half a call. */
  isPartial?: boolean | undefined;
  /** It has no arguments, and keys that no call has. */
  isRecord?: boolean | undefined;
  /** Values that could not be read as the type that the schema wants. */
  issues?: readonly SchemaIssue[] | undefined;
  refusal?: Refusal | undefined;
}

/** Calls in one wrapper. With no calls at all it is a wrapper around nothing, which is cut from the content. */
export interface CallsReading {
  kind: 'calls';
  /** The whole emission, wrappers included. */
  start: number;
  end: number;
  calls: readonly ReadCall[];
  /** Damage of the wrapper. */
  repairs: readonly RescueRepair[];
  /** Where this emission is better or worse known than the format in general. */
  evidence?: RescueEvidence | undefined;
  /** From `end` to here the model made up what only others can say; it goes with the calls. */
  inventedTo?: number | undefined;
  /** Only the end of a reply is the place for it, as for a form without a marker. @default false */
  needsEnd?: boolean | undefined;
  /** Reads like a program: in a fence that text introduces it is code to look at. @default false */
  isStatement?: boolean | undefined;
  /** The wrapper's closers are missing because the text ends. */
  isOpen: boolean;
  /** What could not be read after the calls. */
  failure?: RejectionReading | undefined;
  /** Thinking that belongs to the emission, such as the thought before an action. */
  thought?: { start: number; end: number } | undefined;
}

/** Looked like this format and could not be read. The walk goes on at `end`. */
export interface RejectionReading extends Refusal {
  kind: 'rejection';
  start: number;
  end: number;
  name?: string | undefined;
}

/** Read, and none of ours: nothing before `end` is a call, and nothing is reported. */
export interface TextReading {
  kind: 'text';
  end: number;
  /** The reading failed at `end`: forms without a marker stay barred until there, markers do not. */
  isBroken?: boolean | undefined;
  /** Parts of it that are markup and not what the model says: they are cut from the content of an answer. */
  markup?: readonly { start: number; end: number }[] | undefined;
}

/** Thinking in a form that only the format knows. The walk goes on inside it: what it finds there is a rehearsal. */
export interface ReasoningReading {
  kind: 'reasoning';
  start: number;
  end: number;
  bodyStart: number;
  bodyEnd: number;
  /** It never closes. */
  isOpen?: boolean | undefined;
}

export type FormatReading = CallsReading | RejectionReading | TextReading | ReasoningReading;

/** A call to be written as a model would write it. */
export interface WrittenCall {
  name: string;
  arguments: JsonRecord;
  /** Written where the format has a place for it. */
  id?: string | undefined;
}

export interface RescueFormat {
  /** Kebab-case, stable: it is shown and stored. */
  id: string;
  title: string;
  /** How the server would parse it itself; a full sentence. */
  nativeHint?: string | undefined;
  /** Literal strings, matched without regard to ASCII case; the longest that matches at a place is tried first. */
  openers: readonly string[];
  /** For forms without a marker: the characters a call may begin with. */
  firstCharacters?: string | undefined;
  /**
   * Holds wherever a call may begin at a first character, and may hold elsewhere; one for all of them, or by the first.
   * @default the character alone
   */
  anchor?: Mark | ((first: string) => Mark) | undefined;
  /** One of these must stand somewhere in the text for a first character to lead to a call. @default nothing must */
  needles?: readonly string[] | undefined;
  /**
   * Words that belong to the call and stand before the place that leads here: a stream holds them back. With `^` in
   * front only where a line begins. The names of tools need not be told.
   */
  leads?: readonly string[] | undefined;
  evidence: RescueEvidence;
  /** A turn in this format holds one call by design. @default false */
  isSingle?: boolean | undefined;
  /**
   * Reads at `at`; null when it is not this format's. `opener` is '' when a first character led here.
   * The cost must be in proportion to what is read, and told to `context.meter`. A reading may begin before `at` where
   * the opener stands after the name, but not before `context.floor`.
   */
  parse(context: RescueContext, at: number, opener: string): FormatReading | null;
  /**
   * The calls as a model writes them, the wrapper included: what `parse` gives back. Undefined when the format has no
   * way to say them, such as a text that holds the closer of its own parameter.
   */
  write(calls: readonly WrittenCall[]): string | undefined;
}
