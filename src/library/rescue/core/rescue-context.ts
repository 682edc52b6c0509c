// What all parsers of one reply share: the text, the offered tools, and the caches that keep the work linear.
import type { CallBlock, JsonRole } from './json-reading';
import type { RegionSyntax } from '../regions/region-syntax';
import type { Dialects } from './dialects';
import { skipWhite } from '../text/white-space';
import type { ToolIndex } from './tool-index';

/** Counts the work of the parsers, and tells how complete the text was for them. */
export class Meter {
  steps = 0;
  reached = 0;
  readonly #length: number;
  #hasReachedEnd = false;
  #hasSearchedToEnd = false;

  constructor(length: number) {
    this.#length = length;
  }

  /** A parser read up to the end of the text. */
  get hasReachedEnd(): boolean {
    return this.#hasReachedEnd;
  }

  /** A search for something came to the end of the text. */
  get hasSearchedToEnd(): boolean {
    return this.#hasSearchedToEnd;
  }

  /** Another parser begins, at `at`. */
  begin(at: number): void {
    this.reached = at;
    this.#hasReachedEnd = false;
    this.#hasSearchedToEnd = false;
  }

  reachEnd(): void {
    this.#hasReachedEnd = true;
  }

  searchToEnd(): void {
    this.#hasSearchedToEnd = true;
  }

  /** Characters from `from` to `to` were read. */
  spend(from: number, to: number): void {
    this.steps += Math.max(1, to - from);
    this.reach(to);
  }

  /** A result depends on the text up to `to`, which was read before. */
  reach(to: number): void {
    if (to > this.reached) this.reached = to;
    if (to >= this.#length) this.#hasReachedEnd = true;
  }
}

interface Found {
  from: number;
  at: number;
}

/** No JSON has these outside of a string. */
const STOPS = ['<', '```', '~~~', '[/'];

/** A text to read JSON from. */
export class TextSource {
  readonly text: string;
  readonly meter: Meter;
  /** A part of a line, from its beginning. */
  #line = { from: 0, to: 0 };
  /** By closing quote. */
  #unclosedFrom: Map<string, number> | undefined;
  #found: Map<string, Found> | undefined;
  /** By kind of string and place. */
  #endless: Map<string, { from: number; to: number }> | undefined;

  constructor(text: string) {
    this.text = text;
    this.meter = new Meter(text.length);
  }

  /** A tag or a fence begins at `at`, so that JSON ends before it. */
  isStopAt(at: number): boolean {
    return STOPS.some((stop) => this.text.startsWith(stop, at));
  }

  /** A call of a format without closers opens at `at`, so that the one before it ends there. */
  opensCallAt(_at: number): boolean {
    return false;
  }

  /** Tokens that end a call stand there, and right behind them one that opens another. */
  separatesCallsAt(_at: number): boolean {
    return false;
  }

  /** An offered tool has that name. */
  isTool(_name: string): boolean {
    return false;
  }

  /** As the tools do; undefined where none are known. */
  declares(_parameter: string): ReturnType<ToolIndex['declares']> | undefined {
    return undefined;
  }

  /** No string of that kind that begins at `from` or after it is ever closed. */
  noteUnclosed(quote: string, from: number): void {
    this.#unclosedFrom ??= new Map();
    this.#unclosedFrom.set(quote, from);
  }

  isUnclosed(quote: string, from: number): boolean {
    return from >= (this.#unclosedFrom?.get(quote) ?? Infinity);
  }

  /** In this part no string of that kind and place ends. */
  noteEndless(kind: string, from: number, to: number): void {
    this.#endless ??= new Map();
    this.#endless.set(kind, { from, to });
  }

  /** Where the part around `at` ends in which no such string does; `at` itself when none is known. */
  skipEndless(kind: string, at: number): number {
    const part = this.#endless?.get(kind);
    return part && at >= part.from && at < part.to ? part.to : at;
  }

  /** As `indexOf`, but never searches the same part of the text twice for the same needle. */
  find(needle: string, from: number): number {
    const at = this.peek(needle, from);
    if (at === -1) this.meter.searchToEnd();
    return at;
  }

  /** The same for a reader who can do without a match, so that more text does not change its result. */
  peek(needle: string, from: number): number {
    const known = this.#found?.get(needle);
    const isKnown = known !== undefined && from >= known.from && (known.at === -1 || from <= known.at);
    const at = isKnown ? known.at : this.text.indexOf(needle, from);
    if (isKnown) return at;
    this.#found ??= new Map();
    this.#found.set(needle, { from, at });
    this.meter.steps += (at === -1 ? this.text.length : at) - from;
    return at;
  }

  /** After the next `token` from `from`; undefined when there is none. */
  findAfter(token: string, from: number): number | undefined {
    const at = this.find(token, from);
    return at === -1 ? undefined : at + token.length;
  }

  /** Where the line of `at` begins; asked from left to right no part of the text is searched twice. */
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

  /** Only white space follows the line of `at`, as yet. */
  isLastLine(at: number): boolean {
    const end = skipWhite(this.text, this.findLineEnd(at));
    this.meter.reach(end);
    return end >= this.text.length;
  }

  /** Where the line of `at` ends. */
  findLineEnd(at: number): number {
    const end = this.find('\n', at);
    return end === -1 ? this.text.length : end;
  }
}

/** Which bracket closes which in a stretch of the text: by the opener's place in it, the place after its closer, or 0. */
export interface Brackets {
  from: number;
  to: number;
  closers: Int32Array;
}

/** What is known before a text is read. */
export interface ContextOptions {
  tools: ToolIndex;
  dialects: Dialects;
  /** The server said that the token limit cut the reply. @default false */
  isCut?: boolean;
  /** The server said that the model ended the reply itself, so its last line is complete. @default false */
  isEnded?: boolean;
}

export class RescueContext extends TextSource {
  readonly tools: ToolIndex;
  readonly dialects: Dialects;
  readonly isCut: boolean;
  readonly isEnded: boolean;
  /** The last block of JSON that was parsed: several formats try the same place. */
  lastBlock: { at: number; role: JsonRole; block: CallBlock | null } | undefined;
  /** The brackets of the last paragraph with damaged data. */
  lastBrackets: Brackets | undefined;
  /** No call of that tool, in that spelling of pairs, is closed from here on. */
  lastEndless: { spelling: object; name: string; from: number } | undefined;
  /** What was last read as pairs, by its reader. */
  lastPairs: { at: number; spelling: object; emission: unknown } | undefined;
  /** The text before this offset belongs to an earlier reading. */
  consumedTo = 0;

  constructor(text: string, { tools, dialects, isCut = false, isEnded = false }: ContextOptions) {
    super(text);
    this.tools = tools;
    this.dialects = dialects;
    this.isCut = isCut;
    this.isEnded = isEnded;
  }

  get regions(): RegionSyntax {
    return this.dialects.regions;
  }

  override separatesCallsAt(at: number): boolean {
    return this.dialects.separatesCallsAt(this.text, at);
  }

  override isTool(name: string): boolean {
    return this.tools.resolve(name) !== undefined;
  }

  override declares(parameter: string): ReturnType<ToolIndex['declares']> {
    return this.tools.declares(parameter);
  }

  override opensCallAt(at: number): boolean {
    return this.dialects.opensCallAt(this.text, at);
  }

  override isStopAt(at: number): boolean {
    return super.isStopAt(at) || this.dialects.isStopAt(this.text, at);
  }
}
