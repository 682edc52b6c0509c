// One walk over a reply from left to right: whatever opens first (a call, code, a quote, reasoning) owns its text.
// It collects candidates with their regions; whether a candidate becomes a call is decided afterwards.
import type { FormatReading, CallsReading, RejectionReading, RescueFormat } from '../core/rescue-format';
import { skipWhite } from '../text/white-space';
import type { Span } from '../text/cut-text';
import type { PlaceSearch } from '../text/prefilter';
import type { OpenerIndex, OpenerMatch } from '../candidates/opener-index';
import { RegionTracker } from '../regions/region-tracker';
import type { ReasoningTags } from '../regions/reasoning-tags';
import { FailedReadings } from './failed-readings';
import { findCompleteness } from './completeness';
import type { Completeness } from './completeness';
import type { Candidate, WalkResult } from './findings';
import { UnreadOpeners } from './unread-openers';
import type { RescueContext } from '../core/rescue-context';

export interface Look {
  at: number;
  /** Start of the reading, which is before `at` if a name comes before its opener. */
  start: number;
  /** Where the walk continues. */
  end: number;
  opener: string;
  format: RescueFormat;
  reading: FormatReading | null;
  completeness: Completeness;
}

/** Options for a walk over a part of a reply that more text may follow. */
export interface StreamedWalk {
  /** Where the walk starts. The text before it is only context. */
  from: number;
  /** The regions from there on. */
  regions: RegionTracker;
  /** Called after every attempt to parse. */
  onLook?: (look: Look) => void;
}

// Characters that failed readings may cost in all. Beyond that, what a failed reading looked at is not read again: after one
// without a marker, only formats with a marker are tried there.
const SPARE_READINGS = 4;
const SPARE_STEPS = 65_536;
/** Number of characters that a failed reading has to cost to be remembered. */
const LARGE = 4096;

export class ReplyWalk {
  readonly #context: RescueContext;
  readonly #openers: OpenerIndex;
  readonly #text: string;
  readonly #regions: RegionTracker;
  readonly #tags: ReasoningTags;
  readonly #starts: PlaceSearch;
  readonly #candidates: Candidate[] = [];
  readonly #markup: Span[] = [];
  #unread: UnreadOpeners | undefined;
  readonly #streamed: StreamedWalk | undefined;
  #failed: FailedReadings<OpenerMatch> | undefined;
  #wasted = 0;
  /** In the text before this offset, such as damaged JSON, only formats with a marker are tried. */
  #barredUntil = 0;
  /** Whether a reasoning tag was found, so that the regions have to be tracked to the end of the text. */
  #hasReasoningTag = false;

  /** @param starts finds the places to look at */
  constructor(context: RescueContext, openers: OpenerIndex, starts: PlaceSearch, streamed?: StreamedWalk) {
    this.#context = context;
    this.#openers = openers;
    this.#text = context.text;
    this.#starts = starts;
    this.#tags = context.regions.reasoning;
    this.#regions = streamed?.regions ?? new RegionTracker(context, 0);
    this.#streamed = streamed;
    context.consumedTo = streamed?.from ?? 0;
    if (context.consumedTo === 0) this.#regions.enterText();
  }

  run(): WalkResult {
    const { length } = this.#text;
    let at = this.#starts.next(this.#context.consumedTo);
    while (at < length) {
      if (!this.#hasReasoningTag && this.#tags.find(this.#text, at)) this.#noteReasoningTag();
      const end = this.#readAt(at);
      if (end > at) this.#regions.skipTo(end);
      at = this.#starts.next(Math.max(end, at + 1));
    }
    if (this.#hasReasoningTag) this.#regions.goTo(length);
    this.#context.meter.steps += length;
    return {
      candidates: this.#rehearse(),
      reasoning: this.#regions.reasoning,
      markup: this.#afterRehearsal(this.#markup),
      unread: this.#afterRehearsal(this.#unread?.rejections ?? []),
    };
  }

  #noteReasoningTag(): void {
    this.#hasReasoningTag = true;
    this.#regions.noteTags();
  }

  /** Where the walk continues after what was parsed at `at`; `at` itself when nothing was. */
  #readAt(at: number): number {
    const marked = this.#openers.marked(this.#text, at);
    const end = this.#tryAll(marked, at);
    if (end > at || at < this.#barredUntil) return end;
    const bareEnd = this.#tryAll(this.#openers.bare(this.#text, at), at);
    if (bareEnd === at && marked.length > 0) this.#addUnread(marked, at);
    return bareEnd;
  }

  #addUnread(marked: readonly OpenerMatch[], at: number): void {
    this.#regions.goTo(at);
    if (this.#regions.kind !== 'answer') return;
    this.#unread ??= new UnreadOpeners(this.#context);
    this.#unread.add(marked, at);
  }

  #tryAll(matches: readonly OpenerMatch[], at: number): number {
    for (const match of matches) {
      const end = this.#try(match, at);
      if (end > at) return end;
    }
    return at;
  }

