// Reads a value as programs and pythonic dialects write it, without recursion and without evaluating anything: a name, a
// call or an operator is a failure. Styles are data; independent of calls and tools.
import { skipWhite } from '../text/white-space';
import { DEEPEST } from '../json/strict-end';
import type { RepairLog } from '../core/repair-log';
import { isQuote } from '../json/quotes';
import { readString } from '../json/strings';
import { findLiteral, findWordEnd } from '../text/words';
import type { TextSource } from '../core/rescue-context';
import { findKeyEnd, readBareValue } from './bare-values';
import { findDelimitedEnd } from './delimited-end';
import type { BareStyle } from './bare-values';
import { addToFrame, BRACKET_CLOSERS, createFrame, findBracketKind, toFrameValue } from './literal-frames';
import type { BracketKind, LiteralFrame } from './literal-frames';
import { judgeRest, skipPythonBlank } from './literal-reading';
import type { LiteralFailure, LiteralReading } from './literal-reading';
import { readPythonNumber } from './python-numbers';
import { findStringPrefix, readPythonString } from './python-strings';
import type { PythonPlace } from './python-quote';
import { skipWhiteBefore } from '../text/cut-text';

export interface LiteralStyle {
  /** How quoted strings end, and what their escapes mean. */
  strings: 'python' | 'json';
  /** Tokens around raw strings. */
  delimiters: readonly string[];
  /** Whether keys of objects may be bare words. */
  hasBareKeys: boolean;
  /** Set if strings may be written without quotes. */
  bare?: BareStyle | undefined;
}

/** Reads the value at `at`. The caller handles what follows it. */
export function readLiteral(
  source: TextSource,
  at: number,
  style: LiteralStyle,
  log: RepairLog,
): LiteralReading {
  return new LiteralReader(source, at, style, log).read();
}

const LONGEST_DELIMITER = 16;

class LiteralReader {
  readonly #source: TextSource;
  readonly #text: string;
  readonly #style: LiteralStyle;
  readonly #log: RepairLog;
  readonly #frames: LiteralFrame[] = [];
  #at: number;
  #expects: 'value' | 'element' | 'separator' | 'nothing' = 'value';
  #root: unknown;
  #failure: LiteralFailure | undefined;
  /** Whether a value without quotes ended at the end of the call. */
  #isEnded = false;

  constructor(source: TextSource, at: number, style: LiteralStyle, log: RepairLog) {
    this.#source = source;
    this.#text = source.text;
    this.#style = style;
    this.#log = log;
    this.#at = at;
  }

