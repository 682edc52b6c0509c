// Reads objects whose keys are words and whose texts stand between tokens, as in `{city:<|"|>Ghent<|"|>,days:3}`, or, in
// damaged calls, in quotes or in nothing at all. The tokens are data; independent of calls.
import { BracketReader } from '../json/bracket-reader';
import type { BracketReading, Frame } from '../json/bracket-reader';
import { findKeyEnd, holdsMore, readBareValue } from './bare-values';
import type { BareStyle } from './bare-values';
import type { RepairLog } from '../core/repair-log';
import type { TextSource } from '../core/rescue-context';
import { isQuote } from '../json/quotes';
import { readString } from '../json/strings';
import { skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';

/** Reads the object at `at`. The caller handles what follows it. */
export const readBareObject = (
  source: TextSource,
  at: number,
  style: BareStyle,
  log: RepairLog,
): BracketReading => new BareObjectReader(source, at, style, log).read();

const LONGEST_DELIMITER = 16;

class BareObjectReader extends BracketReader {
  readonly #style: BareStyle;
  /** Whether a value without quotes ended at the end of the call. */
  #isEnded = false;

  constructor(source: TextSource, at: number, style: BareStyle, log: RepairLog) {
    super(source, at, log);
    this.#style = style;
  }

  protected override skipBlank(at: number): number {
    return skipWhite(this.text, at);
  }

  protected override readValue(): void {
    const character = this.text.charAt(this.at);
    if (character === '{' || character === '[') return this.open(character === '{' ? 'object' : 'list');
    const string = this.#readText();
    if (string !== undefined) return this.place(string, this.at);
    if (!this.failure) this.#readBare();
  }

  protected override readKey(frame: Frame): void {
    const key = this.#readText() ?? this.#readWords();
    if (this.failure) return;
    // Nothing tells which value of a repeated key is meant.
    if (key === '' || Object.hasOwn(frame.record, key)) return this.fail('malformed');
    const sign = this.skipBlank(this.at);
    const character = this.text.charAt(sign);
    if (character === '') return this.fail('truncated');
    if (character !== ':' && character !== '=') return this.fail('malformed', sign);
    if (character === '=') this.#logForeign(sign, 'an equals sign where `:` is expected');
    this.takeKey(frame, key, sign + 1);
  }

  #readWords(): string {
    const start = this.at;
    this.at = findKeyEnd(this.text, start);
    return this.text.slice(start, this.at);
  }

  protected override readSeparator(frame: Frame): void {
    if (this.#isEnded) {
      this.log.add('missing-closer', this.at);
      return this.close(this.at);
    }
    if (!this.#isKeyNext(frame)) return this.fail('malformed');
    this.log.add('missing-comma', this.at);
    this.expects = 'element';
  }

  /** Whether a key with its colon directly follows a text in tokens, so that only the comma is missing. */
  #isKeyNext({ kind, record }: Frame): boolean {
    const { keys, delimiters } = this.#style;
    const last = skipWhiteBefore(this.text, this.at);
    const before = this.text.slice(Math.max(0, last - LONGEST_DELIMITER), last);
    if (kind !== 'object' || !delimiters.some((item) => before.endsWith(item))) return false;
    const end = findKeyEnd(this.text, this.at);
    const key = this.text.slice(this.at, end);
    const isOwn = this.frames.length > 1 || keys === undefined || keys.has(key);
    return (
      key !== '' && isOwn && !Object.hasOwn(record, key) && this.text.charAt(this.skipBlank(end)) === ':'
    );
  }

  protected override endWithComma(): void {
    this.log.add('trailing-comma', this.at);
  }

  /** Reads a text in tokens or quotes. Undefined when none begins here, or when reading failed. */
  #readText(): string | undefined {
    const delimiter = this.#style.delimiters.find((item) => this.text.startsWith(item, this.at));
    if (delimiter !== undefined) return this.#readDelimited(delimiter);
    if (!isQuote(this.text.charAt(this.at))) return undefined;
    return this.#readHalfDelimited() ?? this.#readQuoted();
  }

  #readDelimited(delimiter: string): string | undefined {
    const from = this.at + delimiter.length;
    const { top } = this;
    const isMember = this.frames.length === 1 && top?.kind === 'object' && this.expects === 'value';
    const { keys, ends } = this.#style;
    const isNew = (key: string): boolean =>
      isMember && keys?.has(key) === true && !Object.hasOwn(top.record, key);
    const found = findDelimitedEnd(this.source, from, { delimiter, isMember, isNew, ends });
    if (!found) return this.fail('truncated');
    const value = this.text.slice(from, found.end);
    if (!found.isClosed && holdsMore(value, this.#style)) return this.fail('malformed', from);
    if (!found.isClosed) this.log.add('missing-closer', found.end, 'the string has no delimiter at its end');
    this.at = found.isClosed ? found.end + delimiter.length : found.end;
    return value;
  }

  /** Reads `'*.c'<|"|>`, with a quote instead of the first token. */
  #readHalfDelimited(): string | undefined {
    const start = this.at;
    const end = this.text.indexOf(this.text.charAt(start), start + 1);
    const delimiter =
      end === -1 ? undefined : this.#style.delimiters.find((item) => this.text.startsWith(item, end + 1));
    if (delimiter === undefined) return undefined;
    this.source.meter.spend(start, end);
    this.#logForeign(start, 'a quote where a delimiter is expected');
    this.at = end + 1 + delimiter.length;
    return this.text.slice(start + 1, end);
  }

  #readQuoted(): string | undefined {
    const start = this.at;
    const isList = this.top?.kind === 'list';
    const role = this.expects === 'element' && !isList ? 'key' : 'value';
    const reading = readString(this.source, start, role, this.log, { isList, depth: this.frames.length });
    if (!reading) return this.fail('truncated');
    if (reading.isUnclear) return this.fail('malformed');
    this.#logForeign(start, 'a quoted string');
    this.at = reading.end;
    return reading.value;
  }

  #readBare(): void {
    const { top } = this;
    const isOutermost = this.frames.length === 1;
    const place = { isList: top?.kind === 'list', isOutermost, key: top?.key ?? '' };
    const reading = readBareValue(this.source, this.at, this.#style, place, this.log);
    if (reading.failure) return this.fail(reading.failure, reading.end);
    this.place(reading.value, reading.end);
    this.#isEnded = isOutermost && this.#style.ends.some((stop) => this.text.startsWith(stop, reading.end));
  }

  #logForeign(at: number, note: string): void {
    if (!this.log.repairs.some(({ kind }) => kind === 'foreign-body')) this.log.add('foreign-body', at, note);
  }
}

