// Where in a reply the walk is: in the answer, in code, in a quote, in thinking. Knows no call and no format.
import { CodeSpans, endOfRun } from './code-spans';
import { findFenceEnd, isAtLineStart, isClaimable, readFenceOpening } from './fence';
import type { FenceOpening } from './fence';
import {
  findAnyReasoningClose,
  findReasoningClose,
  findReasoningTag,
  findStrippedAnalysis,
  ReasoningEnds,
} from './reasoning-tags';
import type { OpenThinking, PriorThinking, ReasoningTagMatch } from './reasoning-tags';
import { startsLine } from './line-place';
import type { MarkSearch } from './mark-search';
import { searchRegionMarks } from './region-marks';

/** `fence`: a code fence whose label does not say that it is a program; a call may claim it. */
export type Place = 'answer' | 'code' | 'fence' | 'quote' | 'reasoning' | 'open-reasoning';

export interface ReasoningSpan {
  start: number;
  end: number;
  bodyStart: number;
  bodyEnd: number;
}

export interface Fence {
  start: number;
  end: number;
  opening: FenceOpening;
  /** Calls and white space reach from its opening to here. */
  claimedTo: number;
}

interface Region {
  place: Place;
  end: number;
  fence?: Fence;
}

export class Places {
  readonly reasoning: ReasoningSpan[] = [];
  /** Where thinking ends whose opener stood in the prompt; 0 when there is none. */
  orphanEnd = 0;
  readonly #text: string;
  readonly #ends: ReasoningEnds;
  #spans: CodeSpans | undefined;
  #region: Region | undefined;
  /** The last one that ended. */
  #left: Region | undefined;
  #reasoningEnd = 0;
  #isOpenReasoning = false;
  #sawReasoning = false;
  /** Everything before it was looked at. */
  #cursor: number;
  readonly #marks: MarkSearch;
  // the line last looked at: a megabyte without a line break is searched once
  #lineFrom = 0;
  #lineTo = -1;

  constructor(text: string, from: number, thinking: PriorThinking = 'none') {
    this.#cursor = from;
    this.#text = text;
    this.#marks = searchRegionMarks(text);
    this.#ends = new ReasoningEnds(text);
    this.#sawReasoning = thinking !== 'none';
    if (typeof thinking === 'object') this.#goOnThinking(from, thinking);
  }

