// The regions of a text that more text may follow: what they were at each offset, what more text may still change, and the
// state in which the text goes on from there. Parses no calls; independent of single formats.
import { findOrEnd } from '../text/line-ends';
import type { Span } from '../text/cut-text';
import { Prefilter } from '../text/prefilter';
import { skipWhite } from '../text/white-space';
import { endOfRun } from './code-spans';
import { isOpenReasoning, passTag } from './reasoning-tags';
import type { OpenReasoning, ReasoningState } from './reasoning-tags';
import { RegionState } from './region-state';
import type { TaggedText } from './region-syntax';
import { RegionTracker } from './region-tracker';
import type { ReasoningSpan, Region } from './region-tracker';

/** A block of reasoning. */
interface Block {
  start: number;
  bodyStart: number;
  /** Infinity while nothing closes the block. */
  end: number;
}

interface TaggedBlock extends Block {
  open: OpenReasoning;
}

const BLANK_LINE = /\n[ \t\r]*\n/g;

export class RegionHistory extends RegionTracker {
  /** Offsets of reasoning openers that nothing closes. */
  readonly unclosed: number[] = [];
  readonly #source: TaggedText;
  readonly #text: string;
  readonly #regions: Region[] = [];
  /** Reasoning tags outside of regions. */
  readonly #tags: Span[] = [];
  /** Runs of backticks that nothing closes. */
  readonly #runs: number[] = [];
  /** Offsets of what means something else inside code. */
  readonly #findings: number[] = [];
  /** The block that began before the text. */
  readonly #prior: TaggedBlock | undefined;
  readonly #tagged: TaggedBlock[] = [];
  /** Blocks that only a format can delimit. */
  readonly #told: Block[] = [];
  /** Where the first reasoning begins. */
  #begunAt: number;
  /** The first unclosed opener inside reasoning of another kind. */
  #innerAt: number;

  constructor(source: TaggedText, from: number, reasoning: ReasoningState) {
    super(source, from, reasoning, true);
    this.#source = source;
    this.#text = source.text;
    this.#innerAt = source.text.length;
    this.#begunAt = reasoning === 'none' ? Infinity : -1;
    if (isOpenReasoning(reasoning)) this.#prior = this.#addBlock(from, from, reasoning);
  }

  /** Records something that inside code would mean something else. */
  addFinding(at: number): void {
    this.#findings.push(at);
  }

  /** The code or the quote around an offset. */
  regionAt(at: number): Region | undefined {
    const region = this.#regions.findLast(({ start }) => start < at);
    return region && at < region.end ? region : undefined;
  }

  /** The start of the reasoning tag around `at`, which is never split; `at` itself when there is none. */
  startOfTag(at: number): number {
    const tag = this.#tags.findLast(({ start }) => start < at);
    return tag && at < tag.end ? tag.start : at;
  }

