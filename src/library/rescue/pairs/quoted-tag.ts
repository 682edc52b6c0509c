// Detects a tag that a value only quotes, as in code about the format: in quotes on its line, or in a text of several lines
// between triple quotes. Independent of tags.

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

/** Whether a quote opens before the tag and closes after it on the same line. @param from Where the value begins. */
export function isQuotedTag(text: string, from: number, tag: { start: number; end: number }): boolean {
  const limit = Math.max(from, tag.start - LONGEST_LINE);
  return QUOTES.some(
    (quote) =>
      closesOnLine(text, tag.end, quote) && isOpenBefore({ text, from: limit, to: tag.start }, quote),
  );
}

/**
 * Whether the quotes contain this tag and no other. In a longer text, an opening tag may be meant.
 * @param lead The text with which tags begin.
 */
export function isQuotedAlone(
  text: string,
  from: number,
  tag: { start: number; end: number },
  lead: string,
): boolean {
  const before = text.slice(Math.max(from, tag.start - LONGEST_PIECE), tag.start);
  const after = text.slice(tag.end, tag.end + LONGEST_PIECE);
  return QUOTES.some((quote) => {
    const opened = before.lastIndexOf(quote);
    const closed = after.indexOf(quote);
    if (opened === -1 || closed === -1) return false;
    const piece = `${before.slice(opened + 1)}${after.slice(0, closed)}`;
    if (piece.includes(lead) || piece.includes('\n')) return false;
    return isQuotedTag(text, from, tag);
  });
}

const LONGEST_PIECE = 64;

interface Part {
  text: string;
  from: number;
  to: number;
}

/**
 * Whether a quote is open at the end of the part, on its last line. Read backwards, because what precedes a quote that can
 * only close has no influence.
 */
function isOpenBefore(part: Part, quote: string): boolean {
  const { text, from, to } = part;
  const code = quote.charCodeAt(0);
  let isOpen = false;
  for (let at = to - 1; at >= from && text.charCodeAt(at) !== LINE_BREAK; at -= 1) {
    if (text.charCodeAt(at) !== code || isApostrophe(part, at)) continue;
    if (at > from && !mayOpenAfter(text.charAt(at - 1))) break;
    isOpen = !isOpen;
  }
  return isOpen;
}

const LINE_BREAK = 10;

const mayOpenAfter = (before: string): boolean =>
  before === ' ' || OPENING.includes(before) || /\s/.test(before);

const isApostrophe = ({ text, from, to }: Part, at: number): boolean =>
  at > from &&
  at + 1 < to &&
  text.charAt(at) === "'" &&
  /\p{L}/u.test(text.charAt(at - 1)) &&
  /\p{L}/u.test(text.charAt(at + 1));

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
