// Reads strings of damaged JSON: single, typographic and unescaped quotes, raw line breaks, invalid escapes. A string
// without an end is never closed here.
import type { TextSource } from '../core/rescue-context';
import { isCallKey } from '../core/call-keys';
import { closes, LONGEST_KEY, noteQuotes, STYLES } from './quotes';
import type { QuoteStyle } from './quotes';
import { skipWhite } from '../text/white-space';
import { isWindowsPath } from '../text/unescape';
import { closesLater, endsValue, isItemAhead, mayEndValue, skipBrackets } from './value-quote';
import { holdsDamage } from './lost-quotes';
import type { StringPlace } from './value-quote';
import { RepairLog } from '../core/repair-log';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export interface StringReading {
  value: string;
  end: number;
  /** Whether it might as well end at another quote, and nothing tells which one is meant. */
  isUnclear?: boolean;
}

/**
 * `key`: ends at the first quote, on the same line. `value`: ends at a quote only where JSON continues. `root`: the first
 * quote.
 */
export type StringRole = 'key' | 'value' | 'root';

const NOWHERE: StringPlace = { isList: false, depth: 1 };

/** Undefined when the string is not closed before the end of the text (or of the line, for a key). */
export function readString(
  source: TextSource,
  at: number,
  role: StringRole,
  log: RepairLog,
  place: StringPlace = NOWHERE,
): StringReading | undefined {
  const style = STYLES[source.text.charAt(at)];
  if (!style) return undefined;
  const block = role === 'value' ? readBlock(source, at, place) : undefined;
  if (block) {
    log.add('foreign-body', at, 'the string is in triple quotes');
    return block;
  }
  const search = role === 'value' ? new ValueEndSearch(source, at + 1, style, place) : undefined;
  const end = search ? search.run() : findEnd(source, at + 1, style, role);
  if (end === UNCLEAR) return { value: '', end: at, isUnclear: true };
  if (end === -1) return undefined;
  if (style.repair) log.add(style.repair, at);
  const quote = search?.firstQuote ?? end;
  if (quote < end) noteQuotes(source.text, { from: quote, to: end }, style, log);
  return { value: decode(source.text.slice(at + 1, end), at + 1, log), end: end + 1 };
}

/** Reads a string between triple quotes, as Python writes texts of several lines; its quotes and line breaks are meant. */
function readBlock(source: TextSource, at: number, place: StringPlace): StringReading | undefined {
  const { text } = source;
  const mark = text.slice(at, at + 3);
  if (mark !== '"""' && mark !== "'''") return undefined;
  const end = source.peek(mark, at + 3);
  if (end === -1 || !endsValue(source, end + 3, place)) return undefined;
  source.meter.spend(at, end);
  // Nothing of it is recorded, because no quote has to be escaped there.
  return { value: decode(text.slice(at + 3, end), at, new RepairLog()), end: end + 3 };
}

const UNCLEAR = -2;

function findEnd(source: TextSource, from: number, style: QuoteStyle, role: StringRole): number {
  const { text } = source;
  const memo = `${style.close}${role}`;
  const limit = role === 'key' ? Math.min(text.length, from + LONGEST_KEY) : text.length;
  if (role !== 'key' && source.isUnclosed(memo, from)) return -1;
  for (let at = from; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (closes(style, code)) {
      source.meter.spend(from, at);
      return at;
    } else if (code === 10 && role === 'key') return -1;
  }
  source.meter.spend(from, limit);
  if (role !== 'key') source.noteEndless(memo, from);
  return -1;
}

/**
 * Finds the end of a value, in which unescaped quotes are text. A quote that looks like the end but cannot be it is text
 * only if the whole string is on one line; quotes after the closer of the call are never part of it.
 */
class ValueEndSearch {
  readonly #source: TextSource;
  readonly #text: string;
  readonly #from: number;
  readonly #style: QuoteStyle;
  readonly #place: StringPlace;
  /** Offset of the first unescaped quote that did not end the string; the text's length while there is none. */
  firstQuote: number;
  #at: number;
  /** Offset of the first quote after which a value could end, although it did not count as the end; -1 while there is none. */
  #doubtful = -1;
  #isOneLine = true;
  /** Whether that quote is the second of a pair, so that both may be text. */
  #isPair = false;
  /** Whether another quote, before the end of the call, ends the string, so that it goes on after the doubtful one. */
  #isClosedLater = false;
  #isInCall = true;
  /** Number of unescaped quotes in the string. */
  #quotes = 0;
  /** Number of unescaped quotes, without those after a digit, which mean inches. When it is odd, a pair is open. */
  #pairs = 0;
  /** Number of call tags that are open in the string. */
  #opened = 0;
  /** Number of brackets that are open in the string; negative if it closed some that it did not open. */
  #level = 0;
  /** The closers of these brackets, the innermost last. */
  #due = '';
  #looks = 0;

