// The state that all parsers of one reply share: the text, the offered tools, and the caches that keep the work linear.
import type { CallBlock, JsonRole } from './json-reading';
import type { RegionSyntax } from '../regions/region-syntax';
import type { Dialects } from './dialects';
import { skipWhite } from '../text/white-space';
import type { ToolIndex } from './tool-index';
import type { Span } from '../text/cut-text';

/** Counts the work of the parsers, and records whether a result depends on where the text ends. */
export class Meter {
  steps = 0;
  reached = 0;
  /** Whether a parser read up to the end of the text. */
  hasReachedEnd = false;
  /** Whether a search went to the end of the text. */
  hasSearchedToEnd = false;
  /** Whether a valid reading might be a different one with more text. */
  isDoubtful = false;
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  /** Resets the record for the next parser, which begins at `at`. The count continues. */
  begin(at: number): void {
    this.reached = at;
    this.hasReachedEnd = false;
    this.hasSearchedToEnd = false;
    this.isDoubtful = false;
  }

  /** Records that the characters from `from` to `to` were read. */
  spend(from: number, to: number): void {
    this.steps += Math.max(1, to - from);
    this.reach(to);
  }

  /** Records that a result depends on the text up to `to`, which was read before. */
  reach(to: number): void {
    if (to > this.reached) this.reached = to;
    if (to >= this.#length) this.hasReachedEnd = true;
  }
}

/** Which calls there may be in a reply. */
interface ReplySetting {
  tools: ToolIndex;
  dialects: Dialects;
}

interface FoundAt {
  from: number;
  at: number;
}

/** Literals that JSON does not have outside of strings. */
const STOPS = ['<', '```', '~~~', '[/'];
/** Under this kind, parts of the text without a token of a call are remembered. */
const CALL_TOKEN = 'call token';
/** How far such a token is looked for, in UTF-16 code units. */
const LONGEST_REST = 65_536;
/** Number of characters that show whether a call is closed before it. */
const LONGEST_END = 256;

/** A text from which JSON is read, with a cache of searches in it. */
export class TextSource {
  readonly text: string;
  readonly meter: Meter;
  /** The part of a line that was searched last, from the beginning of the line. */
  #line = { from: 0, to: 0 };
  #found: Map<string, FoundAt> | undefined;
  /** By kind and place of a string: a part of the text in which no such string ends, up to Infinity if none ends at all. */
  #endless: Map<string, { from: number; to: number }> | undefined;
  readonly #reply: ReplySetting | undefined;

  /** @param reply What surrounds the JSON of calls; undefined for a text that is nothing but a value. */
  constructor(text: string, reply?: ReplySetting) {
    this.text = text;
    this.meter = new Meter(text.length);
    this.#reply = reply;
  }

  /** Whether a tag or a fence begins at `at`, so that JSON ends before it. */
  isStopAt(at: number): boolean {
    return (
      STOPS.some((stop) => this.text.startsWith(stop, at)) ||
      this.#reply?.dialects.isStopAt(this.text, at) === true
    );
  }

  /** Where the next token that ends or opens a call is; -1 when there is none nearby. */
  findCallToken(from: number): number {
    const limit = Math.min(this.text.length, from + LONGEST_REST);
    const known = this.skipEndless(CALL_TOKEN, from);
    const rest = this.text.slice(known, Math.max(known, limit));
    const found = this.#reply?.dialects.findCallToken(rest) ?? -1;
    const end = known + (found === -1 ? rest.length : found);
    this.noteEndless(CALL_TOKEN, from, end);
    this.meter.spend(known, end);
    return found === -1 ? -1 : end;
  }

  /** The last characters between `from` and that token; '' when there is none nearby. */
  readBeforeCallToken(from: number): string {
    const to = this.findCallToken(from);
    return to === -1 ? '' : this.text.slice(Math.max(from, to - LONGEST_END), to);
  }

  /** Whether a call of a format without closers opens at `at`, so that the call before it ends there. */
  opensCallAt(at: number): boolean {
    return this.#reply?.dialects.opensCallAt(this.text, at) === true;
  }

  /** Whether tokens at `at` end a call and are directly followed by one that opens another call. */
  separatesCallsAt(at: number): boolean {
    return this.#reply?.dialects.separatesCallsAt(this.text, at) === true;
  }

  /** Whether a tool of this name is offered. */
  isTool(name: string): boolean {
    return this.#reply?.tools.resolve(name) !== undefined;
  }

  /** How the tools declare a parameter of this name; undefined when the tools are not known. */
  declares(parameter: string): ReturnType<ToolIndex['declares']> | undefined {
    return this.#reply?.tools.declares(parameter);
  }

