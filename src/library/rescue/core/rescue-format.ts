// The contract between a format of tool calls and the walk: its openers, and one function that parses at an opener.
// A format knows its grammar; it does not know which tools were offered, nor in which regions a call counts.
import type { RescueEvidence, RescueRepair } from '../../../types';
import type { JsonRecord } from '../../util/json';
import type { DelimitedReasoning } from '../regions/reasoning-tags';
import type { Span } from '../text/cut-text';
import type { StartPattern } from '../text/prefilter';
import type { Dialect } from './dialect';
import type { RescueContext } from './rescue-context';

/**
 * Of one reply, readable or not; at the next one the walk ends, and so does a reading of many. Each is judged, checked and stored
 * afterwards, which takes longer than to read it. Nobody means to make so many, but data may look like them, such as a list of
 * records with names.
 */
export const MOST_CALLS = 5_000;

/** Where a value does not fit the tool's schema. */
export interface SchemaIssue {
  /** JSON Pointer; '' is the value itself. */
  path: string;
  /** Reads after the path: `/unit is not one of celsius, fahrenheit`. */
  message: string;
}

/** Why a call that was parsed must not be made, whether or not its tool was offered. */
export interface Refusal {
  reason: string;
  /** One sentence for a person. */
  detail: string;
  hint?: string | undefined;
}

/** One call as it is in the text, before anything was checked. */
export interface ReadCall {
  /** As written; '' only with a refusal, when the text has no name. */
  name: string;
  /** Undefined when the text has none. Text that holds JSON is decoded later. */
  arguments: unknown;
  id?: string | undefined;
  /** This call's own part of the emission, as offsets into the whole text; `end` is exclusive. */
  start: number;
  end: number;
  repairs: readonly RescueRepair[];
  /** A bracket around the arguments was missing. If the arguments are missing too, the call was probably cut. */
  isPartial?: boolean | undefined;
  /** Keys beside those of a call. One of them may be an argument; without any arguments, it is probably data with a `name`. */
  otherKeys?: readonly string[] | undefined;
  /**
   * Whether text was found where an agent writes its input. It is the value of the only parameter of the tool that is text.
   */
  isTextInput?: boolean | undefined;
  /** Values that could not be parsed as the type in the tool's schema. */
  issues?: readonly SchemaIssue[] | undefined;
  refusal?: Refusal | undefined;
}

/** The calls in one wrapper. An empty list means an empty wrapper, which is cut from the content. */
export interface CallsReading {
  kind: 'calls';
  /** Offsets of the whole emission, wrappers included. */
  start: number;
  end: number;
  calls: readonly ReadCall[];
  /** Damage of the wrapper. */
  repairs: readonly RescueRepair[];
  /** Set where this emission is stronger or weaker evidence than the format usually gives. */
  evidence?: RescueEvidence | undefined;
  /** The model invented the tool's result from `end` to this offset. That text is cut together with the calls. */
  inventedTo?: number | undefined;
  /** Whether the calls count only at the end of the reply, as for a format without a marker. @default false */
  needsEnd?: boolean | undefined;
  /** Whether it looks like program code: in a fence introduced by prose it is an example. @default false */
  isStatement?: boolean | undefined;
  /** Whether the text ended before the wrapper was closed. */
  isOpen: boolean;
  /** Whether only closing tokens are missing, so that the arguments of each call are complete. */
  isWhole?: boolean | undefined;
  /** A further call, after these, that could not be parsed. */
  failure?: RejectionReading | undefined;
  /** Reasoning that belongs to the emission, such as the thought before an action. */
  thought?: Span | undefined;
}

/** The calls before one that could not be parsed; if there are none, its rejection, which is then the whole emission. */
export const toFailedEmission = (
  emission: Pick<CallsReading, 'start' | 'calls' | 'repairs' | 'evidence'>,
  failure: RejectionReading,
): CallsReading | RejectionReading =>
  emission.calls.length === 0
    ? { ...failure, start: emission.start }
    : { ...emission, kind: 'calls', end: failure.start, isOpen: false, failure };

