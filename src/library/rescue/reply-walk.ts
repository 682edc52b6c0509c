// One walk over a reply from left to right: what opens first, a call, code, a quote or thinking, owns its text.
// It finds and places; whether a call may be called is decided afterwards.
import type { RescueRejection } from '../../types';
import type { FormatReading, CallsReading, RejectionReading, RescueFormat } from './rescue-format';
import { skipWhite } from './json/blank';
import type { Extent } from './json/json-reading';
import type { MarkSearch } from './mark-search';
import type { OpenerIndex, OpenerMatch } from './opener-index';
import type { Fence, Place, ReasoningSpan } from './places';
import { Places } from './places';
import { findReasoningTag } from './reasoning-tags';
import type { PriorThinking } from './reasoning-tags';
import { UnreadOpeners } from './unread-openers';
import { Repetition } from './repetition';
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
  /** Parts of the answer that are no part of what it says. */
  markup: Extent[];
  /** What opened a call and could not be read; it matters where nothing else was found. */
  unread: readonly RescueRejection[];
}

export interface Look {
  at: number;
  /** Where the walk goes on. */
  end: number;
  opener: string;
  format: RescueFormat;
  reading: FormatReading | null;
}

/** For a walk over a part of a reply. */
export interface WalkOptions {
  /** What stands before it is only looked back at. @default 0 */
  from?: number | undefined;
  /** @default 'none' */
  thinking?: PriorThinking | undefined;
  /** Told of every look at a place; the meter says how far it went. */
  onReading?(look: Look): void;
}

// characters that failed readings may cost, beyond which they are not gone through again
const SPARE_READINGS = 4;
const SPARE_STEPS = 65_536;

export class ReplyWalk {
  readonly #context: RescueContext;
  readonly #openers: OpenerIndex;
  readonly #text: string;
  readonly #places: Places;
  readonly #starts: MarkSearch;
  readonly #items: WalkItem[] = [];
  readonly #markup: Extent[] = [];
  readonly #unread: UnreadOpeners;
  readonly #repetition: Repetition;
  readonly #options: WalkOptions;
  /** By character code. */
  readonly #bare = new Map<number, readonly OpenerMatch[]>();
  #wasted = 0;
  /** Up to here lies damaged JSON, in which nothing without a marker is a call. */
  #barredUntil = 0;
  /** A tag of thinking stands somewhere, perhaps after the last call. */
  #hasThinking = false;

  constructor(context: RescueContext, openers: OpenerIndex, options: WalkOptions = {}) {
    this.#context = context;
    this.#openers = openers;
    this.#text = context.text;
    this.#starts = openers.search(context.text, context.tools.edges);
    this.#places = new Places(context.text, options.from ?? 0, options.thinking);
    this.#options = options;
    context.floor = options.from ?? 0;
    if (context.floor === 0) this.#places.enterText();
    this.#unread = new UnreadOpeners(context);
    this.#repetition = new Repetition(context.text);
  }

  run(): WalkResult {
    const { length } = this.#text;
    let at = this.#nextPlace(this.#context.floor);
    while (at < length) {
      this.#hasThinking ||= findReasoningTag(this.#text, at) !== undefined;
      const end = this.#readAt(at);
      if (end > at) this.#places.skipTo(end);
      at = this.#nextPlace(end > at ? end : this.#passNothing(at));
    }
    if (this.#hasThinking) this.#places.goTo(length);
    this.#context.meter.steps += length;
    return {
      items: this.#rehearse(),
      reasoning: this.#places.reasoning,
      markup: this.#afterRehearsal(this.#markup),
      unread: this.#afterRehearsal(this.#unread.rejections),
    };
  }

  /** Nothing was read at `at`. */
  #passNothing(at: number): number {
    return this.#options.onReading ? at + 1 : Math.max(at + 1, this.#repetition.skipFrom(at));
  }

