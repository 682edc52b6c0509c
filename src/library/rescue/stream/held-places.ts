// Where held text stands: in code, a quote, thinking, as far as its walk shows. It says in what state the text after a
// place goes on; it reads no call and names no format.
import { endOfRun } from '../code-spans';
import { readFenceOpening } from '../fence';
import { skipWhite } from '../json/blank';
import { startsLine } from '../line-place';
import { Places } from '../places';
import type { Place } from '../places';
import { findReasoningTag } from '../reasoning-tags';
import type { MarkSearch } from '../mark-search';
import { searchRegionMarks } from '../region-marks';
import type { Look } from '../reply-walk';
import { HeldThinking } from './held-thinking';
import { OpenCode } from './open-code';
import { isOpenThinking } from './stream-state';
import type { StreamState, StreamThinking } from './stream-state';

/** Code or a quote. */
export interface HeldRegion {
  start: number;
  /** The text's length while nothing ends it. */
  end: number;
  place: Place;
  /** Of a code fence. */
  marker?: string | undefined;
  /** Where the line ends on which it begins. */
  lineEnd: number;
  /** Only of a fence: up to here a call has claimed it, and its first line. */
  claimedTo?: number | undefined;
  /** What stands here is the first that no call has claimed. */
  contentAt?: number | undefined;
}

/** A mark as long as it is: nothing is decided inside. */
interface Mark {
  start: number;
  end: number;
}

const REGIONS: ReadonlySet<Place> = new Set(['code', 'fence', 'quote']);

export class HeldPlaces {
  readonly #text: string;
  readonly #places: Places;
  readonly #search: MarkSearch;
  readonly #regions: HeldRegion[] = [];
  readonly #marks: Mark[] = [];
  readonly #code: OpenCode;
  readonly #thinking: HeldThinking;
  #lineFrom = 0;
  #lineTo = -1;
  #cursor: number;

  constructor(text: string, from: number, thinking: StreamThinking) {
    this.#text = text;
    this.#places = new Places(text, from, thinking);
    this.#search = searchRegionMarks(text);
    this.#code = new OpenCode(text);
    this.#thinking = new HeldThinking(text, from, thinking);
    this.#cursor = from;
  }

  /** The walk looked at a place. */
  see({ at, end, reading }: Look): void {
    this.goTo(at);
    if (reading === null) return;
    if (reading.kind !== 'text' || end > at) this.#code.addFinding(at);
    if (reading.kind === 'reasoning') {
      this.#places.enterReasoning(reading);
      this.#thinking.tell(at, end, reading);
    }
    if (reading.kind === 'calls') this.#claim(reading.start, reading.failure ? reading.end : end);
    if (reading.kind === 'rejection') this.#claim(reading.start, end);
    if (end <= at) return;
    this.#places.skipTo(end);
    this.#cursor = Math.max(this.#cursor, end);
  }

  goTo(at: number): void {
    for (let mark = this.#search.next(this.#cursor); mark < at; mark = this.#search.next(this.#cursor)) {
      this.#places.goTo(mark);
      const { place } = this.#places;
      this.#places.goTo(mark + 1);
      this.#cursor = this.#text.charAt(mark) === '`' ? endOfRun(this.#text, mark) : mark + 1;
      if (!REGIONS.has(place) && place !== 'reasoning') this.#enter(mark);
    }
    this.#places.goTo(at);
    this.#cursor = Math.max(this.#cursor, at);
  }

  /** What the walk looked at last stands in thinking that ends. */
  get isInThinking(): boolean {
    return this.#places.place === 'reasoning';
  }

  /** The code or the quote around a place. */
  regionAt(at: number): HeldRegion | undefined {
    const region = this.#regions.findLast(({ start }) => start < at);
    return region && at < region.end ? region : undefined;
  }

  /** The mark that a place would cut. */
  markAt(at: number): number {
    const mark = this.#marks.findLast(({ start }) => start < at);
    return mark && at < mark.end ? mark.start : at;
  }

