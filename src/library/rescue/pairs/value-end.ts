// Where the value of a parameter ends. Values hold anything, tags of their own format too, so a closing tag counts
// only where the call goes on after it. A value that nothing ends is never ended here.
import { skipWhite } from '../json/blank';
import { findNoise } from '../noise';
import { readDamagedTag } from './garbled-tag';
import type { RescueContext } from '../rescue-context';
import type { PairSpelling } from './spelling';
import type { Tag } from './tag';

export interface ValueEnd {
  /** After the value's last character. */
  end: number;
  /** Where reading goes on: after the closing tag, or at what stands in its place. */
  next: number;
  isClosed: boolean;
}

/** What a reader knows of the call that it is reading. */
export interface ValuePlace {
  spelling: PairSpelling;
  /** The tag belongs to the element whose value this is: it opens or closes another one like it. */
  isSame(tag: Tag): boolean;
  /** The tag begins a parameter that this call may have and does not have yet. */
  isNextPair(tag: Tag): boolean;
  /** After a closing tag the call goes on like this: with a parameter, its own end, or another call. */
  goesOn(tag: Tag): boolean;
  /** A tag that was to go on with the call stands here, but is damaged. */
  isDamaged(at: number): boolean;
  isCallEnd(tag: Tag): boolean;
  isCallStart(tag: Tag): boolean;
  /** Models leave the closing tag out; elsewhere its absence means that the text was cut. */
  mayLackCloser: boolean;
}

/** Undefined when the text ends inside the value. */
export function findValueEnd(context: RescueContext, place: ValuePlace, from: number): ValueEnd | undefined {
  const start = place.spelling.hasCdata ? skipWhite(context.text, from) : from;
  if (place.spelling.hasCdata && context.text.startsWith(CDATA, start)) {
    return findCdataEnd(context, place, start + CDATA.length);
  }
  const walk = new ValueWalk(context, place, from);
  const end = walk.run();
  context.meter.spend(from, walk.at);
  return end;
}

class ValueWalk {
  at: number;
  readonly #context: RescueContext;
  readonly #place: ValuePlace;
  /** The value stands on lines of its own, and so do the tags that end it. */
  readonly #isBlock: boolean;
  /** Elements like this one that opened inside the value. */
  #depth = 0;
  /** Calls that opened inside the value. */
  #calls = 0;
  /** The last closing tag that something followed. */
  #closer: Tag | undefined;
  /** Where the call ended although the value was not closed: right unless the value closes later on. */
  #pending: ValueEnd | undefined;
  #end: ValueEnd | undefined;
  #isDone = false;

  constructor(context: RescueContext, place: ValuePlace, from: number) {
    this.#context = context;
    this.#place = place;
    this.at = from;
    this.#isBlock = /^[ \t]*\r?\n/.test(context.text.slice(from, from + LONGEST_INDENT));
  }

  run(): ValueEnd | undefined {
    const { spelling } = this.#place;
    while (!this.#isDone) {
      const next = this.#canEnd() ? this.#context.find(spelling.lead, this.at) : -1;
      if (next === -1) {
        this.at = this.#context.text.length;
        break;
      }
      const tag = spelling.readTag(this.#context, next);
      if (tag) this.#take(tag);
      this.at = tag ? tag.end : next + 1;
    }
    return this.#end ?? this.#pending;
  }

  /** What opened inside the value must close first. */
  #canEnd(): boolean {
    const isInside = this.#depth > 0 || this.#calls > 0;
    return !isInside || this.#pending !== undefined || hasCloserAfter(this.#context, this.#place, this.at);
  }