  /** Whether a call at `at` may claim this fence: only calls come before it, or its opening line is not over. */
  mayClaim({ opened, fence }: Region, at: number): boolean {
    if (opened && opened.lineEnd >= at) return true;
    return fence !== undefined && skipWhite(this.#text, fence.claimedTo) >= at;
  }

  /** The end of the last region or tag before `at`. */
  leftAt(at: number): number {
    const region = this.#regions.findLast(({ end }) => end <= at)?.end ?? 0;
    return Math.max(region, this.#tags.findLast(({ end }) => end <= at)?.end ?? 0);
  }

  /** Whether the reasoning from before the text has nested blocks, so that its first closing tag may not be its end. */
  get isNested(): boolean {
    if (!this.#prior) return false;
    const { bodyStart, end, open } = this.#prior;
    if (open.isNested) return true;
    const state = this.#passTags(open, bodyStart, Math.min(end, this.#text.length));
    return isOpenReasoning(state) && state.isNested;
  }

  /** The first offset from which more text may still change a region; the text's length when there is none. */
  findUnsure(): number {
    return Math.min(this.#findOpenCode(), this.#innerAt);
  }

  /** The state in which the text goes on at this offset. */
  stateAt(at: number): RegionState {
    const line = this.#text.lastIndexOf('\n', at - 1) + 1;
    const told = this.#told.findLast(({ start }) => start < at);
    const opening = told && at < told.end ? this.#text.slice(told.start, told.bodyStart) : undefined;
    const reasoning = this.#reasoningAt(at);
    // Reasoning may be closed anywhere, which also ends code inside it.
    const isReasoning = opening !== undefined || isOpenReasoning(reasoning);
    const region = isReasoning ? undefined : this.regionAt(at);
    const state = new RegionState(this.#text, at, Math.max(line, region?.fence?.claimedTo ?? 0));
    state.reasoning = reasoning;
    state.opening = opening;
    const run = this.#runs.find((start) => start >= line && start < at);
    if (run !== undefined) state.code = { distance: at - run, length: endOfRun(this.#text, run) - run };
    state.isQuote = region?.kind === 'quote';
    if (!region) return state;
    if (region.end < this.#text.length) state.closedFor = region.end - at;
    else state.fence = region.opened?.marker;
    return state;
  }

  override enterReasoning(reasoning: ReasoningSpan & { isOpen?: boolean | undefined }): boolean {
    const { start, bodyStart, end, isOpen } = reasoning;
    const isEntered = super.enterReasoning(reasoning);
    this.#begunAt = Math.min(this.#begunAt, start);
    if (isEntered) this.#told.push({ start, bodyStart, end: isOpen ? Infinity : end });
    return isEntered;
  }

  protected override onMark(at: number, region: Region | undefined): void {
    if (region) {
      if (region.opened) this.#findings.push(at);
      this.#regions.push(region);
      return;
    }
    if (this.#text.charAt(at) === '`') {
      this.#runs.push(at);
      return;
    }
    const match = this.#source.regions.reasoning.find(this.#text, at);
    if (!match) return;
    const end = at + match.literal.length;
    this.#tags.push({ start: at, end });
    this.#findings.push(at);
    if (!match.isOpen) return;
    this.#begunAt = Math.min(this.#begunAt, at);
    const isClosed = this.kind === 'reasoning';
    if (!isClosed) this.unclosed.push(at);
    const around = this.#tagged.at(-1);
    if (!around || at >= around.end) this.#addBlock(at, end, { tag: match.tag, depth: 1, isNested: false });
    else if (around.open.tag !== match.tag && !isClosed) this.#innerAt = Math.min(this.#innerAt, at);
  }

  #addBlock(start: number, bodyStart: number, open: OpenReasoning): TaggedBlock {
    const close = this.#source.regions.reasoning.findClose(this.#text, bodyStart, open);
    const block = { start, bodyStart, end: close === -1 ? Infinity : close + open.tag.close.length, open };
    this.#tagged.push(block);
    return block;
  }

  #reasoningAt(at: number): ReasoningState {
    const block = this.#tagged.findLast(({ start }) => start < at) ?? this.#prior;
    if (block && at < block.end) return this.#passTags(block.open, block.bodyStart, at);
    return this.#begunAt < at ? 'closed' : 'none';
  }

  #passTags(state: ReasoningState, from: number, to: number): ReasoningState {
    const search = new Prefilter(this.#text, this.#source.regions.tags);
    let passed = state;
    for (let at = search.next(from); at < to; at = search.next(at + 1)) {
      const match = this.#source.regions.reasoning.find(this.#text, at);
      if (match) passed = passTag(passed, match);
    }
    return passed;
  }

  /** The first run that may still be closed and has a finding after it on its line; the text's length when there is none. */
  #findOpenCode(): number {
    const paragraph = this.#findParagraph();
    let index = 0;
    let lineEnd = -1;
    for (const at of this.#runs) {
      if (at > lineEnd) lineEnd = findOrEnd(this.#text, '\n', at);
      while (index < this.#findings.length && (this.#findings[index] ?? at) <= at) index += 1;
      const found = this.#findings[index];
      if (at >= paragraph && found !== undefined && found < lineEnd) return at;
    }
    return this.#text.length;
  }

  /** Start of the last paragraph: inline code does not extend beyond its own. */
  #findParagraph(): number {
    let start = 0;
    BLANK_LINE.lastIndex = this.#runs[0] ?? this.#text.length;
    while (BLANK_LINE.test(this.#text)) start = BLANK_LINE.lastIndex;
    return start;
  }
}
