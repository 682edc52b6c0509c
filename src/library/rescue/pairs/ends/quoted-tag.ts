// Detects tags that a value only quotes, as in code about the format: in quotes on their line, or in a text of several lines
// between triple quotes. Independent of the meaning of tags.
import type { TextSource } from '../../core/rescue-context';
import type { Span } from '../../text/cut-text';

const LONGEST_LINE = 512;
const QUOTES = ['"', "'"];
const BLOCK_MARKS = ['"""', "'''"];
/** What precedes an opening quote: white space, or one of these. */
const OPENING = '([{=,:+>';
const LINE_BREAK = 10;

/** The quotes of one value. Tags have to be asked for from left to right, so that the value is read only once. */
export class ValueQuotes {
  readonly #source: TextSource;
  readonly #from: number;
  /** The text before this offset was read. */
  #at: number;
  /** For each kind, the offset of the quote that is open on the last line read; -1 when none is. */
  readonly #opened = [-1, -1];
  /** The block in triple quotes that was found last. */
  #block: Span;

  /** Undefined when there are no quotes. @param from Where the value begins. */
  static of(source: TextSource, from: number): ValueQuotes | undefined {
    return QUOTES.some((quote) => source.peek(quote, from) !== -1)
      ? new ValueQuotes(source, from)
      : undefined;
  }

  private constructor(source: TextSource, from: number) {
    this.#source = source;
    this.#from = from;
    this.#at = from;
    this.#block = { start: from, end: from };
  }

  /** Whether a quote opens before the tag and closes after it on the same line. */
  has(tag: Span): boolean {
    return QUOTES.some((quote, kind) => this.#findAround(tag, quote, kind) !== undefined);
  }

  /** Whether the quotes contain the tag and then `closer`. @param end A text that must not be between the quote and the tag. */
  hasElement(tag: Span, closer: string, end: string | undefined): boolean {
    const { text } = this.#source;
    return QUOTES.some((quote, kind) => {
      const around = this.#findAround(tag, quote, kind);
      if (!around || !text.slice(tag.end, around.end).includes(closer)) return false;
      return end === undefined || !text.slice(around.start, tag.start).includes(end);
    });
  }

  /**
   * Whether the quotes contain this tag and no other one, beside which it may be meant.
   * @param lead The text with which tags begin.
   */
  hasAlone(tag: Span, lead: string): boolean {
    const { text } = this.#source;
    return QUOTES.some((quote, kind) => {
      const around = this.#findAround(tag, quote, kind);
      if (!around) return false;
      return !`${text.slice(around.start, tag.start)}${text.slice(tag.end, around.end)}`.includes(lead);
    });
  }

  /** The offsets of the quotes of one kind around the tag. */
  #findAround({ start, end }: Span, quote: string, kind: number): Span | undefined {
    const { text } = this.#source;
    let closed = this.#source.peek(quote, end);
    for (let from = closed + 1; isEscaped(text, closed); from = closed + 1)
      closed = text.slice(0, end + LONGEST_LINE).indexOf(quote, from);
    // Most tags end their line.
    if (closed === -1 || closed - end >= LONGEST_LINE || text.slice(end, closed).includes('\n'))
      return undefined;
    this.#readTo(start);
    const opened = this.#opened[kind] ?? -1;
    return opened !== -1 && start - opened <= LONGEST_LINE ? { start: opened, end: closed } : undefined;
  }

  #readTo(place: number): void {
    const { text } = this.#source;
    for (; this.#at < place; this.#at += 1) {
      const code = text.charCodeAt(this.#at);
      if (code === LINE_BREAK) this.#opened.fill(-1);
      else if (code === 34 || code === 39) this.#passQuote(text.charAt(this.#at));
    }
  }

  /** A quote opens, or closes the one before it; one that cannot open ends them all. Nothing precedes the first character. */
  #passQuote(quote: string): void {
    const { text } = this.#source;
    if (isApostrophe(text, this.#at) || isEscaped(text, this.#at)) return;
    const kind = QUOTES.indexOf(quote);
    const mayOpen = this.#at === this.#from || mayOpenAfter(text.charAt(this.#at - 1));
    this.#opened[kind] = mayOpen && this.#opened[kind] === -1 ? this.#at : -1;
  }

  /** Offset after the triple quotes that close the block around `place`; undefined outside of a block. */
  findBlockEnd(place: number): number | undefined {
    while (this.#block.end <= place) {
      const block = this.#findBlock(this.#block.end);
      if (!block || block.start >= place) return undefined;
      this.#block = block;
    }
    return this.#block.end;
  }

  /** The next block; undefined when none opens, or the first one is not closed. */
  #findBlock(from: number): Span | undefined {
    let start = -1;
    let end: number | undefined;
    for (const mark of BLOCK_MARKS) {
      const opened = this.#source.peek(mark, from);
      if (opened === -1 || (start !== -1 && start < opened)) continue;
      start = opened;
      const closed = this.#source.peek(mark, opened + mark.length);
      end = closed === -1 ? undefined : closed + mark.length;
    }
    return end === undefined ? undefined : { start, end };
  }
}

const mayOpenAfter = (before: string): boolean =>
  before === ' ' || OPENING.includes(before) || /\s/.test(before);

const isEscaped = (text: string, at: number): boolean =>
  text.charAt(at - 1) === '\\' && text.charAt(at - 2) !== '\\';

const isApostrophe = (text: string, at: number): boolean =>
  text.charAt(at) === "'" && /\p{L}/u.test(text.charAt(at - 1)) && /\p{L}/u.test(text.charAt(at + 1));
