// Scans the text of a stream once and stops where a call may begin. Tracks whether the stream is in a code fence, a quote
// or reasoning. Decides nothing about calls.
import { isBlank } from '../text/white-space';
import { isFenceCloser } from '../regions/fence';
import type { ReasoningTags } from '../regions/reasoning-tags';
import type { StartIndex } from './start-index';
import { isOpenReasoning, passTag } from './stream-state';
import type { StreamState, StreamReasoning } from './stream-state';

export interface Stop {
  /** Everything before this offset is text. */
  at: number;
  /** Whether a call may begin here; otherwise the text is only too short to tell. */
  isCandidate: boolean;
}

export interface Stretch {
  from: number;
  to: number;
  /** Offset of the text's first character in the whole reply. */
  base: number;
}

const LONGEST_HEAD = 64;
const WORD = /^\w/;
/** Maximum number of blanks between a name and the character that makes it a call. */
const MOST_BLANKS = 4;
const AFTER_NAME = '([{<:=>"\'`*_\\;,';
const AFTER_BRACKET = '{["\'“/';
/** A key without quotes or a Python call, or the beginning of one. */
const WORD_AND_MARK = /^[A-Za-z_][\w.]*\s*(?:[:(]|$)/;
const LINE_START = /^[ \u200b\ufeff]{0,3}$/;
/** What may come before a label on its line, such as a number or decoration. */
const LEAD_START = /(?:^|>)[ \t]{0,3}(?:[-*+] |#{1,6} |\d{1,3}[.)] )?[*_"'`]{0,3}$/;
/** A tag with a namespace, or the beginning of one. */
const SPACED_TAG = /^<[\w-]{0,32}(?::|$)/;
/** A special token, possibly damaged: `▁` inside angle brackets only occurs in such tokens. */
const SPECIAL_TOKEN = /^<[\w|｜]{0,32}▁/;

const CANDIDATE = -1;
const PARTIAL = -2;

export class TextWatch {
  /** State of the reasoning at the current offset. */
  reasoning: StreamReasoning = 'none';
  readonly #starts: StartIndex;
  readonly #tags: ReasoningTags;
  #text = '';
  #stretch: Stretch = { from: 0, to: 0, base: 0 };
  /** Offset up to which the text was scanned. */
  #taken = 0;
  /** The beginning of the current line. */
  #head = '';
  /** The last scanned character. */
  #last = '';
  /** Marker of the fence that the stream is in. */
  #fence: string | undefined;
  #isQuote = false;
  /** Nothing before this offset of the whole reply can be a call. */
  #closedTo = 0;
  #opening: string | undefined;
  /** Backticks on this line that are not closed yet; `at` is an offset of the whole reply. */
  #code: { at: number; length: number } | undefined;

  constructor(starts: StartIndex, tags: ReasoningTags) {
    this.#starts = starts;
    this.#tags = tags;
  }

  /** The opener of the reasoning that the stream is in, if only a format can delimit that reasoning. */
  get opening(): string | undefined {
    return this.#opening;
  }

  /** Inline code that opened on this line and may still be closed; `at` is an offset of the whole reply. */
  get openCode(): { at: number; length: number } | undefined {
    return this.#code;
  }

  /** Scans the stretch up to the stop. */
  scan(text: string, stretch: Stretch): Stop {
    this.#text = text;
    this.#stretch = stretch;
    this.#taken = stretch.from;
    let at = stretch.from;
    while (at < stretch.to) {
      const next = this.#next(at);
      if (next < 0) {
        this.#take(at);
        return { at, isCandidate: next === CANDIDATE };
      }
      at = next;
      if (at < stretch.to && !this.#isClosed()) at = this.#starts.nextPlace(text, at, stretch.to);
    }
    this.#take(stretch.to);
    return { at: stretch.to, isCandidate: false };
  }

  /** Continues at an offset of judged text. */
  enter(text: string, at: number, base: number, state: StreamState): void {
    const { lineFrom, isQuote, fence, closedTo, reasoning, opening, code } = state;
    this.#head = text.slice(lineFrom, at).slice(0, LONGEST_HEAD);
    this.#last = text.charAt(at - 1);
    this.#isQuote = isQuote;
    this.#fence = fence;
    this.#closedTo = closedTo === undefined ? 0 : base + closedTo;
    this.reasoning = reasoning;
    this.#opening = opening;
    this.#code = code && { at: base + code.at, length: code.length };
  }

  /** Whether the stream is in a fence or a quote, where nothing can be a call. */
  #isClosed(): boolean {
    return this.#fence !== undefined || this.#isQuote;
  }

  /** Updates the beginning of the current line, and inline code, which ends with its line. */
  #take(to: number): void {
    const from = this.#taken;
    if (to <= from) return;
    const piece = this.#text.slice(from, to);
    const line = piece.lastIndexOf('\n') + 1;
    if (line > 0) this.#code = undefined;
    const head = piece.slice(line, line + LONGEST_HEAD);
    if (line > 0) this.#head = head;
    else if (this.#head.length < LONGEST_HEAD) this.#head = (this.#head + head).slice(0, LONGEST_HEAD);
    this.#last = piece.charAt(piece.length - 1);
    this.#taken = to;
  }

  #isLineStart(at: number): boolean {
    this.#take(at);
    return LINE_START.test(this.#head);
  }

  #isLabelStart(at: number): boolean {
    this.#take(at);
    return LEAD_START.test(this.#head);
  }

  /** The next offset to look at, or CANDIDATE or PARTIAL as the reason to stop. */
  #next(at: number): number {
    const { base, to } = this.#stretch;
    if (base + at < this.#closedTo) return Math.min(this.#closedTo - base, to);
    if (this.#isClosed()) return this.#passLine(at);
    const character = this.#text.charAt(at);
    if (character === '`' || character === '~') return this.#lookAtCode(at);
    const next = this.#lookAtLiteral(at);
    if (next !== undefined) return next;
    // Not in reasoning: that may be closed anywhere, which ends the quote too.
    if (character === '>' && !this.#isReasoning && this.#isLineStart(at)) this.#isQuote = true;
    // Any token may close this reasoning.
    if (character === '<' && this.#opening !== undefined) return CANDIDATE;
    if (character === '<') {
      const head = this.#text.slice(at, at + LONGEST_HEAD);
      if (SPECIAL_TOKEN.test(head)) return CANDIDATE;
      const tag = SPACED_TAG.exec(head);
      if (tag) return tag[0].endsWith(':') ? CANDIDATE : PARTIAL;
    }
    const isBracket = character === '{' || character === '[';
    return isBracket && this.#mayOpen(at) ? CANDIDATE : at + 1;
  }

  get #isReasoning(): boolean {
    return isOpenReasoning(this.reasoning) || this.#opening !== undefined;
  }

  /** Passes to the end of a line in which nothing is a call. */
  #passLine(at: number): number {
    const { to } = this.#stretch;
    const found = this.#text.indexOf('\n', at);
    const end = found === -1 ? to : Math.min(found, to);
    this.#take(end);
    if (found === -1 || found >= to) return to;
    this.#isQuote = false;
    const fence = this.#fence ?? '';
    if (fence !== '' && isFenceCloser(this.#head, 0, this.#head.length, fence)) this.#fence = undefined;
    this.#take(end + 1);
    return end + 1;
  }

  #lookAtCode(at: number): number {
    const character = this.#text.charAt(at);
    let end = at + 1;
    while (this.#text.charAt(end) === character) end += 1;
    if (end - at >= 3) return CANDIDATE;
    if (end >= this.#text.length) return PARTIAL;
    if (character === '`') this.#toggleCode(at, end - at);
    return end;
  }

  #toggleCode(at: number, length: number): void {
    this.#take(at);
    if (this.#code?.length === length) this.#code = undefined;
    else this.#code ??= { at: this.#stretch.base + at, length };
  }

  /** The next offset or the reason to stop; undefined when no literal begins here. */
  #lookAtLiteral(at: number): number | undefined {
    const found = this.#starts.matches(this.#text, at);
    const isWord = WORD.test(this.#text.charAt(at)) && WORD.test(this.#before(at));
    if (found.some(({ kind }) => kind === 'opener')) return CANDIDATE;
    if (this.#starts.isCut(this.#text, at, isWord)) return PARTIAL;
    const tag = found.some(({ kind }) => kind === 'reasoning') ? this.#passTag(at) : undefined;
    if (tag !== undefined) return tag;
    if (isWord) return undefined;
    const lead = this.#starts.findLead(this.#text, at);
    if (lead && this.#isLabelStart(at)) return lead === 'whole' ? CANDIDATE : PARTIAL;
    const name = found.find(({ kind }) => kind === 'name');
    return name && this.#isNamed(at + name.length) ? CANDIDATE : undefined;
  }

  #before(at: number): string {
    return at > this.#stretch.from ? this.#text.charAt(at - 1) : this.#last;
  }

  #passTag(at: number): number | undefined {
    const match = this.#tags.find(this.#text, at);
    if (!match) return undefined;
    const reasoning = this.reasoning;
    const isInner = isOpenReasoning(reasoning) && reasoning.tag !== match.tag && match.isOpen;
    // In code this would not be a tag, and reasoning of another kind may be recognizable only by its end.
    if (isInner || this.#code || this.#opening !== undefined) return CANDIDATE;
    this.reasoning = passTag(reasoning, match);
    return at + match.literal.length;
  }

  /** Whether an offered tool's name is followed by something with which it may be a call. */
  #isNamed(end: number): boolean {
    let at = end;
    while (at < end + MOST_BLANKS && isBlank(this.#text.charCodeAt(at))) at += 1;
    const next = this.#text.charAt(at);
    return next === '' || AFTER_NAME.includes(next) || (at > end && this.#text.slice(end, at).includes('\n'));
  }

  /** Whether the bracket may open a call: in prose, other characters follow it. */
  #mayOpen(at: number): boolean {
    if (this.#isLineStart(at)) return true;
    let next = at + 1;
    while (next < at + LONGEST_HEAD && isBlank(this.#text.charCodeAt(next))) next += 1;
    const character = this.#text.charAt(next);
    if (character === '' || AFTER_BRACKET.includes(character)) return true;
    if (WORD_AND_MARK.test(this.#text.slice(next, next + LONGEST_HEAD))) return true;
    return (
      this.#starts.matches(this.#text, next).some(({ kind }) => kind === 'name') ||
      this.#starts.isCut(this.#text, next, false)
    );
  }
}
