// A value whose end is being looked for: the tags that were found in it so far, and what they opened and closed. Does not
// decide where the value ends.
import type { RescueContext } from '../../core/rescue-context';
import { skipWhite } from '../../text/white-space';
import type { CallScope } from '../call/call-scope';
import { readOpening } from '../call/half-opener';
import type { Tag } from '../tags/tag';
import type { TagSource } from '../tags/tag-source';
import { ValueQuotes } from './quoted-tag';

export interface ValueEnd {
  /** Offset after the last character of the value. */
  end: number;
  /** Where reading continues: after the closing tag, or at what is in its place. */
  next: number;
  isClosed: boolean;
  /** A closing tag with a wrong name, or that is damaged, between the value and `end`. */
  closer?: { damage: 'wrong-close-tag' | 'broken-tag'; end: number } | undefined;
  /** Whether only half of a closing tag is at the end of the value. */
  isHalfClosed?: boolean | undefined;
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

/**
 * What a tag is to the value: `closer` and `opener` are spelt like its own tags, `pair` opens a parameter that the call may
 * still have. The last two are no tags: `text-end` is the end of the text, `unclosed` the end of a value without its closing tag.
 */
export type TagKind = 'closer' | 'opener' | 'pair' | 'call-end' | 'call-start' | 'text-end' | 'unclosed';

export class OpenValue {
  readonly scope: CallScope;
  readonly tags: TagSource<RescueContext>;
  readonly text: string;
  readonly from: number;
  /** Undefined when no quote follows, as in most replies. */
  readonly quotes: ValueQuotes | undefined;
  /** Whether the value is on lines of its own, and so are the tags that end it. */
  readonly isBlock: boolean;
  /** Where the value ends unless a later closing tag ends it. */
  kept: ValueEnd | undefined;
  /** The last closing tag in the value that has the name of its own. */
  closer: Tag | undefined;
  closers = 0;
  /** Whether that tag closes an element of the value that names a parameter; undefined when it closes none in the value. */
  isNamedCloser: boolean | undefined;
  /** The last tag in the value that ends the call, or the first of several with only white space between them. */
  callEnd: Tag | undefined;
  /** Whether a parameter of the tool was opened, or a call closed, that counts as a part of the value. */
  hasInnerPair = false;
  /** Number of open calls inside the value. */
  calls = 0;
  /** Number of calls and of elements like this one that were opened in the value. */
  inner = 0;
  /** Number of tags in quoted blocks that were examined. */
  inBlocks = 0;
  /** The tag before, which may be that of a key. */
  last: Tag | undefined;
  /**
   * The elements with the same tag as the value's own that are open inside the value, the innermost last. True for one whose
   * tag names a parameter, so that it is more than a mention.
   */
  readonly #opened: boolean[] = [];
  /** How many of them name a parameter. */
  named = 0;
  /** The first closing tag of the value's own kind that closes nothing in it and does not end it. */
  #stray: Tag | undefined;
  #heldKey: string | undefined;
  /** Whether a closing tag that closes nothing in the value stands before the damaged tag of another parameter. */
  #hasDamagedPair = false;
  /** Whether the value contains a closing tag of the element or of the call. */
  #hasEnd = false;
  /** Offset at which a call was opened after such a tag. */
  #nextCall: number | undefined;

  constructor(scope: CallScope, from: number) {
    this.scope = scope;
    this.tags = scope.tags;
    this.text = scope.tags.text;
    this.from = from;
    this.quotes = ValueQuotes.of(scope.tags.source, from);
    this.isBlock = /^[ \t]*\r?\n/.test(this.text.slice(from, from + LONGEST_INDENT));
  }

  /** Undefined for a tag that means nothing here. */
  kindOf(tag: Tag): TagKind | undefined {
    const { scope } = this;
    const isSame = scope.isSame(tag);
    if (isSame && tag.isCloser) return 'closer';
    if (!isSame && scope.isCallEnd(tag)) return 'call-end';
    if (!isSame && scope.isCallStart(tag)) return scope.isMention(tag) ? undefined : 'call-start';
    if (scope.isNextPair(tag)) return 'pair';
    return isSame ? 'opener' : undefined;
  }

  get hasOpened(): boolean {
    return this.#opened.length > 0;
  }

  /** Whether no element like this one and no call is open inside the value. */
  get isOutside(): boolean {
    return !this.hasOpened && this.calls === 0;
  }

  /** Whether the tag belongs to a call in the value, or to an element in it. */
  isPart(tag: Tag): boolean {
    return this.calls > 0 || this.scope.closesLater(tag);
  }

  /** Notes a tag that is data. */
  pass(kind: TagKind): void {
    this.#hasEnd ||= kind === 'closer' || kind === 'call-end';
  }