  #take(tag: Tag): void {
    if (this.#place.isSame(tag)) this.#takeSame(tag);
    else if (this.#place.isCallEnd(tag)) this.#takeCallEnd(tag);
    else if (this.#place.isCallStart(tag)) this.#takeCallStart();
    else if (this.#place.isNextPair(tag)) this.#takePair(tag);
  }

  #takeSame(tag: Tag): void {
    if (!tag.isCloser) {
      if (this.#isNext(tag)) this.#takePair(tag);
      else if (tag.label === undefined && this.#goesOnAfter(tag)) this.#takeGarbled(tag);
      else if (!tag.isEmpty) this.#depth += 1;
      return;
    }
    this.#closer = tag;
    if (this.#depth > 0) this.#depth -= 1;
    else if (this.#goesOnAfter(tag)) this.#finish(toClosed(tag));
  }

  /** A closing tag without its slash: nothing else stands where the call goes on. */
  #takeGarbled(tag: Tag): void {
    const isOurs = this.#depth === 0 && this.#calls === 0 && this.#place.mayLackCloser;
    if (isOurs && skipWhite(this.#context.text, tag.end) < this.#context.text.length)
      this.#finish({ end: tag.start, next: tag.end, isClosed: false });
  }

  /** Nothing, an end token, or a tag with which the call goes on. */
  #goesOnAfter(closer: Tag): boolean {
    const { text } = this.#context;
    const { spelling } = this.#place;
    const at = skipWhite(text, closer.end);
    // where the text ends, a tag in the middle of a line of a value may be part of it
    if (at >= text.length || isTagCut(text, at, spelling))
      return !this.#isBlock || isAtLineStart(text, closer.start);
    const tag = readDamagedTag(this.#context, spelling, at);
    if (tag !== null && this.#place.goesOn(tag)) return true;
    return findNoise(text, at) !== undefined || this.#place.isDamaged(at);
  }

  #isNext(tag: Tag): boolean {
    return this.#depth === 0 && this.#calls === 0 && this.#place.isNextPair(tag);
  }

  /** The next parameter begins, and this one was not closed. */
  #takePair(tag: Tag): void {
    if (this.#isNext(tag) && !this.#pending) this.#finish(this.#toMissing(tag));
  }

  #takeCallEnd(tag: Tag): void {
    if (this.#calls > 0) {
      this.#calls -= 1;
      return;
    }
    if (this.#pending) return;
    const isClosed = this.#isBefore(this.#closer, tag);
    if (!isClosed && !(this.#place.mayLackCloser && this.#endsCall(tag))) return;
    this.#pending = this.#toMissing(tag);
    // the value was closed, only not as often as its text opened one like it
    if (this.#pending.isClosed) this.#finish(this.#pending);
  }

  /** Only if nothing but calls follow: a value may speak of the tag. */
  #endsCall(tag: Tag): boolean {
    const { text, isCut } = this.#context;
    const { spelling } = this.#place;
    const at = skipWhite(text, tag.end);
    const isLast = at >= text.length || isTagCut(text, at, spelling);
    if (isLast) return this.#isBlock && !isCut && isAtLineStart(text, tag.start);
    const next = readDamagedTag(this.#context, spelling, at);
    const isCall = next !== null && (next.role === 'wrapper' || this.#place.isCallStart(next));
    return isCall || findNoise(text, at) !== undefined;
  }

  #takeCallStart(): void {
    if (this.#pending) this.#isDone = true;
    else this.#calls += 1;
  }

  #toMissing(tag: Tag): ValueEnd {
    if (this.#closer && this.#isBefore(this.#closer, tag)) return toClosed(this.#closer);
    return { end: tag.start, next: tag.start, isClosed: false };
  }

  #isBefore(closer: Tag | undefined, tag: Tag): boolean {
    return closer !== undefined && skipWhite(this.#context.text, closer.end) >= tag.start;
  }

  #finish(end: ValueEnd): void {
    this.#end = end;
    this.#isDone = true;
  }
}

/** A loop may open tags by the hundred thousand: they need not be read where none of them closes. */
const hasCloserAfter = (context: RescueContext, { spelling }: ValuePlace, from: number): boolean =>
  spelling.slash === undefined || context.find(spelling.slash, from) !== -1;

const toClosed = (tag: Tag): ValueEnd => ({ end: tag.start, next: tag.end, isClosed: true });

/** The text ends inside a tag. */
export function isTagCut(text: string, at: number, { lead }: PairSpelling): boolean {
  const rest = text.slice(at, at + LONGEST_CUT);
  if (at + rest.length < text.length || rest.includes('\n')) return false;
  return lead.startsWith(rest) || (rest.startsWith(lead) && !rest.slice(lead.length).includes('>'));
}

const LONGEST_CUT = 200;

/** Nothing but blanks before it on its line. */
function isAtLineStart(text: string, at: number): boolean {
  let start = at;
  while (at - start < LONGEST_INDENT && (text.charAt(start - 1) === ' ' || text.charAt(start - 1) === '\t'))
    start -= 1;
  return text.charAt(start - 1) === '\n';
}

const LONGEST_INDENT = 64;

/** After the closing tag of the call that is open at `from`; undefined when there is none. */
export function findCallEnd(context: RescueContext, place: ValuePlace, from: number): number | undefined {
  const { spelling } = place;
  let depth = 0;
  let at = hasCloserAfter(context, place, from) ? context.find(spelling.lead, from) : -1;
  let end: number | undefined;
  while (at !== -1 && end === undefined) {
    const tag = spelling.readTag(context, at);
    if (tag && place.isCallStart(tag)) depth += 1;
    else if (tag && place.isCallEnd(tag)) {
      if (depth === 0) end = tag.end;
      depth -= 1;
    }
    at = context.find(spelling.lead, tag?.end ?? at + 1);
  }
  context.meter.spend(from, end ?? context.text.length);
  return end;
}

const CDATA = '<![CDATA[';

function findCdataEnd(context: RescueContext, place: ValuePlace, from: number): ValueEnd | undefined {
  let close = context.find(']]>', from);
  while (close !== -1) {
    const at = skipWhite(context.text, close + 3);
    const tag = place.spelling.readTag(context, at);
    if (tag?.isCloser && place.isSame(tag)) return { end: close, next: tag.end, isClosed: true };
    close = context.find(']]>', close + 3);
  }
  return undefined;
}