  constructor(source: TextSource, from: number, style: QuoteStyle, place: StringPlace) {
    this.#source = source;
    this.#text = source.text;
    this.#from = from;
    this.#style = style;
    this.#place = place;
    this.firstQuote = this.#text.length;
    this.#at = from;
  }

  run(): number {
    const { length } = this.#text;
    const memo = `${this.#style.close}value`;
    if (this.#source.isUnclosed(memo, this.#from)) return -1;
    const part = `${memo}${this.#place.isList}${this.#place.depth}`;
    for (; this.#at < length && (this.#isOneLine || this.#doubtful === -1 || this.#goesOn()); this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 92) this.#at += 1;
      else if (code === 10) this.#isOneLine = false;
      else if (code === 60) this.#takeTag();
      else if (code === 123 || code === 91 || code === 125 || code === 93) this.#takeBracket(code);
      else if (closes(this.#style, code)) {
        const isEnd = this.#isEnd();
        const next = isEnd && this.#pairs % 2 === 1 ? this.#declareNext() : undefined;
        if (next === 'optional' || (next === 'required' && this.#level > 0)) return this.#finish(UNCLEAR);
        const isInner = next === 'unknown' || (isEnd && this.#isInner());
        if ((isEnd && !isInner) || !this.#isInCall) return this.#finish(isEnd ? this.#at : -1);
        this.#takeQuote(part, isInner);
      }
    }
    if (this.#doubtful === -1) this.#source.noteEndless(memo, this.#from);
    else this.#source.noteEndless(part, this.#doubtful, Math.min(this.#at, length));
    // If a tag follows, the text does not end inside this string.
    const isCut = this.#at >= length && !this.#text.includes('<', Math.max(this.#from, this.#doubtful));
    return this.#finish(isCut || this.#opened > 0 ? -1 : this.#doubtful);
  }

  #takeTag(): void {
    this.#isInCall &&=
      !isNextCall(this.#text, this.#at) && !(this.#mayEnd() && this.#source.separatesCallsAt(this.#at));
    this.#opened += countCallTag(this.#text, this.#at);
  }

  /** Limits the number of checks: a text with so many brackets and tags is a file, and not the rest of a short string. */
  #mayEnd(): boolean {
    this.#looks += 1;
    return this.#looks <= MAX_LOOKS;
  }

  #takeBracket(code: number): void {
    const opens = code === 123 || code === 91;
    if (code === 123 && this.#level < 0) this.#isInCall &&= !isNextObject(this.#source, this.#at);
    if (!opens && this.#mayEnd())
      this.#isInCall &&= !this.#source.opensCallAt(skipWhite(this.#text, this.#at + 1));
    this.#level += opens ? 1 : -1;
    if (!opens) this.#due = this.#due.slice(0, -1);
    else if (this.#due.length < MAX_DUE) this.#due += code === 123 ? '}' : ']';
  }

  /** Whether the current quote ends the string. An unescaped quote inside a quoted call does not. */
  #isEnd(): boolean {
    if (this.#opened > 0 && this.#quotes > 0) return false;
    // At the end of the text, nothing shows that this quote is the end and not the one before it.
    if (this.#doubtful !== -1 && skipWhite(this.#text, this.#at + 1) >= this.#text.length) return false;
    const isItem = this.#place.isList && this.#quotes === 0 && isItemAhead(this.#text, this.#at + 1);
    return isItem || endsValue(this.#source, this.#at + 1, this.#place);
  }

  /**
   * Called when a quote looks like the end while a pair of quotes is open, as in `"say "hi", name: "x"`: the next member may be
   * text of the string, too. Then how the tools declare that member decides.
   * @returns undefined when there is no doubt
   */
  #declareNext(): ReturnType<TextSource['declares']> {
    if (this.#place.isList) return undefined;
    const found = NEXT_MEMBER.exec(this.#text.slice(this.#at, this.#at + LONGEST_KEY));
    if (!found) return undefined;
    const end = this.#text.indexOf('"', this.#at + found[0].length);
    if (end === -1 || endsValue(this.#source, end + 1, this.#place)) return undefined;
    return this.#source.declares(found[1] ?? '');
  }

  /**
   * Whether a quote that looks like the end is text: it is the second of a pair, and the brackets after it close those that the
   * string itself has opened. They are not those of the call, as they are too few for it, and no other call follows them.
   */
  #isInner(): boolean {
    if (this.#level <= 0 || this.#quotes % 2 === 0) return false;
    const { end, count } = skipBrackets(this.#text, this.#at + 1);
    if (count === 0 || count >= this.#level + this.#place.depth) return false;
    if (this.#text.charAt(skipWhite(this.#text, this.#at + 1)) !== this.#due.slice(-1)) return false;
    if (count >= this.#place.depth && this.#source.findCallToken(end) === end) return false;
    return !isNextObject(this.#source, this.#text.charAt(end) === ',' ? skipWhite(this.#text, end + 1) : end);
  }

  /**
   * Whether a string of several lines goes on after the doubtful quote: that quote is the second of a pair, and the word between
   * the two is no parameter of a tool. A parameter there would show that the string ended before it, without its quote.
   */
  #goesOn(): boolean {
    if (!this.#isPair) return this.#isClosedLater;
    this.#isPair = false;
    const word = this.#text.slice(
      this.#text.lastIndexOf(this.#text.charAt(this.#doubtful), this.#doubtful - 1) + 1,
      this.#doubtful,
    );
    this.#isClosedLater =
      this.#source.declares(word) === 'unknown' && closesLater(this.#source, this.#from, this.#place);
    return this.#isClosedLater;
  }

  #takeQuote(part: string, isInner: boolean): void {
    if (this.#quotes === 0) this.firstQuote = this.#at;
    this.#quotes += 1;
    if (!/\d/.test(this.#text.charAt(this.#at - 1))) this.#pairs += 1;
    if (isInner || this.#doubtful !== -1 || !mayEndValue(this.#text, this.#at + 1)) return;
    this.#doubtful = this.#at;
    this.#isPair = this.#pairs > 0 && this.#pairs % 2 === 0;
    // Strings of damaged calls in a row share the text after them, which is searched only once.
    const to = this.#source.skipEndless(part, this.#at);
    if (to === this.#at) return;
    this.#source.meter.steps -= to - this.#at;
    this.#at = to - 1;
  }

  #finish(end: number): number {
    this.#source.meter.spend(this.#from, Math.min(this.#at, this.#text.length));
    if (end <= this.firstQuote || this.#place.isName) return end;
    const written = this.#text.slice(this.#from, end);
    return holdsDamage(written, this.#style, this.#place.isList) ? UNCLEAR : end;
  }
}

/** Whether an object with a part of a call or the name of a tool as its first key begins directly after another object. */
export function isNextObject(source: TextSource, at: number): boolean {
  const { text } = source;
  if (!AFTER_OBJECT.test(text.slice(Math.max(0, at - 16), at))) return false;
  const [, key] = FIRST_KEY.exec(text.slice(at, at + LONGEST_KEY)) ?? [];
  return key !== undefined && (isCallKey(key) || source.isTool(key));
}

const NEXT_MEMBER = /^"\s*[,;][\s,]*"([^"\n]{1,64})"\s*:\s*"/;
const AFTER_OBJECT = /[}\]]["']?[\s,;]*$/;
const FIRST_KEY = /^\{\s*["'](\w+)["']\s*:/;

/** Whether a closing tag or token at `at` is directly followed by the opening one of the same kind. */
function isNextCall(text: string, at: number): boolean {
  const second = text.charCodeAt(at + 1);
  if (second !== 47 && second !== 124 && second !== 0xff5c) return false;
  const piece = text.slice(at, at + LONGEST_CLOSER);
  return NEXT_ELEMENT.test(piece) || NEXT_TOKEN.test(piece);
}

/** 1 for a tag that opens a call, -1 for one that closes it, 0 for anything else. */
function countCallTag(text: string, at: number): number {
  const [, slash] = CALL_TAG.exec(text.slice(at, at + 32)) ?? [];
  return slash === undefined ? 0 : slash === '' ? 1 : -1;
}

const CALL_TAG = /^<(\/?)(?:tool_calls?|function_calls?|tool_use)>/i;
const MAX_LOOKS = 1024;
/** Brackets that are nested deeper than this are not told apart. */
const MAX_DUE = 1024;
const LONGEST_CLOSER = 128;
const NEXT_ELEMENT = /^<\/([\w:-]{2,40})>\s{0,16}<\1[\s=>]/;
const NEXT_TOKEN = /^<[|｜]([\w▁]{2,40}[_▁])end[|｜]>\s{0,16}<[|｜]\1begin[|｜]>/;

/** An escape or a control character. */
const SPECIAL = /\\(?:u[\da-fA-F]{4}|[^])|[^ -\uffff]/g;

/**
 * The text of a string. Invalid escapes are kept as they are, including the backslash: `\d` and `C:\work` are meant.
 * @param from Offset of the string, for the repairs; of the control characters, the first is recorded.
 */
function decode(body: string, from: number, log: RepairLog): string {
  let [hasControl, hasBadEscape] = [false, false];
  const decoded = body.replaceAll(SPECIAL, (written, offset: number) => {
    const sign = written.charAt(1);
    if (written.length === 6) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
    if (Object.hasOwn(ESCAPES, sign)) return ESCAPES[sign] ?? written;
    if (sign !== '') {
      log.add('bad-escape', from + offset);
      hasBadEscape = true;
    } else if (!hasControl) {
      log.add('control-char', from + offset);
      hasControl = true;
    }
    return sign === "'" ? sign : written;
  });
  // In a path, one backslash that begins no valid escape shows that none of them does.
  return hasBadEscape && isWindowsPath(body) ? body : decoded;
}
