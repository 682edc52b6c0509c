// Reads a reply once, from left to right, and collects the candidates for calls. Whatever opens first owns its text: a call,
// code, a quote or reasoning. Whether a candidate becomes a call is decided afterwards, in `decide/`.
//
// At each place where a call may begin, the formats whose opener is there are tried in their order, until one of them reads
// something. What it read (a `FormatReading`) says where the walk continues. The `RegionTracker` follows behind and tells in which
// region each reading is: in the answer, in code, in a quote, or in reasoning.
import { MOST_CALLS } from '../core/rescue-format';
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

/** One attempt of one format to read something at one place. */
export interface Look {
  at: number;
  /** Start of the reading, which is before `at` if a name comes before its opener. */
  start: number;
  /** Where the walk continues; `at` when nothing was read, so that the next format is tried at the same place. */
  end: number;
  opener: string;
  format: RescueFormat;
  reading: FormatReading | null;
  completeness: Completeness;
}

/** Options for a walk over a part of a reply that more text may follow. */
export interface StreamedWalk {
  /** Where the walk starts. The text before it was read by an earlier walk, and is only looked back at. */
  from: number;
  /** Knows the region at `from`. The walk advances it. */
  regions: RegionTracker;
  /** Called after every attempt, except one that more text cannot change. */
  onLook?: (look: Look) => void;
}

// Readings that find no call are wasted work, and damaged text can cause one at every place, each of which looks at the whole
// rest. So that the time stays linear in the length of the text, the walk counts the characters that they looked at (steps). It
// may waste four times the length of the text and 65,536 steps more. After that it no longer reads the same text twice: it
// continues behind what a wasted reading looked at; or, if that reading had no opener, tries only openers in that text.
const SPARE_READINGS = 4;
const SPARE_STEPS = 65_536;
/** Number of steps from which on a failed reading is remembered, so that it is not repeated in each round of a loop. */
const LARGE = 4096;

export class ReplyWalk {
  readonly #context: RescueContext;
  readonly #openers: OpenerIndex;
  readonly #text: string;
  readonly #regions: RegionTracker;
  readonly #tags: ReasoningTags;
  readonly #starts: PlaceSearch;
  readonly #candidates: Candidate[] = [];
  /** Number of calls and rejections in the candidates. */
  #collected = 0;
  readonly #markup: Span[] = [];
  #unread: UnreadOpeners | undefined;
  readonly #streamed: StreamedWalk | undefined;
  #failed: FailedReadings<OpenerMatch> | undefined;
  /** Steps of readings that found no call. */
  #wasted = 0;
  /**
   * Before this offset, only formats with an opener are tried. The text there is damaged data, of which a format without an
   * opener, such as bare JSON, would read a part as if it were whole; or too much was wasted there.
   */
  #barredUntil = 0;
  /** From the first reasoning tag on, the regions are tracked to the end of the text. Without one, that work is saved. */
  #hasReasoningTag = false;

  /** @param starts finds the next place where any format may begin */
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

  /** Can be called once. */
  run(): WalkResult {
    const { length } = this.#text;
    let at = this.#starts.next(this.#context.consumedTo);
    while (at < length && this.#collected <= MOST_CALLS) {
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
      isOverfull: this.#collected > MOST_CALLS,
    };
  }

