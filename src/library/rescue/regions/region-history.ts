// The regions of a text that more text may follow: what they were at each offset, what more text may still change, and the
// state in which the text goes on from there. Parses no calls; independent of single formats.
import type { Span } from '../text/cut-text';
import { findOrEnd, skipWhite } from '../text/white-space';
import { endOfRun, findBlankLine } from './code-spans';
import { isOpenReasoning } from './reasoning-tags';
import type { DelimitedReasoning, OpenReasoning, ReasoningState } from './reasoning-tags';
import { RegionState } from './region-state';
import type { TaggedText } from './region-syntax';
import { isFence, RegionTracker } from './region-tracker';
import type { Region } from './region-tracker';

interface RegionTag extends Span {
  kind: 'tag';
}

/** A block of reasoning between tags. */
interface Block {
  start: number;
  bodyStart: number;
  /** Infinity while nothing closes the block. */
  end: number;
  open: OpenReasoning;
  /** Whether blocks are nested in it, so that its first closing tag may not be its end. */
  isNested: boolean;
}

export class RegionHistory extends RegionTracker {
  /** Offsets of reasoning openers that nothing closes. */
  readonly unclosed: number[] = [];
  /** Regions, and reasoning tags outside of them, in order. */
  readonly #marks: (Region | RegionTag)[] = [];
  /** Runs of backticks that nothing closes. */
  readonly #runs: number[] = [];
  /** Offsets at which something was read. If more text turns such a place into code, what was read there does not count. */
  readonly #findings: number[] = [];
  /** The block that began before the text. */
  readonly #prior: Block | undefined;
  readonly #blocks: Block[] = [];
  /** Reasoning that a format reported, because no tag that is known here delimits it. */
  readonly #told: DelimitedReasoning[] = [];
  /** Where the first reasoning begins. */
  #begunAt: number;
  /** The first unclosed opener inside reasoning of another kind. */
  #innerAt: number;

  constructor(source: TaggedText, from: number, reasoning: ReasoningState) {
    super(source, from, reasoning, true);
    this.#innerAt = source.text.length;
    this.#begunAt = reasoning === 'none' ? Infinity : -1;
    if (isOpenReasoning(reasoning)) this.#prior = this.#addBlock(from, from, reasoning);
  }

  /** Records that something was read at `at`, so that backticks before it, which may still be closed, are known to matter. */
  addFinding(at: number): void {
    this.#findings.push(at);
  }

