// Scans the text of a stream once and stops where a call may begin, or where only a look ahead shows which region begins.
// Decides nothing about calls.
import { isOpenReasoning } from '../regions/reasoning-tags';
import type { ReasoningTags } from '../regions/reasoning-tags';
import { RegionState } from '../regions/region-state';
import { findOrEnd, isBlank } from '../text/white-space';
import type { StartIndex } from './start-index';

export interface Stop {
  /** Everything before this offset is text. */
  at: number;
  /** Whether a call may begin here; otherwise the text is only too short to tell. */
  isCandidate: boolean;
}

const LONGEST_HEAD = 64;
const WORD = /^\w/;
/** Maximum number of blanks between a name and the character that makes it a call. */
const MAX_BLANKS = 4;
const AFTER_NAME = '([{<:=>"\'`*_\\;,';
const AFTER_BRACKET = '{["\'“/';
/** A key without quotes or a Python call, or the beginning of one. */
const WORD_AND_MARK = /^[A-Za-z_\u00c0-\ufefe][\w.\u00c0-\ufefe]*\s*(?:[:(]|$)/;
/** A tag with a namespace, or the beginning of one. */
const SPACED_TAG = /^<[\w-]{0,32}(?::|$)/;
/** A special token, possibly damaged: `▁` inside angle brackets only occurs in such tokens. */
const SPECIAL_TOKEN = /^<[\w|｜]{0,32}▁/;

const CANDIDATE = -1;
const PARTIAL = -2;

export class TextWatch {
  readonly #starts: StartIndex;
  readonly #tags: ReasoningTags;
  #state = new RegionState();
  #text = '';
  #from = 0;
  #to = 0;
  /** Offset up to which the state has advanced. */
  #taken = 0;

  constructor(starts: StartIndex, tags: ReasoningTags) {
    this.#starts = starts;
    this.#tags = tags;
  }

  /** Scans the text from `from` up to the stop, and advances the state to there. */
  scan(text: string, from: number, state: RegionState): Stop {
    this.#text = text;
    this.#state = state;
    this.#from = from;
    this.#to = toWholeEnd(text);
    this.#taken = from;
    let at = Math.min(from + state.closedFor, this.#to);
    while (at < this.#to) {
      const next = this.#next(at);
      if (next < 0) {
        this.#take(at);
        return { at, isCandidate: next === CANDIDATE };
      }
      at = next;
      if (at < this.#to && !state.isClosed) at = this.#starts.nextPlace(text, at, this.#to);
    }
    this.#take(this.#to);
    return { at: this.#to, isCandidate: false };
  }

  /** Advances the state. */
  #take(to: number): RegionState {
    this.#state.pass(this.#text.slice(this.#taken, to));
    this.#taken = Math.max(this.#taken, to);
    return this.#state;
  }

  /** The next offset to look at, or CANDIDATE or PARTIAL as the reason to stop. */
  #next(at: number): number {
    if (this.#state.isClosed) return this.#passLine(at);
    const character = this.#text.charAt(at);
    if (character === '`' || character === '~') return this.#lookAtCode(at);
    const next = this.#lookAtLiteral(at);
    if (next !== undefined) return next;
    // Not in reasoning: that may be closed anywhere, which ends the quote too.
    if (character === '>' && !this.#state.isReasoning && this.#take(at).startsLine)
      this.#state.isQuote = true;
    // Any token may close this reasoning.
    if (character === '<' && this.#state.opening !== undefined) return CANDIDATE;
    if (character === '<') {
      const head = this.#text.slice(at, at + LONGEST_HEAD);
      if (SPECIAL_TOKEN.test(head)) return CANDIDATE;
      const tag = SPACED_TAG.exec(head);
      if (tag) return tag[0].endsWith(':') ? CANDIDATE : PARTIAL;
    }
    const isBracket = character === '{' || character === '[';
    return isBracket && this.#mayOpen(at) ? CANDIDATE : at + 1;
  }

  /** Passes to the end of a line in which nothing is a call. */
  #passLine(at: number): number {
    const end = findOrEnd(this.#text, '\n', at);
    if (end >= this.#to) return this.#to;
    this.#take(end).endLine();
    return end + 1;
  }

  #lookAtCode(at: number): number {
    const character = this.#text.charAt(at);
    let end = at + 1;
    while (this.#text.charAt(end) === character) end += 1;
    if (end - at >= 3) return CANDIDATE;
    if (end >= this.#text.length) return PARTIAL;
    if (character === '`') this.#take(at).toggleCode(end - at);
    return end;
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
    if (lead && this.#take(at).mayStartLabel) return lead === 'whole' ? CANDIDATE : PARTIAL;
    const name = found.find(({ kind }) => kind === 'name');
    return name && this.#isNamed(at + name.length) ? CANDIDATE : undefined;
  }

  #before(at: number): string {
    return at > this.#from ? this.#text.charAt(at - 1) : this.#state.last;
  }

  #passTag(at: number): number | undefined {
    const match = this.#tags.find(this.#text, at);
    if (!match) return undefined;
    const { reasoning, code, opening } = this.#state;
    const isInner = isOpenReasoning(reasoning) && reasoning.tag !== match.tag && match.isOpen;
    // In code this would not be a tag, and reasoning of another kind may be recognizable only by its end.
    if (isInner || code || opening !== undefined) return CANDIDATE;
    this.#state.passTag(match);
    return at + match.literal.length;
  }

  /** Whether an offered tool's name is followed by something with which it may be a call. */
  #isNamed(end: number): boolean {
    let at = end;
    while (at < end + MAX_BLANKS && isBlank(this.#text.charCodeAt(at))) at += 1;
    const next = this.#text.charAt(at);
    return next === '' || AFTER_NAME.includes(next) || (at > end && this.#text.slice(end, at).includes('\n'));
  }

  /** Whether the bracket may open a call: in prose, other characters follow it. */
  #mayOpen(at: number): boolean {
    if (this.#take(at).startsLine) return true;
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

/** The text's length without a high surrogate at the end, because half of a surrogate pair is not returned alone. */
function toWholeEnd(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