  /** Records that no string of this kind ends between these offsets; by default, none after `from` ends at all. */
  noteEndless(kind: string, from: number, to = Infinity): void {
    this.#endless ??= new Map();
    this.#endless.set(kind, { from, to });
  }

  /** The end of the recorded part around `at` in which no such string ends; `at` itself when there is none. */
  skipEndless(kind: string, at: number): number {
    const part = this.#endless?.get(kind);
    return part && at >= part.from && at < part.to ? part.to : at;
  }

  /** Whether no string of this kind that begins at `from` is ever closed, as a search up to the end of the text showed. */
  isUnclosed(kind: string, from: number): boolean {
    const isUnclosed = this.skipEndless(kind, from) === Infinity;
    if (isUnclosed) this.meter.hasReachedEnd = true;
    return isUnclosed;
  }

  /** Like `indexOf`, but never searches the same part of the text twice for the same needle. */
  find(needle: string, from: number): number {
    const at = this.peek(needle, from);
    if (at === -1) this.meter.hasSearchedToEnd = true;
    return at;
  }

  /** Like `find`, for a reader that does not need a match, so that more text would not change its result. */
  peek(needle: string, from: number): number {
    const known = this.#found?.get(needle);
    const isKnown = known !== undefined && from >= known.from && (known.at === -1 || from <= known.at);
    const at = isKnown ? known.at : this.text.indexOf(needle, from);
    if (isKnown) return at;
    if (known) {
      known.from = from;
      known.at = at;
    } else (this.#found ??= new Map()).set(needle, { from, at });
    this.meter.steps += (at === -1 ? this.text.length : at) - from;
    return at;
  }

  /** Offset after the next `token` at or after `from`; undefined when there is none. */
  findAfter(token: string, from: number): number | undefined {
    const at = this.find(token, from);
    return at === -1 ? undefined : at + token.length;
  }

  /** The place of the first of the tokens at or after `from`; undefined when there is none. */
  findFirst(tokens: readonly string[], from: number): Span | undefined {
    let first: Span | undefined;
    for (const token of tokens) {
      const start = this.find(token, from);
      if (start !== -1 && !(first && first.start <= start)) first = { start, end: start + token.length };
    }
    return first;
  }

  /** Offset at which the line of `at` begins. With increasing offsets, no part of the text is searched twice. */
  findLineStart(at: number): number {
    const { from, to } = this.#line;
    if (at >= from && at <= to) return from;
    const known = at > to ? to : 0;
    this.meter.steps += at - known;
    const found = this.text.slice(known, at).lastIndexOf('\n');
    const start = found === -1 ? (at > to ? from : 0) : known + found + 1;
    this.#line = { from: start, to: at };
    return start;
  }

  /** Whether only white space follows the line of `at` so far. */
  isLastLine(at: number): boolean {
    const end = skipWhite(this.text, this.findLineEnd(at));
    this.meter.reach(end);
    return end >= this.text.length;
  }

  /** Offset at which the line of `at` ends. */
  findLineEnd(at: number): number {
    const end = this.find('\n', at);
    return end === -1 ? this.text.length : end;
  }
}

/**
 * The matching brackets of a part of the text. `closers[i]` is the offset after the closer of the opener at `from + i`, or
 * 0.
 */
export interface Brackets {
  from: number;
  to: number;
  closers: Int32Array;
}

/** What is known before a text is read. */
export interface ContextOptions extends ReplySetting {
  /** Whether the server said that the token limit cut the reply off. @default false */
  isCut?: boolean;
  /** Whether the server said that the model ended the reply itself, so that its last line is complete. @default false */
  isEnded?: boolean;
}

export class RescueContext extends TextSource {
  readonly tools: ToolIndex;
  readonly dialects: Dialects;
  readonly isCut: boolean;
  readonly isEnded: boolean;
  /** The last block of JSON that was parsed, because several formats try the same offset. */
  lastBlock: { at: number; role: JsonRole; block: CallBlock | null } | undefined;
  /** The brackets of the last paragraph with damaged data. */
  lastBrackets: Brackets | undefined;
  /** From this offset on, no call of this tool is closed in this spelling of pairs. */
  lastEndless: { spelling: object; name: string; from: number } | undefined;
  /** The result of the last reading of pairs; only their reader knows its type. */
  lastPairs: { at: number; spelling: object; emission: unknown } | undefined;
  /** The text before this offset belongs to an earlier reading. */
  consumedTo = 0;

  constructor(text: string, { tools, dialects, isCut = false, isEnded = false }: ContextOptions) {
    super(text, { tools, dialects });
    this.tools = tools;
    this.dialects = dialects;
    this.isCut = isCut;
    this.isEnded = isEnded;
  }

  get regions(): RegionSyntax {
    return this.dialects.regions;
  }
}