  /** The code, the quote or the reasoning tag around an offset. */
  #markAt(at: number): Region | RegionTag | undefined {
    const mark = this.#marks.findLast(({ start }) => start < at);
    return mark && at < mark.end ? mark : undefined;
  }

  /** The code or the quote around an offset. */
  regionAt(at: number): Region | undefined {
    const mark = this.#markAt(at);
    return mark?.kind === 'tag' ? undefined : mark;
  }

  /** The start of the reasoning tag around `at`, which is never split; `at` itself when there is none. */
  startOfTag(at: number): number {
    const mark = this.#markAt(at);
    return mark?.kind === 'tag' ? mark.start : at;
  }

  /** Whether a call at `at` may claim this fence: only calls come before it, or its opening line is not over. */
  mayClaim(region: Region, at: number): boolean {
    if (region.opening && this.lineEnds.find(region.start) >= at) return true;
    return isFence(region) && skipWhite(this.source.text, region.claimedTo) >= at;
  }

  /** The end of the last region or tag before `at`. */
  leftAt(at: number): number {
    return this.#marks.findLast(({ end }) => end <= at)?.end ?? 0;
  }

  /** Whether the reasoning from before the text has nested blocks. */
  get isNested(): boolean {
    return this.#prior?.isNested === true;
  }

  /** The first offset from which more text may still change a region; the text's length when there is none. */
  findUnsure(): number {
    return Math.min(this.#findOpenCode(), this.#innerAt);
  }

  /** The state in which the text goes on at this offset. */
  stateAt(at: number): RegionState {
    const line = this.source.text.lastIndexOf('\n', at - 1) + 1;
    const told = this.#told.findLast(({ start }) => start < at);
    const opening =
      told && (told.isOpen || at < told.end) ? this.source.text.slice(told.start, told.bodyStart) : undefined;
    const reasoning = this.#reasoningAt(at);
    // Reasoning may be closed anywhere, which also ends code inside it.
    const isReasoning = opening !== undefined || isOpenReasoning(reasoning);
    const region = isReasoning ? undefined : this.regionAt(at);
    const state = new RegionState(
      this.source.text,
      at,
      isFence(region) ? Math.max(line, region.claimedTo) : line,
    );
    state.reasoning = reasoning;
    state.opening = opening;
    const run = this.#runs.find((start) => start >= line && start < at);
    if (run !== undefined) state.code = { distance: at - run, length: endOfRun(this.source.text, run) - run };
    state.isQuote = region?.kind === 'quote';
    if (!region) return state;
    if (region.end < this.source.text.length) state.closedFor = region.end - at;
    else state.fence = region.opening?.marker;
    return state;
  }

  override enterReasoning(reasoning: DelimitedReasoning): boolean {
    if (!super.enterReasoning(reasoning)) return false;
    this.#begunAt = Math.min(this.#begunAt, reasoning.start);
    this.#told.push(reasoning);
    return true;
  }

  protected override onMark(at: number, region: Region | undefined): void {
    if (region) {
      if (region.opening) this.#findings.push(at);
      this.#marks.push(region);
      return;
    }
    if (this.source.text.charAt(at) === '`') {
      this.#runs.push(at);
      return;
    }
    const match = this.source.regions.reasoning.find(this.source.text, at);
    if (!match) return;
    const end = at + match.literal.length;
    this.#marks.push({ kind: 'tag', start: at, end });
    this.#findings.push(at);
    if (!match.isOpen) return;
    this.#begunAt = Math.min(this.#begunAt, at);
    const isClosed = this.kind === 'reasoning';
    if (!isClosed) this.unclosed.push(at);
    const around = this.#blocks.at(-1);
    if (!around || at >= around.end) this.#addBlock(at, end, { tag: match.tag, depth: 1, isNested: false });
    else if (around.open.tag !== match.tag && !isClosed) this.#innerAt = Math.min(this.#innerAt, at);
  }

  #addBlock(start: number, bodyStart: number, open: OpenReasoning): Block {
    const { closer = Infinity, state } = this.blocks.follow(open, bodyStart);
    const isNested = open.isNested || (isOpenReasoning(state) && state.isNested);
    const block = { start, bodyStart, end: closer + open.tag.close.length, open, isNested };
    this.#blocks.push(block);
    return block;
  }

  #reasoningAt(at: number): ReasoningState {
    const block = this.#blocks.findLast(({ start }) => start < at);
    if (block && at < block.end) return this.blocks.follow(block.open, block.bodyStart, at).state;
    return this.#begunAt < at ? 'closed' : 'none';
  }

  /** The first run that may still be closed and has a finding after it on its line; the text's length when there is none. */
  #findOpenCode(): number {
    let index = 0;
    let lineEnd = -1;
    let paragraphEnd = 0;
    for (const at of this.#runs) {
      if (at > lineEnd) lineEnd = findOrEnd(this.source.text, '\n', at);
      while (index < this.#findings.length && (this.#findings[index] ?? at) <= at) index += 1;
      if ((this.#findings[index] ?? Infinity) >= lineEnd) continue;
      // Inline code does not extend beyond its paragraph.
      if (at >= paragraphEnd) paragraphEnd = findBlankLine(this.source.text, at);
      if (paragraphEnd === this.source.text.length) return at;
    }
    return this.source.text.length;
  }
}