  /** Notes a tag that does not end the value. */
  take(kind: TagKind, tag: Tag): void {
    if (kind === 'closer') this.#takeCloser(tag);
    else if (kind === 'opener') this.#open(tag);
    else if (kind === 'pair') this.#takePair(tag);
    else if (kind === 'call-end') this.#takeCallEnd(tag);
    else if (kind === 'call-start') {
      if (this.#hasEnd && this.inner === 0) this.#nextCall = tag.start;
      this.calls += 1;
      this.inner += 1;
    }
  }

  #takeCloser(tag: Tag): void {
    this.closer = tag;
    this.closers += 1;
    this.#hasEnd = true;
    this.isNamedCloser = this.#opened.pop();
    if (this.isNamedCloser) this.named -= 1;
    if (this.isNamedCloser !== undefined) return;
    this.#stray ??= tag;
    this.#hasDamagedPair ||= this.closers <= MAX_DAMAGED && this.#beginsDamagedPair(tag.end);
  }

  #takePair(tag: Tag): void {
    this.hasInnerPair ||= !this.isPart(tag);
    const isBehind = this.callEnd !== undefined && skipWhite(this.text, this.callEnd.end) >= tag.start;
    if (this.kept && isBehind && !this.isForeign(tag)) this.kept = { ...this.kept, isUnclear: true };
    if (this.scope.isSame(tag)) this.#open(tag);
  }

  #takeCallEnd(tag: Tag): void {
    if (this.calls > 0) {
      this.calls -= 1;
      this.hasInnerPair ||= this.isClosedBefore(tag);
      return;
    }
    const { callEnd } = this;
    const isNext = callEnd && skipWhite(this.text, callEnd.end) >= tag.start;
    this.callEnd = isNext ? { ...callEnd, end: tag.end } : tag;
    this.#hasEnd ||= this.kept === undefined;
  }

  /** Adds an element to those that have to be closed. One that names nothing may be only mentioned. */
  #open({ isEmpty, label, role, start }: Tag): void {
    if (isEmpty) return;
    const last = this.last?.role === 'key' ? this.last : undefined;
    const isEnded = last?.isCloser && skipWhite(this.text, last.end) === start;
    const key = role === 'value' ? this.scope.findKeyBefore(isEnded ? last.start : start) : undefined;
    this.#heldKey ??= key;
    const isNamed = label !== undefined || last !== undefined || key !== undefined;
    this.#opened.push(isNamed);
    if (isNamed) this.named += 1;
    this.inner += 1;
  }

  /** Whether the tag is an element with the name of a parameter, in a dialect that writes parameters in another way. */
  isForeign(tag: Tag): boolean {
    return tag.role === undefined && this.scope.element?.role !== undefined;
  }

  /** Whether only white space is between the last closing tag and `tag`. */
  isClosedBefore(tag: Tag): boolean {
    return this.closer !== undefined && skipWhite(this.text, this.closer.end) >= tag.start;
  }

  /** Whether nothing, an end token, or a tag with which the call continues follows the closing tag. */
  goesOnAfter(closer: Tag): boolean {
    const at = skipWhite(this.text, closer.end);
    // At the end of the text, a tag in the middle of a line may belong to the value.
    if (this.tags.findCut(at)) return !this.isInLine(closer);
    const tag = readOpening(this.scope, at);
    if (tag !== null && this.scope.goesOn(tag)) return true;
    return this.tags.source.dialects.trailing.find(this.text, at) !== undefined || this.scope.isDamaged(at);
  }

  /** Whether something else precedes the tag on its line, although the value is on lines of its own. */
  isInLine({ start }: Tag): boolean {
    const before = this.text.slice(Math.max(0, start - LONGEST_INDENT - 1), start);
    return this.isBlock && !INDENT.test(before);
  }

  /** The end with what makes it doubtful. @param at Where reading the value stopped. */
  toDoubtful(end: ValueEnd, at: number): ValueEnd {
    const holdsCloser = this.#stray !== undefined && this.#stray.start < end.end;
    const heldKey = this.#heldKey;
    let doubtful = holdsCloser || heldKey !== undefined ? { ...end, holdsCloser, heldKey } : end;
    if (this.#hasDamagedPair) doubtful = { ...end, isUnclear: true };
    // Not closed at its end either: the closing tag was that of the value, and what followed it is damaged.
    if (end.isClosed || this.#nextCall === undefined) return doubtful;
    // In a loop of calls, each would be read up to the end of the loop.
    return { ...doubtful, nextCall: this.inner > MAX_INNER ? at : this.#nextCall };
  }

  /** Whether a tag follows that names a parameter which the call does not have yet, but that cannot be read as one. */
  #beginsDamagedPair(at: number): boolean {
    const start = skipWhite(this.text, at);
    const piece = this.text.slice(start, start + LONGEST_HEAD);
    const tag = ELEMENT.test(piece) ? '' : (TAG.exec(piece)?.[0] ?? '');
    const { values } = this.scope;
    return [...tag.matchAll(TAG_LABEL)].some(([, key = '']) => values.lacks(key));
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

const LONGEST_INDENT = 64;
/** Only spaces and tabs up to the end, on a line of its own. */
const INDENT = /\n[ \t]{0,64}$/;
