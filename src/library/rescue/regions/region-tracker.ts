// Tells which region of a reply an offset is in: answer, code, quote, reasoning. Offsets come from left to right, and only
// where something was found: inline code and quotes end with their line, so lines without a finding are skipped.
// Independent of calls and formats.
import { Prefilter } from '../text/prefilter';
import { findOrEnd, LineEnds, skipWhite } from '../text/white-space';
import { CodeSpans, endOfRun } from './code-spans';
import { findFenceEnd, isAtLineStart, readFenceOpening } from './fence';
import type { FenceOpening } from './fence';
import { startsLine } from './line-position';
import { findStrippedReasoning, isOpenReasoning, ReasoningBlocks } from './reasoning-tags';
import type {
  DelimitedReasoning,
  ReasoningSpan,
  ReasoningState,
  ReasoningTag,
  ReasoningTagMatch,
  ReasoningTags,
} from './reasoning-tags';
import type { TaggedText } from './region-syntax';

/** `fence` is a code fence whose info string does not name a programming language; a call may claim it. */
export type RegionKind = 'answer' | 'code' | 'fence' | 'quote' | 'reasoning' | 'open-reasoning';

/** Inline code, a code fence or a quote. */
export interface Region {
  kind: RegionKind;
  start: number;
  /** The text's length while nothing ends the region. */
  end: number;
  /** Only for a code fence, whether or not a call may claim it. */
  opening?: FenceOpening;
}

/** A code fence that a call may claim. */
export interface Fence extends Region {
  kind: 'fence';
  opening: FenceOpening;
  /** Only calls and white space come between the opening and this offset. */
  claimedTo: number;
}

export const isFence = (region: Region | undefined): region is Fence => region?.kind === 'fence';

export class RegionTracker {
  readonly reasoning: ReasoningSpan[] = [];
  /** End of reasoning whose opener is in the prompt; 0 when there is none. */
  orphanEnd = 0;
  protected readonly source: TaggedText;
  readonly #tags: ReasoningTags;
  readonly #text: string;
  #blocks: ReasoningBlocks | undefined;
  #spans: CodeSpans | undefined;
  #region: Region | undefined;
  /** The last region that ended. */
  #left: Region | undefined;
  #reasoningEnd = 0;
  #isOpenReasoning = false;
  #sawReasoning = false;
  /** The text before this offset was looked at. */
  #cursor: number;
  readonly #isComplete: boolean;
  #tagsFrom: Prefilter | undefined;
  /** Offsets of the next run of three or more backticks, and of tildes. */
  #backticks = -1;
  #tildes = -1;
  #ends: LineEnds | undefined;

  /** @param isComplete whether every region is entered, also on lines without a finding */
  constructor(source: TaggedText, from: number, reasoning: ReasoningState = 'none', isComplete = false) {
    this.#isComplete = isComplete;
    const { text } = source;
    this.source = source;
    this.#tags = source.regions.reasoning;
    this.#cursor = from;
    this.#text = text;
    this.#sawReasoning = reasoning !== 'none';
    if (isOpenReasoning(reasoning))
      this.#addBlock(reasoning.tag, from, from, this.blocks.follow(reasoning, from).closer);
    if (isComplete) this.noteTags();
  }