  get place(): Place {
    if (this.#reasoningEnd > 0) return 'reasoning';
    return this.#region?.place ?? (this.#isOpenReasoning ? 'open-reasoning' : 'answer');
  }

  /** The place of what begins at `start` and was found farther on: a call that begins in a quote is quoted. */
  placeOf(start: number): Place {
    return this.#left && start < this.#left.end ? this.#left.place : this.place;
  }

  get fence(): Fence | undefined {
    return this.place === 'fence' ? this.#region?.fence : undefined;
  }

  /** A fence ends on the line that begins at `at`: it looks like the beginning of another around what follows. */
  closesFence(at: number): boolean {
    if (!'`~'.includes(this.#text.charAt(at))) return false;
    this.goTo(at);
    return this.#region?.end === this.#lineEnd(at) && isAtLineStart(this.#text, at);
  }

  /** Goes on to `at`, whatever begins there not included. */
  goTo(at: number): void {
    for (let mark = this.#marks.next(this.#cursor); mark < at; mark = this.#marks.next(this.#cursor)) {
      this.#leave(mark);
      // nothing begins in code or in a quote
      this.#cursor = Math.max(this.#enter(mark), this.#region?.end ?? 0);
    }
    this.#cursor = Math.max(this.#cursor, at);
    this.#leave(at);
  }

  /** What stands before `at` was read and begins nothing. */
  skipTo(at: number): void {
    this.#cursor = Math.max(this.#cursor, at);
  }

  /** Ends whatever ends at or before `at`. */
  #leave(at: number): void {
    if (this.#region && at >= this.#region.end) {
      this.#left = this.#region;
      this.#region = undefined;
    }
    if (this.#reasoningEnd > 0 && at >= this.#reasoningEnd) this.#reasoningEnd = 0;
  }

  /** Begins what begins at `at`; gives the place to go on. */
  #enter(at: number): number {
    const character = this.#text.charAt(at);
    if (character === '`') return this.#enterCode(at);
    if (this.#region) return at + 1;
    if (character === '~') return this.#enterFence(at) ?? at + 1;
    if (character === '>') return this.#enterQuote(at);
    const tag = character === '<' || character === '[' ? findReasoningTag(this.#text, at) : undefined;
    return tag ? this.#enterTag(at, tag) : at + 1;
  }

  /** Not beyond the region that the walk is in. */
  clip(end: number): number {
    return this.clipReasoning(this.#region ? Math.min(end, this.#region.end) : end);
  }

  clipReasoning(end: number): number {
    return this.#reasoningEnd > 0 ? Math.min(end, this.#reasoningEnd) : end;
  }

  /** What a model made up after its call hides no end of thinking that began in the prompt. */
  clipInvented(from: number, to: number): number {
    const end = this.clip(to);
    return this.#sawReasoning ? end : Math.min(end, findAnyReasoningClose(this.#text, from, end));
  }

  /** A call claims the fence up to `end`; values hold fences of their own, so the closer is sought after it. */
  claimFence(end: number): void {
    const fence = this.fence;
    if (!fence || !this.#region) return;
    fence.claimedTo = end;
    if (end <= fence.end) return;
    fence.end = findFenceEnd(this.#text, end, fence.opening);
    this.#region.end = fence.end;
  }

  /** The start of the text may be thinking of which only words tell. */
  enterText(): void {
    const stripped = findStrippedAnalysis(this.#text);
    if (stripped) this.enterReasoning(stripped);
  }

  /** Thinking begins that a format has found; false where code or a quote only shows it. */
  enterReasoning({
    start,
    end,
    bodyStart,
    bodyEnd,
    isOpen,
  }: ReasoningSpan & { isOpen?: boolean | undefined }): boolean {
    if (this.#region || this.#reasoningEnd > 0) return false;
    this.#sawReasoning = true;
    if (isOpen) this.#isOpenReasoning = true;
    else {
      this.#reasoningEnd = end;
      this.reasoning.push({ start, end, bodyStart, bodyEnd });
    }
    return true;
  }

  #goOnThinking(from: number, open: OpenThinking): void {
    const bodyEnd = findReasoningClose(this.#text, from, open);
    if (bodyEnd === -1) this.#isOpenReasoning = true;
    else {
      this.#reasoningEnd = bodyEnd + open.tag.close.length;
      this.reasoning.push({ start: from, end: this.#reasoningEnd, bodyStart: from, bodyEnd });
    }
  }

  #enterCode(at: number): number {
    const end = endOfRun(this.#text, at);
    if (this.#region) return end;
    const body = end - at >= 3 ? this.#enterFence(at) : undefined;
    if (body !== undefined) return body;
    this.#spans ??= new CodeSpans(this.#text);
    const close = this.#spans.findEnd(at);
    // a stray backtick must not turn a call on a later line into code
    if (close !== undefined)
      this.#region = { place: 'code', end: this.clipReasoning(Math.min(close, this.#lineEnd(at))) };
    return end;
  }

  #enterFence(at: number): number | undefined {
    const opening = startsLine(this.#text, at) ? readFenceOpening(this.#text, at) : undefined;
    if (!opening) return undefined;
    const lineEnd = this.#lineEnd(at);
    // `<code>```</code>` in a sentence opens nothing
    if (opening.bodyStart < lineEnd && !isAtLineStart(this.#text, at)) return undefined;
    if (this.#text.slice(at + opening.marker.length, lineEnd).includes('`')) return undefined;
    const end = this.clipReasoning(findFenceEnd(this.#text, opening.bodyStart, opening));
    const fence = { start: at, end, opening, claimedTo: opening.bodyStart };
    this.#region = isClaimable(opening) ? { place: 'fence', end, fence } : { place: 'code', end };
    return opening.bodyStart;
  }

  #enterQuote(at: number): number {
    if (isAtLineStart(this.#text, at))
      this.#region = { place: 'quote', end: this.clipReasoning(this.#lineEnd(at)) };
    return at + 1;
  }

  #enterTag(at: number, { tag, isOpen, literal }: ReasoningTagMatch): number {
    const { length } = literal;
    if (this.#reasoningEnd > 0) return at + length;
    if (!isOpen) {
      if (!this.#sawReasoning) this.#endOrphan(at, at + length);
      return at + length;
    }
    this.#sawReasoning = true;
    const bodyEnd = this.#ends.find(tag, at);
    if (bodyEnd === -1) this.#isOpenReasoning = true;
    else {
      const end = bodyEnd + tag.close.length;
      this.#reasoningEnd = end;
      this.reasoning.push({ start: at, end, bodyStart: at + length, bodyEnd });
    }
    return at + length;
  }

  /** A later orphan takes in what an earlier one left as the answer. */
  #endOrphan(bodyEnd: number, end: number): void {
    this.reasoning.length = 0;
    this.reasoning.push({ start: 0, end, bodyStart: 0, bodyEnd });
    this.orphanEnd = end;
  }

  #lineEnd(at: number): number {
    if (at < this.#lineFrom || at > this.#lineTo) {
      const next = this.#text.indexOf('\n', at);
      this.#lineFrom = at;
      this.#lineTo = next === -1 ? this.#text.length : next;
    }
    return this.#lineTo;
  }
}
