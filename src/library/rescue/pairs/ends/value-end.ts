// Finds where the value of a parameter ends that is written between tags. A value may contain anything, even tags of its own
// format: a call that writes a file about tool calls has whole calls in it. Therefore a closing tag counts only if the call goes on
// or ends after it, and elements and calls that were opened inside the value have to be closed first. A value whose end is not in
// the text gets none: no value is invented.
import { skipWhite } from '../../text/white-space';
import type { CallScope } from '../call/call-scope';
import type { RescueContext } from '../../core/rescue-context';
import { readOpening } from '../call/half-opener';
import { CDATA, CDATA_END } from '../call/pair-value';
import { ValueQuotes } from './quoted-tag';
import type { Tag } from '../tags/tag';

export interface ValueEnd {
  /** Offset after the last character of the value. */
  end: number;
  /** Where reading continues: after the closing tag, or at what is in its place. */
  next: number;
  isClosed: boolean;
  /** Whether prose follows the value: the call was not closed, and ends here too. */
  endsCall?: boolean | undefined;
  /** Whether the value may as well end elsewhere, for example because the tag of the next parameter is damaged. */
  isUnclear?: boolean | undefined;
  /** Set when the value contains a closing tag that closes nothing in it, so that it may contain the next parameter. */
  holdsCloser?: boolean | undefined;
  /** A key in the value that the call does not have yet, before a tag that belongs to keys. */
  heldKey?: string | undefined;
  /** Set when the value would include the next call, which begins here, because the tag that should end it is damaged. */
  nextCall?: number | undefined;
}

/** Undefined when the text ends inside the value. */
export function findValueEnd(scope: CallScope, from: number): ValueEnd | undefined {
  const { source: context, spelling } = scope.tags;
  const start = spelling.hasCdata ? skipWhite(context.text, from) : from;
  if (spelling.hasCdata && context.text.startsWith(CDATA, start)) {
    return findCdataEnd(scope, start + CDATA.length);
  }
  const walk = new ValueScanner(scope, from);
  const end = walk.run();
  context.meter.spend(from, walk.at);
  return end;
}

class ValueScanner {
  at: number;
  readonly #from: number;
  readonly #scope: CallScope;
  readonly #tags: CallScope['tags'];
  readonly #context: RescueContext;
  readonly #text: string;
  /** Whether the value is on lines of its own, and so are the tags that end it. */
  readonly #isBlock: boolean;
  /**
   * The elements with the same tag as the value's own that are open inside the value, the innermost last. True for one whose
   * tag names a parameter, so that it is more than a mention.
   */
  readonly #opened: boolean[] = [];
  /** How many of them name a parameter. */
  #named = 0;
  /** The tag before, which may be that of a key. */
  #last: Tag | undefined;
  /** Number of open calls inside the value. */
  #calls = 0;
  /** The last closing tag in the value that has the name of its own. */
  #closer: Tag | undefined;
  /** Whether that tag closes an element of the value that names a parameter; undefined when it closes none in the value. */
  #isNamedCloser: boolean | undefined;
  /** Whether a parameter of the tool was opened, or a call closed, that counts as a part of the value. */
  #hasInnerPair = false;
  #closers = 0;
  /** The first closing tag of the value's own kind that closes nothing in it and does not end it. */
  #stray: Tag | undefined;
  #heldKey: string | undefined;
  /** Whether the value contains a closing tag of the element or of the call. */
  #hasEnd = false;
  /** Offset at which a call was opened after such a tag. */
  #nextCall: number | undefined;
  /** Number of calls and of elements like this one that were opened in the value. */
  #inner = 0;
  /** Where the value ends if its closing tag is missing, that is before the end of the call. A later closing tag replaces it. */
  #pending: ValueEnd | undefined;
  /** The last tag in the value that ends the call, or the first of several with only white space between them. */
  #callEnd: Tag | undefined;
  #end: ValueEnd | undefined;
  #isDone = false;
  /** Undefined when no quote follows, as in most replies. */
  readonly #quotes: ValueQuotes | undefined;
  /** Whether a closing tag that closes nothing in the value stands before the damaged tag of another parameter. */
  #hasDamagedPair = false;
  /** Number of tags in quoted blocks that were examined. */
  #inBlocks = 0;