/** An emission without calls: a wrapper around calls that are read one by one, or a token that only introduces text. */
export const toEmptyEmission = (start: number, end: number): CallsReading => ({
  kind: 'calls',
  start,
  end,
  calls: [],
  repairs: [],
  isOpen: false,
});

/** An emission that is one call from end to end. @param rest What is not as usual. */
export const toSingleEmission = (call: ReadCall, rest: Partial<CallsReading> = {}): CallsReading => ({
  kind: 'calls',
  start: call.start,
  end: call.end,
  calls: [call],
  repairs: [],
  isOpen: false,
  ...rest,
});

/** The text began like this format but could not be parsed. The walk continues at `end`. */
export interface RejectionReading extends Refusal {
  kind: 'rejection';
  start: number;
  end: number;
  name?: string | undefined;
}

export const toRejectionReading = (
  { start, end }: Span,
  name: string | undefined,
  refusal: Refusal,
): RejectionReading => ({
  kind: 'rejection',
  start,
  end,
  ...(name !== undefined && { name }),
  ...refusal,
});

/** The text is something other than a call. The walk skips to `end` and reports nothing. */
export interface TextReading {
  kind: 'text';
  end: number;
  /** Whether the text up to `end` is damaged data, in which only formats with a marker are tried. */
  isBroken?: boolean | undefined;
  /** Parts that are markup; they are cut from the content if this text is in the answer. */
  markup?: readonly Span[] | undefined;
}

/** Reasoning that only this format can delimit. The walk continues inside; calls found there are rehearsals. */
export interface ReasoningReading extends DelimitedReasoning {
  kind: 'reasoning';
}

/** Reasoning up to the closer, or to the end of the text. @param start Where its opener begins. */
export function readReasoning(
  context: RescueContext,
  start: number,
  bodyStart: number,
  closer: string,
): ReasoningReading {
  const { length } = context.text;
  const found = context.findFirst([closer], bodyStart);
  const { start: bodyEnd, end } = found ?? { start: length, end: length };
  return { kind: 'reasoning', start, end, bodyStart, bodyEnd, isOpen: !found };
}

export type FormatReading = CallsReading | RejectionReading | TextReading | ReasoningReading;

/** The end of a reading together with the call after it that could not be parsed. */
export const endOf = (reading: FormatReading): number =>
  reading.kind === 'calls' ? (reading.failure?.end ?? reading.end) : reading.end;

/** A call to be written as a model would write it. */
export interface WrittenCall {
  name: string;
  arguments: JsonRecord;
  /** Written if the format has a place for it. */
  id?: string | undefined;
}

export interface RescueFormat extends Dialect {
  /** In kebab-case. Stable, because it is shown and stored. */
  id: string;
  title: string;
  /** The parser of vLLM with which that server returns the calls natively. */
  vllmParser?: string | undefined;
  /** The parser of SGLang with which that server returns the calls natively. */
  sglangParser?: string | undefined;
  /** How a server could parse the format itself, as a full sentence, where the parsers do not say all. */
  nativeHint?: string | undefined;
  openers: readonly string[];
  /** For formats without a marker: `parse` is also tried at each of these characters. */
  firstCharacters?: string | undefined;
  /**
   * A cheap test of what surrounds a first character, so that most of them are never parsed. It may accept too much,
   * but never too little.
   * @default the character alone
   */
  startPattern?: StartPattern | undefined;
  /**
   * Words that belong to the call and come before its opener, so that a stream holds them back. A leading `^` means
   * only at the start of a line. The names of the tools are always held back.
   */
  leads?: readonly string[] | undefined;
  evidence: RescueEvidence;
  /** Whether a turn in this format has one call by design. @default false */
  isSingle?: boolean | undefined;
  /**
   * Parses at `at`; null when this is not the format. `opener` is '' when it was tried at a first character.
   * The cost must be linear in what is read, and is reported to `context.meter`. A reading may begin before `at` (where
   * the opener follows the name), but not before `context.consumedTo`.
   */
  parse(context: RescueContext, at: number, opener: string): FormatReading | null;
  /**
   * The calls as a model writes them, wrapper included. A value that the format cannot express, such as text that contains
   * its own closing tag, is written as it is: whoever needs the calls back has to read the text.
   */
  write(calls: readonly WrittenCall[]): string;
}