  #try(match: OpenerMatch, at: number): number {
    const { format, opener } = match;
    const { meter } = this.#context;
    if (this.#failed?.has(match, at)) return at;
    const before = meter.steps;
    meter.begin(at);
    const reading = this.#regions.closesFence(at) ? null : format.parse(this.#context, at, opener);
    const start = reading && 'start' in reading ? Math.min(at, reading.start) : at;
    // With more text, too, nothing begins at a first character where nothing was read before the end.
    const isSeen = reading !== null || opener !== '' || meter.hasReachedEnd;
    if (reading || (this.#streamed && isSeen)) this.#regions.goTo(at, start);
    const end = reading ? this.#take(format, reading, at) : at;
    if (isSeen && this.#streamed?.onLook) {
      const completeness = findCompleteness(reading, opener, meter);
      this.#streamed.onLook({ at, start, end, opener, format, reading, completeness });
    }
    if (end > at) this.#context.consumedTo = end;
    if (reading?.kind === 'calls' && !reading.failure) return end;
    this.#wasted += meter.steps - before;
    // In a stream, the reading of every place is asked for.
    if (!reading && !this.#streamed) this.#noteFailure(match, at, meter.steps - before);
    if (this.#wasted <= SPARE_READINGS * this.#text.length + SPARE_STEPS) return end;
    if (opener !== '') return Math.max(end, meter.reached);
    this.#barredUntil = Math.max(this.#barredUntil, meter.reached);
    return end;
  }

  #noteFailure(match: OpenerMatch, at: number, steps: number): void {
    if (steps >= LARGE) (this.#failed ??= new FailedReadings(this.#text)).add(match, at);
  }

  #take(format: RescueFormat, reading: FormatReading, at: number): number {
    if (reading.kind === 'text') {
      if (reading.isBroken) this.#barredUntil = Math.max(this.#barredUntil, reading.end);
      if (this.#regions.kind === 'answer') this.#markup.push(...(reading.markup ?? []));
      return reading.isBroken ? at : this.#regions.clip(reading.end);
    }
    if (reading.kind === 'reasoning') {
      return this.#regions.enterReasoning(reading) ? reading.bodyStart : at;
    }
    const placed = this.#withinPlace(reading);
    const end = this.#add(format, placed);
    return placed.kind === 'calls' ? (placed.failure?.end ?? this.#regions.clipReasoning(end)) : end;
  }

  /** Limits a failed reading, and invented text, to the code or the reasoning around it. */
  #withinPlace(reading: CallsReading | RejectionReading): CallsReading | RejectionReading {
    if (reading.kind === 'rejection') return { ...reading, end: this.#regions.clip(reading.end) };
    const { failure, inventedTo } = reading;
    if (failure) return { ...reading, failure: { ...failure, end: this.#regions.clip(failure.end) } };
    if (inventedTo === undefined) return reading;
    return { ...reading, end: Math.max(reading.end, this.#regions.clipInvented(reading.end, inventedTo)) };
  }

  /** Adds a candidate; returns where the walk continues. */
  #add(format: RescueFormat, reading: CallsReading | RejectionReading): number {
    const { fence } = this.#regions;
    const region = this.#regions.kindOf(reading.start);
    const isAnswer = region === 'answer' || region === 'fence';
    if (reading.kind === 'rejection' && !isAnswer) return reading.end;
    const same = reading.kind === 'rejection' && this.#findSame(format, reading);
    if (same) {
      same.end = reading.end;
      return reading.end;
    }
    const candidate: Candidate = { format, reading, region };
    if (fence) {
      candidate.fence = fence;
      candidate.opensFence = skipWhite(this.#text, fence.opening.bodyStart) >= reading.start;
      candidate.isFirstInFence = skipWhite(this.#text, fence.claimedTo) >= reading.start;
      if (candidate.isFirstInFence) this.#regions.claimFence(reading.end);
    }
    this.#candidates.push(candidate);
    return reading.end;
  }

  /** Damage that repeats the one before is reported once. If it has a tool's name, the text has to be identical too. */
  #findSame(format: RescueFormat, found: RejectionReading): RejectionReading | undefined {
    const last = this.#candidates.at(-1);
    if (last?.reading.kind !== 'rejection' || last.format !== format) return undefined;
    const { start, end, reason, name } = last.reading;
    const isSame = reason === found.reason && name === found.name;
    if (!isSame || skipWhite(this.#text, end) < found.start) return undefined;
    const written = this.#text.slice(found.start, found.end);
    return name === undefined || this.#text.startsWith(written, start) ? last.reading : undefined;
  }

  #afterRehearsal<Part extends Span>(parts: Part[]): Part[] {
    const until = this.#regions.orphanEnd;
    return until === 0 ? parts : parts.filter(({ start }) => start >= until);
  }

  /** Calls in reasoning that began in the prompt are rehearsals, and damage in it is not reported. */
  #rehearse(): Candidate[] {
    const until = this.#regions.orphanEnd;
    if (until === 0) return this.#candidates;
    return this.#candidates
      .filter(({ reading }) => reading.start >= until || reading.kind === 'calls')
      .map((candidate) =>
        candidate.reading.start < until ? { ...candidate, region: 'reasoning' } : candidate,
      );
  }
}