  /** A call may stand at `at` in code that is no program, if nothing else stands before it. */
  mayCall({ place, contentAt = 0, lineEnd, marker }: HeldRegion, at: number): boolean {
    const isOpening = marker !== undefined && lineEnd >= at;
    return isOpening || (place === 'fence' && contentAt >= at);
  }

  /** The end of the code, the quote or the mark before `at`. */
  leftAt(at: number): number {
    const region = this.#regions.findLast(({ end }) => end <= at)?.end ?? 0;
    return Math.max(region, this.#marks.findLast(({ end }) => end <= at)?.end ?? 0);
  }

  /** Thinking whose end is not the one that its first tag tells. */
  get isNested(): boolean {
    return this.#thinking.isNested;
  }

  /** Openers of thinking that nothing closes. */
  get unclosed(): readonly number[] {
    return this.#thinking.unclosed;
  }

  /** Where something begins that may yet turn what follows into another place; the text's length if nothing does. */
  findUnsure(): number {
    return Math.min(this.#code.find(), this.#thinking.innerAt);
  }

  /** How the text goes on at this place. */
  stateAt(at: number): StreamState {
    const line = this.#text.lastIndexOf('\n', at - 1) + 1;
    const thinking = this.#thinking.at(at);
    const opening = this.#thinking.openingAt(at);
    // thinking may end anywhere, and code in it with it
    const isThinking = opening !== undefined || isOpenThinking(thinking);
    const region = isThinking ? undefined : this.regionAt(at);
    const isOpen = region !== undefined && region.end >= this.#text.length;
    return {
      thinking,
      opening,
      code: this.#code.before(at),
      closedTo: isOpen ? undefined : region?.end,
      isQuote: region?.place === 'quote',
      fence: isOpen ? region.marker : undefined,
      lineFrom: Math.max(line, region?.claimedTo ?? 0),
    };
  }

  #enter(at: number): void {
    const { place } = this.#places;
    if (REGIONS.has(place)) {
      const marker = this.#readMarker(at);
      if (marker !== undefined) this.#code.addFinding(at);
      const end = this.#places.clip(Infinity);
      this.#regions.push({ start: at, end, place, marker, lineEnd: this.#lineEnd(at) });
      this.#noteClaim();
      return;
    }
    if (this.#text.charAt(at) === '`') {
      this.#code.addRun(at);
      return;
    }
    const match = findReasoningTag(this.#text, at);
    if (!match) return;
    this.#marks.push({ start: at, end: at + match.literal.length });
    this.#code.addFinding(at);
    if (match.isOpen) this.#thinking.open(at, match, place === 'reasoning');
  }

  #readMarker(at: number): string | undefined {
    const marker = startsLine(this.#text, at) ? readFenceOpening(this.#text, at)?.marker : undefined;
    if (marker === undefined) return undefined;
    return this.#text.slice(at + marker.length, this.#lineEnd(at)).includes('`') ? undefined : marker;
  }

  #claim(start: number, end: number): void {
    const { fence } = this.#places;
    if (!fence || (this.#regions.at(-1)?.contentAt ?? 0) < start) return;
    this.#places.claimFence(end);
    this.#noteClaim();
  }

  #noteClaim(): void {
    const { fence } = this.#places;
    const region = this.#regions.at(-1);
    if (!fence || !region) return;
    region.end = fence.end;
    region.claimedTo = fence.claimedTo;
    region.contentAt = skipWhite(this.#text, fence.claimedTo);
  }

  /** A long line is searched once. */
  #lineEnd(at: number): number {
    if (at < this.#lineFrom || at > this.#lineTo) {
      const end = this.#text.indexOf('\n', at);
      this.#lineFrom = at;
      this.#lineTo = end === -1 ? this.#text.length : end;
    }
    return this.#lineTo;
  }
}
