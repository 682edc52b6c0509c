// Records the regions of held text as the walk shows them, and the state in which the stream continues at any offset.
// Parses no calls; independent of single formats.
import { LineEnds } from '../text/line-ends';
import { skipWhite } from '../text/white-space';
import { RegionTracker } from '../regions/region-tracker';
import type { RegionKind } from '../regions/region-tracker';
import type { TaggedText } from '../regions/region-syntax';
import type { Look } from '../walk/reply-walk';
import { HeldReasoning } from './held-reasoning';
import { OpenCode } from './open-code';
import { isOpenReasoning } from './stream-state';
import type { StreamState, StreamReasoning } from './stream-state';

/** Inline code, a code fence or a quote. */
export interface HeldRegion {
  start: number;
  /** The text's length while nothing ends the region. */
  end: number;
  kind: RegionKind;
  /** Marker of a code fence. */
  marker?: string | undefined;
  /** End of the line on which the region begins. */
  lineEnd: number;
  /** Only for a fence: the end of its opening line and of the calls that have claimed it so far. */
  claimedTo?: number | undefined;
  /** Start of the first text in the fence that no call has claimed. */
  contentAt?: number | undefined;
}

/** A reasoning tag: held text is never split inside it. */
interface TagSpan {
  start: number;
  end: number;
}

const REGIONS: ReadonlySet<RegionKind> = new Set(['code', 'fence', 'quote']);

export class HeldRegions {
  readonly #source: TaggedText;
  readonly #text: string;
  readonly #tracker: RegionTracker;
  readonly #regions: HeldRegion[] = [];
  readonly #tags: TagSpan[] = [];
  readonly #code: OpenCode;
  readonly #reasoning: HeldReasoning;
  readonly #lineEnds: LineEnds;

  constructor(source: TaggedText, from: number, reasoning: StreamReasoning) {
    const { text } = source;
    this.#source = source;
    this.#text = text;
    this.#lineEnds = new LineEnds(text);
    this.#tracker = new RegionTracker(source, from, reasoning, (at) => this.#enter(at));
    this.#tracker.noteTags();
    this.#code = new OpenCode(text);
    this.#reasoning = new HeldReasoning(source, from, reasoning);
  }

  /** Called for every attempt of the walk to parse. */
  see({ at, end, reading }: Look): void {
    this.goTo(at);
    if (reading === null) return;
    if (reading.kind !== 'text' || end > at) this.#code.addFinding(at);
    if (reading.kind === 'reasoning') {
      this.#tracker.enterReasoning(reading);
      this.#reasoning.tell(at, end, reading);
    }
    if (reading.kind === 'calls') this.#claim(reading.start, reading.failure ? reading.end : end);
    if (reading.kind === 'rejection') this.#claim(reading.start, end);
    if (end > at) this.#tracker.skipTo(end);
  }

  /** Advances to `at` and enters everything that begins before it, because the stream needs all of it. */
  goTo(at: number): void {
    this.#tracker.goTo(at, 0);
  }

  /** Whether the current offset is in reasoning that is closed. */
  get isInReasoning(): boolean {
    return this.#tracker.kind === 'reasoning';
  }

  /** The code or the quote around an offset. */
  regionAt(at: number): HeldRegion | undefined {
    const region = this.#regions.findLast(({ start }) => start < at);
    return region && at < region.end ? region : undefined;
  }

  /** The start of the reasoning tag around `at`; `at` itself when there is none. */
  markAt(at: number): number {
    const mark = this.#tags.findLast(({ start }) => start < at);
    return mark && at < mark.end ? mark.start : at;
  }

  /** Whether a call at `at` may claim this fence: only calls come before it. */
  mayCall({ kind, contentAt = 0, lineEnd, marker }: HeldRegion, at: number): boolean {
    const isOpening = marker !== undefined && lineEnd >= at;
    return isOpening || (kind === 'fence' && contentAt >= at);
  }

  /** The end of the last region or tag before `at`. */
  leftAt(at: number): number {
    const region = this.#regions.findLast(({ end }) => end <= at)?.end ?? 0;
    return Math.max(region, this.#tags.findLast(({ end }) => end <= at)?.end ?? 0);
  }

  /** Whether the reasoning has nested blocks, so that its first closing tag may not be its end. */
  get isNested(): boolean {
    return this.#reasoning.isNested;
  }

  /** Offsets of reasoning openers that nothing closes. */
  get unclosed(): readonly number[] {
    return this.#reasoning.unclosed;
  }

  /** The first offset from which more text may still change a region; the text's length when there is none. */
  findUnsure(): number {
    return Math.min(this.#code.find(), this.#reasoning.innerAt);
  }

  /** The state in which the stream continues at this offset. */
  stateAt(at: number): StreamState {
    const line = this.#text.lastIndexOf('\n', at - 1) + 1;
    const reasoning = this.#reasoning.at(at);
    const opening = this.#reasoning.openingAt(at);
    // Reasoning may be closed anywhere, which also ends code inside it.
    const isReasoning = opening !== undefined || isOpenReasoning(reasoning);
    const region = isReasoning ? undefined : this.regionAt(at);
    const isOpen = region !== undefined && region.end >= this.#text.length;
    return {
      reasoning,
      opening,
      code: this.#code.before(at),
      closedTo: isOpen ? undefined : region?.end,
      isQuote: region?.kind === 'quote',
      fence: isOpen ? region.marker : undefined,
      lineFrom: Math.max(line, region?.claimedTo ?? 0),
    };
  }

  #enter(at: number): void {
    const { kind } = this.#tracker;
    if (REGIONS.has(kind)) {
      const { marker } = this.#tracker;
      if (marker !== undefined) this.#code.addFinding(at);
      const end = this.#tracker.clip(Infinity);
      this.#regions.push({ start: at, end, kind, marker, lineEnd: this.#lineEnds.find(at) });
      this.#noteClaim();
      return;
    }
    if (this.#text.charAt(at) === '`') {
      this.#code.addRun(at);
      return;
    }
    const match = this.#source.regions.reasoning.find(this.#text, at);
    if (!match) return;
    this.#tags.push({ start: at, end: at + match.literal.length });
    this.#code.addFinding(at);
    if (match.isOpen) this.#reasoning.open(at, match, kind === 'reasoning');
  }

  #claim(start: number, end: number): void {
    const { fence } = this.#tracker;
    if (!fence || (this.#regions.at(-1)?.contentAt ?? 0) < start) return;
    this.#tracker.claimFence(end);
    this.#noteClaim();
  }

  #noteClaim(): void {
    const { fence } = this.#tracker;
    const region = this.#regions.at(-1);
    if (!fence || !region) return;
    region.end = fence.end;
    region.claimedTo = fence.claimedTo;
    region.contentAt = skipWhite(this.#text, fence.claimedTo);
  }
}