  #noteReasoningTag(): void {
    this.#hasReasoningTag = true;
    this.#regions.noteTags();
  }

  /**
   * Tries the formats with an opener at `at`, then those without one. If none of the former read anything, their opener is noted.
   * @returns where the walk continues; `at` itself when nothing was read
   */
  #readAt(at: number): number {
    const marked = this.#openers.marked(this.#text, at);
    const end = this.#tryAll(marked, at);
    if (end > at || at < this.#barredUntil) return end;
    const bareEnd = this.#tryAll(this.#openers.bare(this.#text, at), at);
    if (bareEnd === at && marked.length > 0) this.#addUnread(marked, at);
    return bareEnd;
  }

  /** Notes an opener that nothing could be read at. Only in the answer is that worth reporting. */
  #addUnread(marked: readonly OpenerMatch[], at: number): void {
    this.#regions.goTo(at);
    if (this.#regions.kind !== 'answer') return;
    this.#unread ??= new UnreadOpeners(this.#context);
    this.#unread.add(marked, at);
  }

  /** Tries the formats in their order, until one takes text; returns where the walk continues. */
  #tryAll(matches: readonly OpenerMatch[], at: number): number {
    for (const match of matches) {
      const end = this.#try(match, at);
      if (end > at) return end;
    }
    return at;
  }

  /** Tries one format at `at`; returns where the walk continues, and `at` if the format takes no text. */
  #try(match: OpenerMatch, at: number): number {
    const { format, opener } = match;
    const { meter } = this.#context;
    if (this.#failed?.has(match, at)) return at;
    const before = meter.steps;
    meter.begin(at);
    const reading = this.#regions.closesFence(at) ? null : format.parse(this.#context, at, opener);
    const start = reading && 'start' in reading ? Math.min(at, reading.start) : at;
    // False if the format has no opener, read nothing, and did not need the end of the text to know that: then more text
    // cannot change it, and a stream has nothing to wait for.
    const isSeen = reading !== null || opener !== '' || meter.hasReachedEnd;
    if (reading || (this.#streamed && isSeen)) this.#regions.goTo(at, start);
    const end = reading ? this.#take(format, reading, at) : at;
    if (isSeen && this.#streamed?.onLook) {
      const completeness = findCompleteness(reading, opener, meter);
      this.#streamed.onLook({ at, start, end, opener, format, reading, completeness });
    }
    if (end > at) this.#context.consumedTo = end;
    if (reading?.kind === 'calls' && !reading.failure) return end;
    // From here on, the reading was wasted work.
    this.#wasted += meter.steps - before;
    // Not in a stream, whose `onLook` is told about every attempt.
    if (!reading && !this.#streamed) this.#noteFailure(match, at, meter.steps - before);
    if (this.#wasted <= SPARE_READINGS * this.#text.length + SPARE_STEPS) return end;
    // Too much was wasted: what this reading looked at is not read again.
    if (opener !== '') return Math.max(end, meter.reached);
    this.#barredUntil = Math.max(this.#barredUntil, meter.reached);
    return end;
  }

  #noteFailure(match: OpenerMatch, at: number, steps: number): void {
    if (steps >= LARGE) (this.#failed ??= new FailedReadings(this.#text)).add(match, at);
  }

  /** Keeps what a format read; returns where the walk continues, and `at` if another format may still read the place. */
  #take(format: RescueFormat, reading: FormatReading, at: number): number {
    // Something other than a call, such as a JSON document.
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

  /**
   * A damaged call has no certain end, and a model may go on to invent the tool's result. Neither reaches beyond the code or the
   * reasoning that it began in.
   */
  #withinPlace(reading: CallsReading | RejectionReading): CallsReading | RejectionReading {
    if (reading.kind === 'rejection') return { ...reading, end: this.#regions.clip(reading.end) };
    const { failure, inventedTo } = reading;
    if (failure) return { ...reading, failure: { ...failure, end: this.#regions.clip(failure.end) } };
    if (inventedTo === undefined) return reading;
    return { ...reading, end: Math.max(reading.end, this.#regions.clipInvented(reading.end, inventedTo)) };
  }

  /**
   * Adds a candidate with its region and its fence; returns where the walk continues. Damage is reported only in the answer:
   * in code, quotes and reasoning, text may look like a call without being meant as one.
   */
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
    this.#collected += reading.kind === 'calls' ? reading.calls.length : 1;
    return reading.end;
  }

  /**
   * The rejection directly before `found` if that is the same damage again, as in a loop: it is reported once. Two rejections
   * with the name of a tool are the same only if their text is identical, because the model may have tried twice.
   */
  #findSame(format: RescueFormat, found: RejectionReading): RejectionReading | undefined {
    const last = this.#candidates.at(-1);
    if (last?.reading.kind !== 'rejection' || last.format !== format) return undefined;
    const { start, end, reason, name } = last.reading;
    const isSame = reason === found.reason && name === found.name;
    if (!isSame || skipWhite(this.#text, end) < found.start) return undefined;
    const written = this.#text.slice(found.start, found.end);
    return name === undefined || this.#text.startsWith(written, start) ? last.reading : undefined;
  }

  /**
   * Without the parts in reasoning that began in the prompt. That it was reasoning is known only when its closing tag has been
   * found, `orphanEnd` is the end of that tag.
   */
  #afterRehearsal<Part extends Span>(parts: Part[]): Part[] {
    const until = this.#regions.orphanEnd;
    return until === 0 ? parts : parts.filter(({ start }) => start >= until);
  }

  /** Moves calls in such reasoning to the region `reasoning`, where they are only rehearsed; damage there is not reported. */
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