  constructor(scope: CallScope, from: number) {
    this.#scope = scope;
    this.#tags = scope.tags;
    this.#context = scope.tags.source;
    this.#text = scope.tags.text;
    this.at = from;
    this.#from = from;
    this.#quotes = ValueQuotes.of(this.#context, from);
    this.#isBlock = /^[ \t]*\r?\n/.test(this.#text.slice(from, from + LONGEST_INDENT));
  }

  run(): ValueEnd | undefined {
    while (!this.#isDone) {
      const tag = this.#canEnd() ? this.#tags.find(this.at) : null;
      if (tag) this.#take(tag);
      else this.#isDone = true;
      this.#last = tag ?? undefined;
      this.at = tag?.end ?? this.#text.length;
    }
    const found = this.#end ?? this.#pending ?? this.#toLone();
    const end = found && this.#toDoubtful(found);
    // Not closed at its end either: the closing tag was that of the value, and what followed it is damaged.
    if (end?.isClosed !== false || this.#nextCall === undefined) return end;
    // In a loop of calls, each would be read up to the end of the loop.
    return { ...end, nextCall: this.#inner > MAX_INNER ? this.at : this.#nextCall };
  }

  /** The end with what makes it doubtful. */
  #toDoubtful(end: ValueEnd): ValueEnd {
    if (this.#hasDamagedPair) return { ...end, isUnclear: true };
    const holdsCloser = this.#stray !== undefined && this.#stray.start < end.end;
    const isCertain = !holdsCloser && this.#heldKey === undefined;
    return isCertain ? end : { ...end, holdsCloser, heldKey: this.#heldKey };
  }

  /** The value up to the only closing tag of the element, when prose follows and the call was not closed. */
  #toLone(): ValueEnd | undefined {
    const closer = this.#closers === 1 && this.#inner === 0 ? this.#closer : undefined;
    const isLast = closer === undefined || skipWhite(this.#text, closer.end) >= this.#text.length;
    if (isLast || this.#context.isCut) return undefined;
    const isInLine = this.#isBlock && !isAtLineStart(this.#text, closer.start);
    return isInLine ? undefined : { ...toClosed(closer), endsCall: true };
  }

  /** Whether no element like this one and no call is open inside the value. */
  get #isOutside(): boolean {
    return this.#opened.length === 0 && this.#calls === 0;
  }

  /** Elements and calls that were opened inside the value have to be closed first. */
  #canEnd(): boolean {
    return this.#isOutside || this.#pending !== undefined || this.#tags.mayCloseAfter(this.at);
  }

  #take(tag: Tag): void {
    if (this.#isQuoted(tag)) {
      this.#hasEnd ||= tag.isCloser && (this.#scope.isSame(tag) || this.#scope.isCallEnd(tag));
      return;
    }
    if (this.#scope.isSame(tag)) this.#takeSame(tag);
    else if (this.#scope.isCallEnd(tag)) this.#takeCallEnd(tag);
    else if (tag.role === 'group' && tag.isCloser) this.#takeGroupEnd(tag);
    else if (this.#scope.isCallStart(tag)) this.#takeCallStart(tag);
    else if (this.#scope.isNextPair(tag)) this.#takePair(tag);
  }

  /** Whether the tag is data: in quotes on its line, or in a quoted block where no further parameter of the tool follows. */
  #isQuoted(tag: Tag): boolean {
    const scope = this.#scope;
    if (!this.#quotes) return false;
    if (!tag.isCloser) {
      // A parameter that the call may still have is one, even after a quote that was left open.
      const end = scope.isNextPair(tag) && scope.element ? this.#tags.toCloser(scope.element) : undefined;
      if (this.#quotes.hasElement(tag, this.#tags.toCloser(tag), end)) return true;
      return end === undefined && this.#quotes.hasAlone(tag, this.#tags.spelling.lead);
    }
    if (this.#quotes.has(tag)) return true;
    return (
      this.#isOutside && (scope.isSame(tag) || scope.isCallEnd(tag)) && this.#isInBlock(this.#quotes, tag)
    );
  }

  #isInBlock(quotes: ValueQuotes, tag: Tag): boolean {
    if (this.#inBlocks >= MAX_IN_BLOCKS) return false;
    const end = quotes.findBlockEnd(tag.start);
    if (end === undefined) return false;
    this.#inBlocks += 1;
    const next = this.#tags.readNext(tag.end);
    return !(next && this.#scope.isNextPair(next)) && this.#closesBehind(tag.end, end);
  }

  /** Whether the value is closed after `end`, without a call that opens before. */
  #closesBehind(from: number, end: number): boolean {
    const scope = this.#scope;
    const isFound = (tag: Tag): boolean =>
      scope.isCallStart(tag) || (tag.start >= end && tag.isCloser && scope.isSame(tag));
    let tag = this.#tags.find(from);
    while (tag && !isFound(tag)) tag = this.#tags.find(tag.end);
    this.#context.meter.spend(from, tag?.start ?? this.#text.length);
    return tag?.isCloser === true;
  }

  #takeSame(tag: Tag): void {
    if (!tag.isCloser) {
      if (this.#scope.isNextPair(tag)) this.#takePair(tag);
      else if (this.#isOwnTag(tag) && !this.#isClosed(tag) && this.#goesOnAfter(tag)) {
        // A closing tag without its slash: no other opening tag can be where the call continues.
        const isLast = skipWhite(this.#text, tag.end) >= this.#text.length;
        if (this.#isOutside && !isLast) this.#finish({ end: tag.start, next: tag.end, isClosed: false });
      } else this.#open(tag);
      return;
    }
    this.#closer = tag;
    this.#closers += 1;
    this.#hasEnd = true;
    this.#isNamedCloser = this.#opened.pop();
    if (this.#isNamedCloser === true) this.#named -= 1;
    if (this.#isNamedCloser !== undefined) return;
    if (this.#goesOnAfter(tag)) return this.#finish(this.#toCrossed(tag) ?? toClosed(tag));
    this.#stray ??= tag;
    this.#hasDamagedPair ||= this.#closers <= MAX_DAMAGED && this.#beginsDamagedPair(tag.end);
  }

  /** Whether the opening tag names no parameter, or the one whose value is being read. */
  #isOwnTag({ label }: Tag): boolean {
    return label === undefined || label === this.#scope.element?.label;
  }

  /** Whether a tag follows that names a parameter which the call does not have yet, but that cannot be read as one. */
  #beginsDamagedPair(at: number): boolean {
    const start = skipWhite(this.#text, at);
    const piece = this.#text.slice(start, start + LONGEST_HEAD);
    const tag = ELEMENT.test(piece) ? '' : (TAG.exec(piece)?.[0] ?? '');
    const { values } = this.#scope;
    return [...tag.matchAll(TAG_LABEL)].some(([, key = '']) => values.lacks(key));
  }

  /** Whether a closing tag of the element follows, so that the tag opens one in the value. */
  #isClosed(tag: Tag): boolean {
    const next = this.#tags.readNext(tag.end);
    return (next?.isCloser === true && this.#scope.isSame(next)) || this.#scope.closesLater(tag);
  }

  /** The value up to the tag that ends the call, if only white space is between that and `closer` and no such tag follows. */
  #toCrossed(closer: Tag): ValueEnd | undefined {
    const end = this.#callEnd;
    const isAtStart = end && skipWhite(this.#text, this.#from) >= end.start;
    if (!end || isAtStart || skipWhite(this.#text, end.end) < closer.start) return undefined;
    let at = skipWhite(this.#text, closer.end);
    let next = this.#tags.read(at);
    let isEnded = false;
    while (next?.isCloser && next.name !== end.name && next.role !== 'wrapper') {
      isEnded ||= this.#scope.isHeadEnd(next);
      at = skipWhite(this.#text, next.end);
      next = this.#tags.read(at);
    }
    // The call has its own end, so that the tag of another dialect is text.
    if (isEnded && (end.role !== 'wrapper' || next?.role === 'wrapper')) return undefined;
    const isCut = this.#context.isCut && this.#tags.findCut(at) !== undefined;
    const isOther = next?.isCloser ? next.name !== end.name : !next || this.#scope.isCallStart(next);
    return isOther && !isCut ? { end: end.start, next: closer.end, isClosed: false } : undefined;
  }

  /** Whether nothing, an end token, or a tag with which the call continues follows the closing tag. */
  #goesOnAfter(closer: Tag): boolean {
    const { text } = this.#context;
    const at = skipWhite(text, closer.end);
    // At the end of the text, a tag in the middle of a line may belong to the value.
    if (this.#tags.findCut(at)) return !this.#isBlock || isAtLineStart(text, closer.start);
    const tag = readOpening(this.#scope, at);
    if (tag !== null && this.#scope.goesOn(tag)) return true;
    return this.#context.dialects.trailing.find(text, at) !== undefined || this.#scope.isDamaged(at);
  }

  /** Adds an element to those that have to be closed. One that names nothing may be only mentioned. */
  #open(tag: Tag): void {
    if (tag.isEmpty) return;
    const { label, role, start } = tag;
    const last = this.#last?.role === 'key' ? this.#last : undefined;
    const isEnded = last?.isCloser && skipWhite(this.#text, last.end) === start;
    const key = role === 'value' ? this.#scope.findKeyBefore(isEnded ? last.start : start) : undefined;
    this.#heldKey ??= key;
    const isNamed = label !== undefined || last !== undefined || key !== undefined;
    this.#opened.push(isNamed);
    if (isNamed) this.#named += 1;
    this.#inner += 1;
  }

  /** Ends the value where the next parameter begins, unless it belongs to an element of the value or to a call in it. */
  #takePair(tag: Tag): void {
    const scope = this.#scope;
    const isPart = this.#calls > 0 || scope.closesLater(tag);
    const closed = this.#toClosedBefore(tag);
    // With a closing tag more than elements were opened, one may have lost the name that belongs to it.
    const isNamed =
      this.#isNamedCloser === true || (this.#isNamedCloser === false && this.#closers > this.#inner);
    const isInner = this.#named > 0 || (closed ? isNamed : !this.#isOutside);
    const isElement = tag.role === undefined && scope.element?.role !== undefined;
    if (!isPart && !isInner && !isElement && !this.#pending)
      return this.#finish(closed ?? this.#toMissing(tag));
    this.#hasInnerPair ||= !isPart;
    if (this.#pending && this.#callEnd && !isElement && skipWhite(this.#text, this.#callEnd.end) >= tag.start)
      this.#pending = { ...this.#pending, isUnclear: true };
    if (scope.isSame(tag)) this.#open(tag);
  }

  #takeCallEnd(tag: Tag): void {
    if (this.#calls > 0) {
      this.#calls -= 1;
      this.#hasInnerPair ||= this.#toClosedBefore(tag) !== undefined;
      return;
    }
    const last = this.#callEnd;
    const isNext = last && skipWhite(this.#text, last.end) >= tag.start;
    this.#callEnd = isNext ? { ...last, end: tag.end } : tag;
    if (this.#pending) return;
    if (this.#takeGroupEnd(tag)) return;
    if (this.#endsCall(tag)) this.#pending = this.#toMissing(tag);
    else this.#hasEnd = true;
  }

  /** Ends the value before the end of the call if it was closed, but not as often as elements like it were opened in its text. */
  #takeGroupEnd(tag: Tag): boolean {
    const closed = this.#calls > 0 || this.#pending ? undefined : this.#toClosedBefore(tag);
    if (closed)
      this.#finish({ ...closed, isUnclear: this.#hasInnerPair && this.#isNamedCloser !== undefined });
    return closed !== undefined;
  }

  /** Whether the tag ends the call: only at the end of a line or before another tag, because a value may mention the tag. */
  #endsCall(tag: Tag): boolean {
    const { text, isCut } = this.#context;
    const at = skipWhite(text, tag.end);
    // Directly at the beginning of the value, the tag is its text.
    if (skipWhite(text, this.#from) >= tag.start) return false;
    const isLast = this.#tags.findCut(at);
    if (!isCut && (isLast || text.slice(tag.end, at).includes('\n'))) return true;
    if (isLast) return false;
    const next = this.#tags.readDamaged(at);
    const isCall = next !== null && (next.role === 'wrapper' || this.#scope.isCallStart(next));
    return isCall || this.#context.dialects.trailing.find(text, at) !== undefined;
  }

  #takeCallStart(tag: Tag): void {
    if (this.#scope.isMention(tag)) return;
    if (this.#pending) this.#isDone = true;
    else this.#calls += 1;
    if (this.#hasEnd && this.#inner === 0) this.#nextCall = tag.start;
    this.#inner += 1;
  }

  /** The value up to its last closing tag, if only white space is between that and `tag`. */
  #toClosedBefore(tag: Tag): ValueEnd | undefined {
    const closer = this.#closer;
    return closer && skipWhite(this.#text, closer.end) >= tag.start ? toClosed(closer) : undefined;
  }

  #toMissing({ start }: Tag): ValueEnd {
    // A tag without a name before the end of the call may be its own closing tag without the slash.
    const isMention = this.#last !== undefined && this.#scope.isMention(this.#last);
    const isUnclear = isMention || this.#hasInnerPair || (this.#closers === 1 && this.#inner === 0);
    return { end: start, next: start, isClosed: false, isUnclear };
  }

  #finish(end: ValueEnd): void {
    this.#end = end;
    this.#isDone = true;
  }
}

const MAX_INNER = 4;
/** The most closing tags behind which a damaged tag is looked for. */
const MAX_DAMAGED = 16;
/** Length of the longest tag that is looked at there. */
const LONGEST_HEAD = 64;
/** A tag, perhaps behind a wrong sign, and the text up to the next closing tag. */
const TAG = /^[^\w\s]{0,3}<(?:[^<]|<(?!\/)){0,64}<?/;
/** An element that is whole. */
const ELEMENT = /^<([\w-]{1,32})>[^<>]{0,64}<\/\1>/;
/** The name in a tag, or between two. */
const TAG_LABEL = /[=>"']([\w.$-]{1,64})(?=["'<>])/g;
/** The limit is low because the rest of the call is read for each of them. */
const MAX_IN_BLOCKS = 16;

const toClosed = (tag: Tag): ValueEnd => ({ end: tag.start, next: tag.end, isClosed: true });

/** Whether only spaces and tabs precede it on its line. */
const isAtLineStart = (text: string, at: number): boolean =>
  INDENT.test(text.slice(Math.max(0, at - LONGEST_INDENT - 1), at));

const LONGEST_INDENT = 64;
const INDENT = /\n[ \t]{0,64}$/;

function findCdataEnd(scope: CallScope, from: number): ValueEnd | undefined {
  const { source: context } = scope.tags;
  for (let end = context.find(CDATA_END, from); end !== -1; end = context.find(CDATA_END, end + 1)) {
    const tag = scope.tags.readNext(end + CDATA_END.length);
    if (tag?.isCloser && scope.isSame(tag)) return { end, next: tag.end, isClosed: true };
  }
  return undefined;
}
