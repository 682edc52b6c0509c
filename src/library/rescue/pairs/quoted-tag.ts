// Detects a tag that a value only quotes, as in code about the format: in quotes on its line, or in a text of several lines
// between triple quotes. Independent of tags.
import type { Span } from '../text/cut-text';

const LONGEST_LINE = 512;
const QUOTES = ['"', "'"];
/** What precedes an opening quote: white space, or one of these. */
const OPENING = '([{=,:+>';

/** A part of the text without quotes. */
export interface QuoteGap {
  from: number;
  to: number;
}

/**
 * Whether a quote follows, near enough to close around a tag that ends at `at`. With increasing offsets, no part of the text
 * is searched twice.
 */
export function hasQuoteAhead(text: string, at: number, gap: QuoteGap): boolean {
  if (at < gap.from || at > gap.to) gap.from = gap.to = at;
  const limit = Math.min(text.length, at + LONGEST_LINE);
  while (gap.to < limit && text.charCodeAt(gap.to) !== 34 && text.charCodeAt(gap.to) !== 39) gap.to += 1;
  return gap.to < limit;
}

/** The tags of one value. They have to be asked for from left to right, so that a value is read only once. */
export class QuotedTags {
  readonly #text: string;
  readonly #from: number;
  readonly #quotes: readonly OpenQuotes[];

  /** @param from Where the value begins. */
  constructor(text: string, from: number) {
    this.#text = text;
    this.#from = from;
    this.#quotes = QUOTES.map((quote) => new OpenQuotes(text, from, quote));
  }

  /** Whether a quote opens before the tag and closes after it on the same line. */
  has({ start, end }: Span): boolean {
    const limit = Math.max(this.#from, start - LONGEST_LINE);
    return this.#quotes.some(
      (quotes) => closesOnLine(this.#text, end, quotes.quote) && quotes.isOpen(limit, start),
    );
  }

  /**
   * Whether the quotes contain this tag and no other. In a longer text, an opening tag may be meant.
   * @param lead The text with which tags begin.
   */
  hasAlone(tag: Span, lead: string): boolean {
    const before = this.#text.slice(Math.max(this.#from, tag.start - LONGEST_PIECE), tag.start);
    const after = this.#text.slice(tag.end, tag.end + LONGEST_PIECE);
    return QUOTES.some((quote) => {
      const opened = before.lastIndexOf(quote);
      const closed = after.indexOf(quote);
      if (opened === -1 || closed === -1) return false;
      const piece = `${before.slice(opened + 1)}${after.slice(0, closed)}`;
      return !piece.includes(lead) && !piece.includes('\n') && this.has(tag);
    });
  }
}

const LONGEST_PIECE = 64;

/** The quotes of one kind on the last line before a place. */
class OpenQuotes {
  readonly quote: string;
  readonly #text: string;
  readonly #code: number;
  /** The text before this offset was read. */
  #to: number;
  /** Offset of the last line break, or of the last quote that can only close. */
  #reset = -1;
  /** Offsets of the quotes after that. Each of them opens, or closes the one before it. */
  #places: number[] = [];
  /** Index of the first one that was not before the last `from`. */
  #first = 0;

  constructor(text: string, from: number, quote: string) {
    this.#text = text;
    this.#to = from;
    this.quote = quote;
    this.#code = quote.charCodeAt(0);
  }

  /** Whether a quote is open at `to`, if only the text from `from` on counts. The offsets never decrease. */
  isOpen(from: number, to: number): boolean {
    for (let at = Math.max(this.#to, from); at < to; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === this.#code || code === LINE_BREAK) this.#pass(at, code);
    }
    this.#to = Math.max(this.#to, to);
    while ((this.#places[this.#first] ?? from) < from) this.#first += 1;
    const count = this.#places.length - this.#first;
    // Nothing that precedes the first character counts, so a quote there opens.
    const isAdded =
      this.#reset <= from &&
      from < to &&
      this.#text.charCodeAt(from) === this.#code &&
      this.#places[this.#first] !== from;
    return (count + (isAdded ? 1 : 0)) % 2 === 1;
  }

  #pass(at: number, code: number): void {
    if (code === this.#code) {
      if (isApostrophe(this.#text, at)) return;
      if (mayOpenAfter(this.#text.charAt(at - 1))) {
        this.#places.push(at);
        return;
      }
    }
    this.#reset = at;
    this.#places.length = 0;
    this.#first = 0;
  }
}

const LINE_BREAK = 10;

const mayOpenAfter = (before: string): boolean =>
  before === ' ' || OPENING.includes(before) || /\s/.test(before);

const isApostrophe = (text: string, at: number): boolean =>
  text.charAt(at) === "'" && /\p{L}/u.test(text.charAt(at - 1)) && /\p{L}/u.test(text.charAt(at + 1));

function closesOnLine(text: string, from: number, quote: string): boolean {
  const line = text.slice(from, from + LONGEST_LINE);
  const end = line.indexOf('\n');
  return (end === -1 ? line : line.slice(0, end)).includes(quote);
}

const MARKS = ['"""', "'''"];

/** Offsets have to be asked for in increasing order, so that a value is read only once. */
export class QuotedBlocks {
  readonly #text: string;
  #at: number;
  #open: string | undefined;
  /** End of the open block; -1 when it has none. */
  #end = 0;

  /** @param from Where the value begins. */
  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  /** Offset after the block around `place` and its quotes; undefined outside of a block, and in one without an end. */
  findEnd(place: number): number | undefined {
    while (this.#at < place) this.#pass(place);
    if (this.#open === undefined) return undefined;
    if (this.#end !== -1 && this.#end < place) this.#end = this.#text.indexOf(this.#open, place);
    return this.#end === -1 ? undefined : this.#end + MARK_LENGTH;
  }

  /** Advances to the next triple quotes before `place`, or to `place`. */
  #pass(place: number): void {
    const next = this.#findMark(place);
    if (next === -1) {
      this.#at = place;
      return;
    }
    this.#open = this.#open === undefined ? this.#text.slice(next, next + MARK_LENGTH) : undefined;
    this.#at = next + MARK_LENGTH;
    this.#end = 0;
  }

  #findMark(place: number): number {
    const piece = this.#text.slice(this.#at, place);
    const found = (this.#open === undefined ? MARKS : [this.#open])
      .map((mark) => piece.indexOf(mark))
      .filter((at) => at !== -1);
    return found.length === 0 ? -1 : this.#at + Math.min(...found);
  }
}

const MARK_LENGTH = 3;
