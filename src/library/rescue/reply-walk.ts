// One walk over a reply from left to right: what opens first, a call, code, a quote or thinking, owns its text.
// It finds and places; whether a call may be called is decided afterwards.
import type { FormatReading, CallsReading, RejectionReading, RescueFormat } from './rescue-format';
import { skipWhite } from './json/blank';
import type { OpenerIndex, OpenerMatch } from './opener-index';
import type { Fence, Place, ReasoningSpan } from './places';
import { Places } from './places';
import type { RescueContext } from './rescue-context';

export interface WalkItem {
  format: RescueFormat;
  reading: CallsReading | RejectionReading;
  place: Place;
  /** The fence around it, when it stands in one that may be claimed. */
  fence?: Fence | undefined;
  /** Nothing but white space and other calls between the fence's opening and this. */
  isFirstInFence?: boolean | undefined;
  /** The first call of all in its fence. */
  opensFence?: boolean | undefined;
}

export interface WalkResult {
  items: WalkItem[];
  reasoning: ReasoningSpan[];
}

// characters that failed readings may cost, beyond which they are not gone through again
const SPARE_READINGS = 4;
const SPARE_STEPS = 65_536;

export class ReplyWalk {
  readonly #context: RescueContext;
  readonly #openers: OpenerIndex;
  readonly #text: string;
  readonly #places: Places;
  readonly #items: WalkItem[] = [];
  #wasted = 0;
  /** Up to here lies damaged JSON, in which nothing without a marker is a call. */
  #barredUntil = 0;

  constructor(context: RescueContext, openers: OpenerIndex) {
    this.#context = context;
    this.#openers = openers;
    this.#text = context.text;
    this.#places = new Places(context.text);
  }

  run(): WalkResult {
    const { length } = this.#text;
    let at = this.#openers.nextPlace(this.#text, 0);
    while (at < length) {
      this.#places.leave(at);
      const end = this.#readAt(at);
      const next = Math.max(end, at + 1);
      at = this.#openers.nextPlace(this.#text, end > at ? next : this.#places.enter(at));
    }
    this.#context.meter.steps += length;
    return { items: this.#rehearse(), reasoning: this.#places.reasoning };
  }

  /** Where the walk goes on after a format's reading; `at` when nothing was read here. */
  #readAt(at: number): number {
    for (const match of this.#openers.marked(this.#text, at)) {
      const end = this.#try(match, at);
      if (end > at) return end;
    }
    if (at < this.#barredUntil) return at;
    for (const match of this.#openers.bare(this.#text, at)) {
      const end = this.#try(match, at);
      if (end > at) return end;
    }
    return at;
  }

  #try({ format, opener }: OpenerMatch, at: number): number {
    const { meter } = this.#context;
    const before = meter.steps;
    meter.reached = at;
    const reading = format.parse(this.#context, at, opener);
    const end = reading ? this.#take(format, reading, at) : at;
    if (end > at) this.#context.floor = end;
    if (reading?.kind === 'calls') return end;
    this.#wasted += meter.steps - before;
    const isSpent = this.#wasted > SPARE_READINGS * this.#text.length + SPARE_STEPS;
    return isSpent ? Math.max(end, meter.reached) : end;
  }

  #take(format: RescueFormat, reading: FormatReading, at: number): number {
    if (reading.kind === 'text') {
      if (reading.isBroken) this.#barredUntil = Math.max(this.#barredUntil, reading.end);
      return reading.isBroken ? at : this.#places.clip(reading.end);
    }
    if (reading.kind === 'reasoning') {
      this.#places.addReasoning(reading);
      return reading.end;
    }
    const placed = this.#withinPlace(reading);
    this.#add(format, placed);
    return placed.kind === 'calls'
      ? (placed.failure?.end ?? this.#places.clipReasoning(placed.end))
      : placed.end;
  }

  /** What could not be read must not swallow what follows the code or the thinking around it. */
  #withinPlace(reading: CallsReading | RejectionReading): CallsReading | RejectionReading {
    if (reading.kind === 'rejection') return { ...reading, end: this.#places.clip(reading.end) };
    const { failure } = reading;
    return failure ? { ...reading, failure: { ...failure, end: this.#places.clip(failure.end) } } : reading;
  }

  #add(format: RescueFormat, reading: CallsReading | RejectionReading): void {
    const { place, fence } = this.#places;
    const isAnswer = place === 'answer' || place === 'fence';
    if (reading.kind === 'rejection' && !isAnswer) return;
    if (reading.kind === 'rejection' && this.#joinLast(format, reading)) return;
    const item: WalkItem = { format, reading, place };
    if (fence) {
      item.fence = fence;
      item.opensFence = skipWhite(this.#text, fence.opening.bodyStart) >= reading.start;
      item.isFirstInFence = skipWhite(this.#text, fence.claimedTo) >= reading.start;
      if (item.isFirstInFence) this.#places.claimFence(reading.end);
    }
    this.#items.push(item);
  }

  /** The same damage over and over is one finding. */
  #joinLast(format: RescueFormat, reading: RejectionReading): boolean {
    const last = this.#items.at(-1);
    if (last?.reading.kind !== 'rejection' || last.format !== format) return false;
    const isSame = last.reading.reason === reading.reason && last.reading.name === undefined;
    if (!isSame || reading.name !== undefined) return false;
    if (skipWhite(this.#text, last.reading.end) < reading.start) return false;
    last.reading = { ...last.reading, end: reading.end };
    return true;
  }

  /** What was found in thinking that began before the reply did was a rehearsal, and its damage is nobody's. */
  #rehearse(): WalkItem[] {
    const until = this.#places.orphanEnd;
    return this.#items
      .filter(({ reading }) => reading.start >= until || reading.kind === 'calls')
      .map((item) => (item.reading.start < until ? { ...item, place: 'reasoning' } : item));
  }
}
