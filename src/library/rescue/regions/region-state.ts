// The regions around one offset of a text that grows. It has no offsets, so that it holds for the text to come, and looks
// ahead nowhere: where a region ends is not known before that text is there.
import { isFenceCloser } from './fence';
import { isOpenReasoning, passTag } from './reasoning-tags';
import type { ReasoningState, ReasoningTagMatch } from './reasoning-tags';

const LONGEST_HEAD = 64;
const LINE_START = /^[ \u200b\ufeff]{0,3}$/;
/** What may come before a label on its line, such as a number or decoration. */
const LABEL_START = /(?:^|>)[ \t]{0,3}(?:[-*+] |#{1,6} |\d{1,3}[.)] )?[*_"'`]{0,3}$/;

export class RegionState {
  reasoning: ReasoningState = 'none';
  /** The opener of the reasoning around the offset, if only a format can tell where that ends. */
  opening: string | undefined;
  /** A run of backticks on this line that nothing has closed, and how many characters before the offset it begins. */
  code: { distance: number; length: number } | undefined;
  /** Marker of a code fence that nothing has closed. */
  fence: string | undefined;
  isQuote = false;
  /** How many of the next characters belong to code or a quote whose end was found ahead. */
  closedFor = 0;
  /** The beginning of the current line. */
  #head: string;
  #last: string;

  /** @param lineFrom start of the line of `at`, without text that a call in a fence has claimed */
  constructor(text = '', at = 0, lineFrom = 0) {
    this.#head = text.slice(lineFrom, at).slice(0, LONGEST_HEAD);
    this.#last = text.charAt(at - 1);
  }

  /** The character before the offset; '' at the start of the text. */
  get last(): string {
    return this.#last;
  }

  /** Whether the offset is in a fence or a quote, where nothing can be a call. */
  get isClosed(): boolean {
    return this.fence !== undefined || this.isQuote;
  }

  get isReasoning(): boolean {
    return isOpenReasoning(this.reasoning) || this.opening !== undefined;
  }

  get startsLine(): boolean {
    return LINE_START.test(this.#head);
  }

  get mayStartLabel(): boolean {
    return LABEL_START.test(this.#head);
  }

  /** Advances over a piece of text. Inline code ends with its line. */
  pass(piece: string): void {
    if (piece === '') return;
    const line = piece.lastIndexOf('\n') + 1;
    if (line > 0) this.code = undefined;
    if (this.code) this.code.distance += piece.length;
    const head = piece.slice(line, line + LONGEST_HEAD);
    if (line > 0) this.#head = head;
    else if (this.#head.length < LONGEST_HEAD) this.#head = (this.#head + head).slice(0, LONGEST_HEAD);
    this.#last = piece.charAt(piece.length - 1);
    this.closedFor = Math.max(0, this.closedFor - piece.length);
  }

  /** Leaves what ends with the line: a quote, and a fence if the line is its closer. */
  endLine(): void {
    this.isQuote = false;
    if (this.fence !== undefined && isFenceCloser(this.#head, 0, this.#head.length, this.fence))
      this.fence = undefined;
  }

  /** Opens inline code with a run of backticks, or closes it with one of the same length. */
  toggleCode(length: number): void {
    if (this.code?.length === length) this.code = undefined;
    else this.code ??= { distance: 0, length };
  }

  passTag(tag: ReasoningTagMatch): void {
    this.reasoning = passTag(this.reasoning, tag);
  }
}