  /** Built on first use, because most replies have no code. */
  protected get lineEnds(): LineEnds {
    return (this.#ends ??= new LineEnds(this.#text));
  }

  /** Built on first use, because most replies have no reasoning. */
  protected get blocks(): ReasoningBlocks {
    return (this.#blocks ??= new ReasoningBlocks(this.#text));
  }

  get kind(): RegionKind {
    if (this.#reasoningEnd > 0) return 'reasoning';
    return this.#region?.kind ?? (this.#isOpenReasoning ? 'open-reasoning' : 'answer');
  }

  /** The region of something that begins at `start`, which may be before the current offset. */
  kindOf(start: number): RegionKind {
    return this.#left && start < this.#left.end ? this.#left.kind : this.kind;
  }

  get fence(): Fence | undefined {
    return this.#reasoningEnd === 0 && isFence(this.#region) ? this.#region : undefined;
  }

  /** Whether the fence at `at` closes the current one. On its own, it would look like the opening of another fence. */
  closesFence(at: number): boolean {
    if (!'`~'.includes(this.#text.charAt(at))) return false;
    this.goTo(at);
    return this.#region?.end === this.lineEnds.find(at) && isAtLineStart(this.#text, at);
  }

  /** Called when the text has reasoning tags. None of them comes before the current offset. */
  noteTags(): void {
    this.#tagsFrom ??= new Prefilter(this.#text, this.source.regions.tags);
  }

  /**
   * Advances to `at`, without entering what begins there.
   * @param from start of what was found at `at`; inline code and quotes are searched for from its line on
   */
  goTo(at: number, from = at): void {
    while (this.#cursor < at) {
      const mark = this.#nextMark(at);
      this.#passLine(mark, this.#isComplete ? this.#cursor : Math.min(mark, from));
      if (this.#cursor > mark) continue;
      this.#cursor = mark;
      if (mark < at) this.#pass(mark);
    }
    this.#leave(at);
  }

  /** The next fence or tag before `at`; `at` itself when there is none. */
  #nextMark(at: number): number {
    const from = this.#cursor;
    if (this.#backticks < from) this.#backticks = findOrEnd(this.#text, '```', from);
    if (this.#tildes < from) this.#tildes = findOrEnd(this.#text, '~~~', from);
    return Math.min(at, this.#backticks, this.#tildes, this.#tagsFrom?.next(from) ?? at);
  }

  /** Enters inline code and quotes before `to`, from the line of `from` on. */
  #passLine(to: number, from: number): void {
    const lineBreak = this.#text.slice(this.#cursor, from).lastIndexOf('\n');
    this.#cursor += lineBreak + 1;
    while (this.#cursor < to) {
      const code = this.#text.charCodeAt(this.#cursor);
      const isMark = code === 96 || (code === 62 && isAtLineStart(this.#text, this.#cursor));
      if (isMark) this.#pass(this.#cursor);
      else this.#cursor += 1;
    }
  }

  /** Leaves what ends at the mark, and enters what begins there. */
  #pass(mark: number): void {
    this.#leave(mark);
    const mayEnter = this.#region === undefined && this.#reasoningEnd === 0;
    // Nothing begins in code or in a quote.
    this.#cursor = Math.max(this.#enter(mark), this.#region?.end ?? 0);
    if (mayEnter) this.onMark(mark, this.#region);
  }

  /** Called after each mark outside of regions and of closed reasoning, with the region that begins there. */
  protected onMark(_at: number, _region: Region | undefined): void {}

  /** Skips the text before `at`, which was parsed and begins nothing. */
  skipTo(at: number): void {
    this.#cursor = Math.max(this.#cursor, at);
  }

  /** Leaves every region that ends at or before `at`. */
  #leave(at: number): void {
    if (this.#region && at >= this.#region.end) {
      this.#left = this.#region;
      this.#region = undefined;
    }
    if (this.#reasoningEnd > 0 && at >= this.#reasoningEnd) this.#reasoningEnd = 0;
  }

  /** Enters what begins at `at`. Returns the offset at which to continue. */
  #enter(at: number): number {
    const character = this.#text.charAt(at);
    if (character === '`') return this.#enterCode(at);
    if (this.#region) return at + 1;
    if (character === '~') return this.#enterFence(at) ?? at + 1;
    if (character === '>') return this.#enterQuote(at);
    const tag = this.#tags.find(this.#text, at);
    return tag ? this.#enterTag(at, tag) : at + 1;
  }

  /** `end`, but at most the end of the current region. */
  clip(end: number): number {
    return this.clipReasoning(this.#region ? Math.min(end, this.#region.end) : end);
  }

  clipReasoning(end: number): number {
    return this.#reasoningEnd > 0 ? Math.min(end, this.#reasoningEnd) : end;
  }

  /** Limits invented text after a call, so that it does not hide the end of reasoning that began in the prompt. */
  clipInvented(from: number, to: number): number {
    const end = this.clip(to);
    return this.#sawReasoning ? end : Math.min(end, this.#tags.findAnyClose(this.#text, from, end));
  }

  /** Lets a call claim the fence up to `end`. Values may contain fences, so the closer is searched for after that. */
  claimFence(end: number): void {
    const fence = this.fence;
    if (!fence) return;
    fence.claimedTo = end;
    if (end > fence.end) fence.end = findFenceEnd(this.#text, end, fence.opening);
  }

  /** Enters reasoning at the start of the text whose special tokens were stripped. */
  enterText(): void {
    const stripped = findStrippedReasoning(this.#text, this.source.regions.stripped);
    if (stripped) this.enterReasoning(stripped);
  }

  /**
   * Enters reasoning that a format delimits. Returns false in code or in a quote, where it is only shown, and in
   * reasoning.
   */
  enterReasoning(reasoning: DelimitedReasoning): boolean {
    if (this.#region || this.#reasoningEnd > 0) return false;
    this.#addReasoning(reasoning);
    return true;
  }

  #addReasoning({ start, end, bodyStart, bodyEnd, isOpen }: DelimitedReasoning): void {
    this.#sawReasoning = true;
    if (isOpen) this.#isOpenReasoning = true;
    else {
      this.#reasoningEnd = end;
      this.reasoning.push({ start, end, bodyStart, bodyEnd });
    }
  }

  /** @param bodyEnd offset of the closer; undefined when nothing closes the block */
  #addBlock({ close }: ReasoningTag, start: number, bodyStart: number, bodyEnd: number | undefined): void {
    if (bodyEnd === undefined) this.#isOpenReasoning = true;
    else this.#addReasoning({ start, end: bodyEnd + close.length, bodyStart, bodyEnd });
  }

  #enterCode(at: number): number {
    const end = endOfRun(this.#text, at);
    if (this.#region) return end;
    const body = end - at >= 3 ? this.#enterFence(at) : undefined;
    if (body !== undefined) return body;
    if (at >= (this.#spans?.to ?? 0)) this.#spans = new CodeSpans(this.#text, at);
    const close = this.#spans?.findEnd(at);
    // inline code ends with its line: a stray backtick must not turn a call on a later line into code
    if (close !== undefined)
      this.#region = {
        kind: 'code',
        start: at,
        end: this.clipReasoning(Math.min(close, this.lineEnds.find(at))),
      };
    return end;
  }

  #enterFence(at: number): number | undefined {
    const opening = startsLine(this.source, at) ? readFenceOpening(this.#text, at) : undefined;
    if (!opening) return undefined;
    const lineEnd = this.lineEnds.find(at);
    // `<code>```</code>` in a sentence opens no fence.
    if (opening.bodyStart < lineEnd && !isAtLineStart(this.#text, at)) return undefined;
    if (this.#text.slice(at + opening.marker.length, lineEnd).includes('`')) return undefined;
    const end = this.clipReasoning(findFenceEnd(this.#text, opening.bodyStart, opening));
    const fence: Fence = { kind: 'fence', start: at, end, opening, claimedTo: opening.bodyStart };
    this.#region = this.source.regions.isClaimable(opening) ? fence : { ...fence, kind: 'code' };
    return opening.bodyStart;
  }

  #enterQuote(at: number): number {
    if (isAtLineStart(this.#text, at))
      this.#region = { kind: 'quote', start: at, end: this.clipReasoning(this.lineEnds.find(at)) };
    return at + 1;
  }

  #enterTag(at: number, { tag, isOpen, literal }: ReasoningTagMatch): number {
    const { length } = literal;
    if (this.#reasoningEnd > 0) return at + length;
    if (!isOpen) {
      // A closing token at the very end of the text closes no reasoning: there would be no answer.
      const isLast = literal.endsWith('|>') && skipWhite(this.#text, at + length) >= this.#text.length;
      if (!this.#sawReasoning && !isLast) this.#endOrphan(at, at + length);
      return at + length;
    }
    this.#sawReasoning = true;
    this.#addBlock(tag, at, at + length, this.blocks.findEnd(tag, at + length));
    return at + length;
  }

  /** A closing tag without an opener: everything before it is reasoning, also after an earlier such tag. */
  #endOrphan(bodyEnd: number, end: number): void {
    this.reasoning.length = 0;
    this.reasoning.push({ start: 0, end, bodyStart: 0, bodyEnd });
    this.orphanEnd = end;
  }
}