  read(): LiteralReading {
    const start = this.#at;
    while (this.#expects !== 'nothing' && !this.#failure) this.#step();
    this.#source.meter.spend(start, this.#at);
    return { value: this.#root, end: this.#at, failure: this.#failure };
  }

  #step(): void {
    this.#at = this.#skip(this.#at);
    if (this.#at >= this.#text.length) return this.#fail('truncated');
    if (this.#expects === 'separator') return this.#readSeparator();
    const top = this.#frames.at(-1);
    if (this.#expects === 'element' && top && this.#text.charAt(this.#at) === BRACKET_CLOSERS[top.kind])
      return this.#endElements(top);
    if (this.#expects === 'element' && top?.kind === 'dictionary') return this.#readKey(top);
    return this.#readValue();
  }

  #readValue(): void {
    const character = this.#text.charAt(this.#at);
    const kind = findBracketKind(character);
    if (kind && (kind !== 'tuple' || this.#isPython)) return this.#open(kind);
    const string = this.#readQuoted();
    if (string !== undefined) return this.#place(string);
    if (this.#failure) return;
    if (this.#style.bare) return this.#readBare(this.#style.bare);
    const number = readPythonNumber(this.#text, this.#at);
    if (number) return this.#placeNumber(number.value, number.end);
    return this.#readWord();
  }

  /**
   * Reads a string in delimiters or quotes; adjacent strings are one. Undefined when none begins here, or when reading
   * failed.
   */
  #readQuoted(): string | undefined {
    const delimiter = this.#style.delimiters.find((item) => this.#text.startsWith(item, this.#at));
    if (delimiter !== undefined) return this.#readDelimited(delimiter);
    if (!this.#isPython) return isQuote(this.#text.charAt(this.#at)) ? this.#readJsonString() : undefined;
    const pieces: string[] = [];
    let at = this.#at;
    for (let prefix = findStringPrefix(this.#text, at); prefix !== undefined;) {
      if (prefix !== '' && prefix.toLowerCase() !== 'r') return this.#failAt('non-literal-argument', at);
      const piece = readPythonString(this.#source, at, this.#log, this.#findPlace(at));
      if (!piece) return this.#failAt('truncated', this.#text.length);
      pieces.push(piece.value);
      this.#at = piece.end;
      at = skipPythonBlank(this.#source, piece.end);
      prefix = findStringPrefix(this.#text, at);
    }
    return pieces.length > 0 ? pieces.join('') : undefined;
  }

  #findPlace(at: number): PythonPlace {
    const top = this.#frames.at(-1);
    // The first element may be that of a set.
    if (top?.kind === 'dictionary' && this.#expects === 'element' && Object.keys(top.record).length === 0)
      return 'value';
    if (top) return top.kind === 'dictionary' ? 'dictionary' : 'list';
    return this.#text.charAt(skipWhiteBefore(this.#text, at) - 1) === '=' ? 'keyword' : 'value';
  }

  #readDelimited(delimiter: string): string | undefined {
    const from = this.#at + delimiter.length;
    const top = this.#frames.at(-1);
    const isMember = this.#frames.length === 1 && top?.kind === 'dictionary' && this.#expects === 'value';
    const keys = isMember ? this.#style.bare?.keys : undefined;
    const isNew = (key: string): boolean => keys?.has(key) === true && !Object.hasOwn(top?.record ?? {}, key);
    const found = findDelimitedEnd(this.#source, from, {
      delimiter,
      isMember,
      isNew,
      ends: this.#style.bare?.ends ?? [],
    });
    if (!found) return this.#failAt('truncated', this.#text.length);
    if (!found.isClosed) this.#log.add('missing-closer', found.end, 'the string has no delimiter at its end');
    this.#at = found.isClosed ? found.end + delimiter.length : found.end;
    return this.#text.slice(from, found.end);
  }

  #readJsonString(): string | undefined {
    const start = this.#at;
    const half = this.#readHalfDelimited();
    if (half !== undefined) return half;
    const place = { isList: this.#frames.at(-1)?.kind !== 'dictionary', depth: this.#frames.length };
    const isKey = this.#expects === 'element' && !place.isList;
    const role = isKey ? 'key' : place.depth > 0 ? 'value' : 'root';
    const reading = readString(this.#source, start, role, this.#log, place);
    if (!reading) return this.#failAt('truncated', this.#text.length);
    if (this.#style.delimiters.length > 0) this.#logForeign(start, 'a quoted string');
    this.#at = reading.end;
    return reading.value;
  }

  /** Reads `'*.c'<|"|>`, with a quote instead of the first delimiter. */
  #readHalfDelimited(): string | undefined {
    const start = this.#at;
    const end =
      this.#style.delimiters.length > 0 ? this.#text.indexOf(this.#text.charAt(start), start + 1) : -1;
    const delimiter = this.#style.delimiters.find(
      (item) => end !== -1 && this.#text.startsWith(item, end + 1),
    );
    if (delimiter === undefined) return undefined;
    this.#source.meter.spend(start, end);
    this.#logForeign(start, 'a quote stands where a delimiter is due');
    this.#at = end + 1 + delimiter.length;
    return this.#text.slice(start + 1, end);
  }

  #readBare(style: BareStyle): void {
    const top = this.#frames.at(-1);
    const place = { isList: top?.kind !== 'dictionary', key: top?.key ?? '', depth: this.#frames.length };
    const reading = readBareValue(this.#source, this.#at, style, place, this.#log);
    if (!reading.failure) this.#at = reading.end;
    this.#isEnded = !reading.failure && this.#frames.length === 1 && this.#isEndAt(style);
    return reading.failure ? this.#fail(reading.failure, reading.end) : this.#place(reading.value);
  }

  #isEndAt({ ends = [] }: BareStyle): boolean {
    return ends.some((stop) => this.#text.startsWith(stop, this.#at));
  }

  #readWord(): void {
    const end = findWordEnd(this.#text, this.#at);
    const literal = findLiteral(this.#text.slice(this.#at, end));
    // The word might have continued with the next letter.
    if (end === this.#text.length) return this.#fail('truncated');
    if (!literal) return this.#fail(this.#judgeStart(end > this.#at));
    this.#at = end;
    this.#place(literal.value);
  }

  #judgeStart(isWord: boolean): LiteralFailure['reason'] {
    if (isWord) return 'non-literal-argument';
    const reason = judgeRest(this.#text, this.#at);
    return reason === 'truncated' ? 'malformed' : reason;
  }

  #placeNumber(value: number | undefined, end: number): void {
    if (end === this.#text.length) return this.#fail('truncated');
    if (value === undefined) return this.#fail('malformed');
    this.#at = end;
    this.#place(value);
  }

  #readKey(frame: LiteralFrame): void {
    const start = this.#at;
    const key = this.#readQuoted() ?? (this.#failure ? undefined : this.#readPlainKey());
    if (key === undefined)
      return this.#failure ? undefined : this.#fail(this.#judgeStart(findWordEnd(this.#text, start) > start));
    const colon = this.#skip(this.#at);
    if (colon >= this.#text.length) return this.#fail('truncated');
    const sign = this.#text.charAt(colon);
    const isForeign = sign === '=' && this.#style.bare !== undefined;
    if (this.#isPython && ',}'.includes(sign) && Object.keys(frame.record).length === 0)
      return this.#beginSet(frame, start);
    if (sign !== ':' && !isForeign) return this.#fail('malformed', colon);
    if (isForeign) this.#logForeign(colon, 'an equals sign stands where `:` is due');
    frame.key = key;
    this.#at = colon + 1;
    this.#expects = 'value';
  }

  /** Reads a set, `{1, 2}`, as a list, because JSON has no sets. */
  #beginSet(frame: LiteralFrame, start: number): void {
    frame.kind = 'set';
    this.#log.add('python-literal', start, 'a set became a list');
    this.#at = start;
  }

  #readPlainKey(): string | undefined {
    const number = this.#isPython ? readPythonNumber(this.#text, this.#at) : undefined;
    const end = number?.end ?? (this.#style.hasBareKeys ? this.#findKeyEnd() : this.#at);
    if (end === this.#at || (number && number.value === undefined)) return undefined;
    const key = number ? String(number.value) : this.#text.slice(this.#at, end);
    this.#at = end;
    return key;
  }

  #findKeyEnd(): number {
    const { bare } = this.#style;
    return bare ? findKeyEnd(this.#text, this.#at) : findWordEnd(this.#text, this.#at);
  }

  #readSeparator(): void {
    const top = this.#frames.at(-1);
    const character = this.#text.charAt(this.#at);
    if (top && character === BRACKET_CLOSERS[top.kind]) this.#close();
    else if (this.#isEnded) this.#closeMissing();
    else if (top && character === ',') {
      top.hasComma = true;
      this.#at += 1;
      this.#expects = 'element';
    } else if (top && this.#isKeyNext(top)) {
      this.#log.add('missing-comma', this.#at);
      this.#expects = 'element';
    } else this.#fail(this.#isPython ? judgeRest(this.#text, this.#at) : 'malformed');
  }

  /** Whether a key with its colon directly follows a string in delimiters, so that only the comma is missing. */
  #isKeyNext({ kind, record }: LiteralFrame): boolean {
    const { bare, delimiters } = this.#style;
    const last = skipWhiteBefore(this.#text, this.#at);
    const before = this.#text.slice(Math.max(0, last - LONGEST_DELIMITER), last);
    if (!bare || kind !== 'dictionary' || !delimiters.some((item) => before.endsWith(item))) return false;
    const end = findKeyEnd(this.#text, this.#at);
    const key = this.#text.slice(this.#at, end);
    const isOwn = this.#frames.length > 1 || bare.keys === undefined || bare.keys.has(key);
    return key !== '' && isOwn && !Object.hasOwn(record, key) && this.#text.charAt(this.#skip(end)) === ':';
  }

  #open(kind: BracketKind): void {
    if (this.#frames.length >= DEEPEST) return this.#fail('too-deep');
    this.#frames.push(createFrame(kind));
    this.#at += 1;
    this.#expects = 'element';
  }

  #endElements(top: LiteralFrame): void {
    if (top.hasComma && !this.#isPython) this.#log.add('trailing-comma', this.#at);
    this.#close();
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (!frame) return;
    this.#at += 1;
    this.#place(toFrameValue(frame));
  }

  /** Closes a bracket that is missing before the end of the call. */
  #closeMissing(): void {
    const frame = this.#frames.pop();
    this.#log.add('missing-closer', this.#at);
    if (frame) this.#place(toFrameValue(frame));
  }

  #logForeign(at: number, note: string): void {
    if (!this.#log.repairs.some(({ kind }) => kind === 'foreign-body'))
      this.#log.add('foreign-body', at, note);
  }

  #place(value: unknown): void {
    const top = this.#frames.at(-1);
    if (top) addToFrame(top, value);
    else this.#root = value;
    this.#expects = top ? 'separator' : 'nothing';
  }

  get #isPython(): boolean {
    return this.#style.strings === 'python';
  }

  #skip(at: number): number {
    return this.#isPython ? skipPythonBlank(this.#source, at) : skipWhite(this.#text, at);
  }

  #failAt(reason: LiteralFailure['reason'], at: number): undefined {
    this.#fail(reason, at);
  }

  #fail(reason: LiteralFailure['reason'], at = this.#at): void {
    const end = reason === 'truncated' ? this.#text.length : at;
    const key = this.#frames.findLast((frame) => frame.key !== '')?.key;
    const inside = key === undefined ? 'the value' : `the value \`${key.slice(0, 80)}\``;
    this.#failure = { reason, at: end, inside };
  }
}
