// The text between the calls of a reply: whether a call is inside a bracket that was opened there, or one of a list.
// Independent of formats.
import type { RescueEvidence } from '../../../types';
import type { CallsReading } from '../core/rescue-format';
import type { Span } from '../text/cut-text';
import type { Candidate } from '../walk/findings';

/** How far brackets are followed before and after a call, in UTF-16 code units. */
const LONGEST_BEFORE = 2048;
const LONGEST_AFTER = 256;

/** The text without the calls in it, which are whole in themselves. Calls are asked about from the last to the first. */
export class OutsideCalls {
  readonly #text: string;
  /** Where each call is left out. */
  readonly #places = new Map<CallsReading, number>();
  /** Calls in a list of the answer or in a log: the line before has a call after the same words. */
  readonly #listed = new Set<CallsReading>();
  /** The first bracket at or after the offset that was asked for last; the text's length when there is none. */
  #bracket: number;
  /** The offset that was asked for last. */
  #asked: number;

  constructor(text: string, candidates: readonly Candidate[]) {
    const pieces: string[] = [];
    let from = 0;
    let place = 0;
    let lastItem = '';
    for (const { reading, format } of candidates) {
      if (reading.kind === 'rejection') continue;
      const piece = text.slice(from, reading.start);
      const item = readItem(piece);
      const isNext = piece.includes('\n') && !piece.trim().includes('\n');
      if (isNext && item !== '' && item === lastItem) this.#listed.add(reading);
      lastItem = item;
      pieces.push(piece);
      place += piece.length;
      this.#places.set(reading, place);
      from = Math.max(from, findEnd(reading, reading.evidence ?? format.evidence));
    }
    this.#text = pieces.join('') + text.slice(from);
    this.#bracket = this.#text.length;
    this.#asked = this.#text.length;
  }

  isListed(reading: CallsReading): boolean {
    return this.#listed.has(reading);
  }

  /**
   * Whether the call is inside a value that was opened before it: it follows a key directly, or a bracket is open before it
   * and closed after it.
   */
  isInBrackets(reading: CallsReading, evidence: RescueEvidence): boolean {
    const at = this.#places.get(reading) ?? 0;
    if (at === 0) return false;
    const bracket = this.#findBracket(at);
    const limit = Math.min(this.#text.length, at + LONGEST_AFTER);
    const isClosed = bracket < limit && countOpened(this.#text, bracket, limit) < 0;
    const to = this.#skipBefore(at);
    if (!isClosed && this.#text.charAt(to - 1) !== ':') return false;
    const before = this.#text.slice(Math.max(0, at - LONGEST_BEFORE), to);
    const [, key = ''] = (isBare(reading, evidence) && KEY.exec(before.slice(-LONGEST_KEY))) || [];
    return (key !== '' && !WRAPPER_KEY.test(key)) || (isClosed && opensValue(before));
  }

  /** Searches only up to the offset that was asked for before, so that all searches together pass over the text once. */
  #findBracket(at: number): number {
    for (let next = at; next < this.#asked; next += 1)
      if (BRACKETS.includes(this.#text.charAt(next))) {
        this.#bracket = next;
        break;
      }
    this.#asked = at;
    return this.#bracket;
  }

  /** The start of the white space and the opening brackets before `at`. */
  #skipBefore(at: number): number {
    const floor = Math.max(0, at - LONGEST_SPACE);
    let start = at;
    while (start > floor && SPACE.includes(this.#text.charAt(start - 1))) start -= 1;
    return start;
  }
}

/**
 * Counts the brackets that a damaged call leaves open. While two of them are open, the call's own and that of its arguments, what
 * looks like another call is a part of these arguments.
 */
export class OpenArguments {
  readonly #text: string;
  #opened = 0;
  #from = -1;

  constructor(text: string) {
    this.#text = text;
  }

  begin({ start }: Span): void {
    if (this.#from === -1) this.#from = start;
  }

  /** Whether the call begins in the arguments of a damaged one before it. */
  includes({ start }: Span): boolean {
    if (this.#from === -1) return false;
    this.#opened += countOpened(this.#text, this.#from, start);
    this.#from = this.#opened < 2 ? -1 : start;
    return this.#from !== -1;
  }
}

const BRACKETS = '{}[]()';
const SPACE = ' \t\r\n{[(';
const LONGEST_SPACE = 64;
const LONGEST_KEY = 128;
const KEY = /(?:^|[\n{,[(])[ \t]{0,40}(["'][^"'\n]{1,64}["']\s{0,8}:{1,2})$/;
const WRAPPER_KEY = /["'](?:tool|function)(?:_?(?:calls?|uses?))?["']\s{0,8}:/i;

/** The number of brackets that this part of the text leaves open; -1 if it closes one that was open before. */
function countOpened(text: string, from: number, to: number): number {
  let opened = 0;
  for (let at = from; at < to; at += 1) {
    const character = text.charAt(at);
    if ('{[('.includes(character)) opened += 1;
    else if ('}])'.includes(character)) opened -= 1;
    if (opened < 0) return -1;
  }
  return opened;
}

/**
 * Whether a bracket is left open that begins a value: a name, `:` or `=` is before it, or a key after it. Wrappers of calls, such
 * as `{"tool_calls": …`, are no values.
 */
function opensValue(before: string): boolean {
  let closed = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const character = before.charAt(at);
    if ('}])'.includes(character)) closed += 1;
    else if ('{[('.includes(character)) {
      const isValue = closed === 0 && VALUE_START.test(before.slice(Math.max(0, at - 1), at + 16));
      if (isValue && !WRAPPER_KEY.test(before.slice(at, at + LONGEST_MEMBERS))) return true;
      closed = Math.max(0, closed - 1);
    }
  }
  return false;
}

/** Number of characters in which an object around a call shows what it is. */
const LONGEST_MEMBERS = 128;
const VALUE_START = /^(?:\w\(|[:=][{[(]|[^]?(?:[{[]\s{0,8}["']|\{\s{0,8}\w))/;

/** Where the call ends. A bracket too many at its end is not counted, if no opener is before it: it closes something around it. */
const findEnd = (reading: CallsReading, evidence: RescueEvidence): number =>
  (isBare(reading, evidence) ? findExtraCloser(reading) : undefined) ?? reading.end;

export const findExtraCloser = ({ repairs }: CallsReading): number | undefined =>
  repairs.find(({ kind }) => kind === 'extra-closer')?.at;

/** Whether no opener comes before the calls. */
export const isBare = ({ repairs }: CallsReading, evidence: RescueEvidence): boolean =>
  evidence === 'shape' || repairs.some(({ kind }) => kind === 'missing-open-tag');

/** What is before a call on its line, with all numbers alike; '' when it is long or ends with a token. */
function readItem(before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1).trim();
  return line.length > LONGEST_ITEM || line.endsWith('>') ? '' : line.replaceAll(/\d{1,16}/g, '0');
}

const LONGEST_ITEM = 96;