interface DelimitedPlace {
  delimiter: string;
  /** Whether the string is the value of a member of the call. */
  isMember: boolean;
  /** Whether the key is a parameter that the tool declares and the call does not have yet. */
  isNew: (key: string) => boolean;
  /** Texts that end a call. */
  ends: readonly string[];
}

interface DelimitedEnd {
  end: number;
  isClosed: boolean;
}

/**
 * Where a string between delimiters ends, even if the second one is missing and the call continues or ends after it.
 * Undefined when the text ends inside the string.
 * @param from Offset after the first delimiter.
 */
function findDelimitedEnd(source: TextSource, from: number, place: DelimitedPlace): DelimitedEnd | undefined {
  const { text } = source;
  const closer = source.find(place.delimiter, from);
  if (closer !== -1 && (!place.isMember || isClosing(text, closer + place.delimiter.length)))
    return { end: closer, isClosed: true };
  if (!place.isMember) return undefined;
  const stop = source.findFirst(place.ends, from)?.start ?? -1;
  const isBefore = closer !== -1 && (stop === -1 || closer < stop);
  const comma = isBefore ? findMember(text, from, closer, place) : -1;
  if (comma !== -1) return { end: comma, isClosed: false };
  if (isBefore) return { end: closer, isClosed: true };
  const brace = stop === -1 ? -1 : text.lastIndexOf('}', stop);
  return brace < from ? undefined : { end: brace, isClosed: false };
}

/** Whether the call continues or ends after the delimiter, or the text ends. */
const isClosing = (text: string, after: number): boolean => {
  const next = text.charAt(skipWhite(text, after));
  return next === '' || ',}])'.includes(next);
};

/** The comma before the member whose value the delimiter at `to` opens; -1 when there is none. */
function findMember(text: string, from: number, to: number, { isNew }: DelimitedPlace): number {
  const piece = text.slice(Math.max(from, to - LONGEST_MEMBER), to);
  const [whole = '', key = ''] = MEMBER.exec(piece) ?? [];
  return key !== '' && isNew(key) ? to - whole.length : -1;
}

const LONGEST_MEMBER = 160;
const MEMBER = /,\s{0,8}([\w.$-]{1,128})\s{0,8}:\s{0,8}$/;