  /** Of a reply that still comes nobody knows what it will hold, so a search that looks ahead may not skip there. */
  #nextPlace(from: number): number {
    return this.#options.onReading ? this.#openers.nextPlace(this.#text, from) : this.#starts.next(from);
  }

  /** Where the walk goes on after a format's reading; `at` when nothing was read here. */
  #readAt(at: number): number {
    const marked = this.#openers.marked(this.#text, at);
    const end = this.#tryAll(marked, at);
    if (end > at || at < this.#barredUntil) return end;
    const bareEnd = this.#tryAll(this.#bareAt(at), at);
    if (bareEnd === at && marked.length > 0) this.#addUnread(marked, at);
    return bareEnd;
  }

  #addUnread(marked: readonly OpenerMatch[], at: number): void {
    this.#places.goTo(at);
    if (this.#places.place === 'answer') this.#unread.add(marked, at);
  }

  /** Without the forms that this text cannot hold: brackets are everywhere, and many forms may begin with one. */
  #bareAt(at: number): readonly OpenerMatch[] {
    const matches = this.#openers.bare(this.#text, at);
    if (matches.length === 0 || this.#options.onReading) return matches;
    const code = this.#text.charCodeAt(at);
    const known = this.#bare.get(code) ?? matches.filter(({ format }) => this.#canHold(format));
    this.#bare.set(code, known);
    return known;
  }

  #canHold({ needles }: RescueFormat): boolean {
    return needles === undefined || needles.some((needle) => this.#text.includes(needle));
  }

  #tryAll(matches: readonly OpenerMatch[], at: number): number {
    for (const match of matches) {
      const end = this.#try(match, at);
      if (end > at) return end;
    }
    return at;
  }

  #try({ format, opener }: OpenerMatch, at: number): number {
    const { meter } = this.#context;
    const before = meter.steps;
    meter.reached = at;
    meter.hasReadEnd = false;
    meter.hasMissed = false;
    const reading = this.#places.closesFence(at) ? null : format.parse(this.#context, at, opener);
    this.#repetition.note(meter.reached, reading !== null);
    const end = reading ? this.#take(format, reading, at) : at;
    this.#options.onReading?.({ at, end, opener, format, reading });
    if (end > at) this.#context.floor = end;
    if (reading?.kind === 'calls') return end;
    this.#wasted += meter.steps - before;
    const isSpent = this.#wasted > SPARE_READINGS * this.#text.length + SPARE_STEPS;
    return isSpent ? Math.max(end, meter.reached) : end;
  }

  #take(format: RescueFormat, reading: FormatReading, at: number): number {
    this.#places.goTo(at);
    if (reading.kind === 'text') {
      if (reading.isBroken) this.#barredUntil = Math.max(this.#barredUntil, reading.end);
      if (this.#places.place === 'answer') this.#markup.push(...(reading.markup ?? []));
      return reading.isBroken ? at : this.#places.clip(reading.end);
    }
    if (reading.kind === 'reasoning') {
      return this.#places.enterReasoning(reading) ? reading.bodyStart : at;
    }
    const placed = this.#withinPlace(reading);
    const end = this.#add(format, placed);
    return placed.kind === 'calls' ? (placed.failure?.end ?? this.#places.clipReasoning(end)) : end;
  }

  /** What could not be read must not swallow what follows the code or the thinking around it. */
  #withinPlace(reading: CallsReading | RejectionReading): CallsReading | RejectionReading {
    if (reading.kind === 'rejection') return { ...reading, end: this.#places.clip(reading.end) };
    const { failure, inventedTo } = reading;
    if (failure) return { ...reading, failure: { ...failure, end: this.#places.clip(failure.end) } };
    if (inventedTo === undefined) return reading;
    return { ...reading, end: Math.max(reading.end, this.#places.clipInvented(reading.end, inventedTo)) };
  }

  /** Gives the end of what is settled by it. */
  #add(format: RescueFormat, reading: CallsReading | RejectionReading): number {
    const { fence } = this.#places;
    const place = this.#places.placeOf(reading.start);
    const isAnswer = place === 'answer' || place === 'fence';
    if (reading.kind === 'rejection' && !isAnswer) return reading.end;
    const same = reading.kind === 'rejection' && this.#findSame(format, reading);
    if (same) return this.#extend(same, reading, place);
    const item: WalkItem = { format, reading, place };
    if (fence) {
      item.fence = fence;
      item.opensFence = skipWhite(this.#text, fence.opening.bodyStart) >= reading.start;
      item.isFirstInFence = skipWhite(this.#text, fence.claimedTo) >= reading.start;
      if (item.isFirstInFence) this.#places.claimFence(reading.end);
    }
    this.#items.push(item);
    return reading.end;
  }

  /** The same damage over and over is one finding; of calls with a name, only if their text is the same. */
  #findSame(format: RescueFormat, found: RejectionReading): RejectionReading | undefined {
    const last = this.#items.at(-1);
    if (last?.reading.kind !== 'rejection' || last.format !== format) return undefined;
    const { start, end, reason, name } = last.reading;
    const isSame = reason === found.reason && name === found.name;
    if (!isSame || skipWhite(this.#text, end) < found.start) return undefined;
    const written = this.#text.slice(found.start, found.end);
    return name === undefined || this.#text.startsWith(written, start) ? last.reading : undefined;
  }

  /** A fence may end anywhere, and so may a reply that still comes. */
  #extend(last: RejectionReading, { start, end }: RejectionReading, place: Place): number {
    const maySkip = place === 'answer' && !this.#options.onReading;
    last.end = maySkip ? this.#repetition.skipRounds(start, end) : end;
    return last.end;
  }

  #afterRehearsal<Part extends Extent>(parts: Part[]): Part[] {
    const until = this.#places.orphanEnd;
    return until === 0 ? parts : parts.filter(({ start }) => start >= until);
  }

  /** What was found in thinking that began before the reply did was a rehearsal, and its damage is nobody's. */
  #rehearse(): WalkItem[] {
    const until = this.#places.orphanEnd;
    if (until === 0) return this.#items;
    return this.#items
      .filter(({ reading }) => reading.start >= until || reading.kind === 'calls')
      .map((item) => (item.reading.start < until ? { ...item, place: 'reasoning' } : item));
  }
}
