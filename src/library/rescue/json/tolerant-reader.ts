// Reads damaged JSON. Repairs how a value is written, but never adds to what it says: open strings are not closed, and
// missing brackets are supplied only outside the arguments of a call.
import { isSame } from '../../util/json';
import { isArgumentKey, isNameKey } from '../core/call-keys';
import type { JsonReading, JsonRole, ReadFailure } from '../core/json-reading';
import { RepairLog } from '../core/repair-log';
import type { TextSource } from '../core/rescue-context';
import type { Span } from '../text/cut-text';
import { findLiteral, findNumberEnd, findWordEnd, startsNumber, toNumber } from '../text/words';
import { BracketReader } from './bracket-reader';
import type { Frame } from './bracket-reader';
import { skipBlank } from './comments';
import { isKeyAhead, isQuote, LONGEST_KEY } from './quotes';
import { isNextObject, readString } from './strings';
import { isMemberAfter } from './value-quote';

const NUMBERS = ['no', 'one', 'two', 'three', 'four'];

/** Reads the value at `at`, with the offsets of each object in it. */
export const readTolerant = (source: TextSource, at: number, role: JsonRole = 'call'): JsonReading =>
  new TolerantReader(source, at, role).readJson();

class TolerantReader extends BracketReader {
  readonly #role: JsonRole;
  readonly #spans = new Map<object, Span>();
  readonly #repeated: string[] = [];
  readonly #doubled = new Set<object>();
  #isPartial = false;

  constructor(source: TextSource, at: number, role: JsonRole) {
    super(source, at, new RepairLog());
    this.#role = role;
  }

  readJson(): JsonReading {
    const { failure, end } = this.read();
    // What was read before a failure tells whose call it was.
    while (this.top) this.close(this.at);
    return {
      value: this.root,
      end: failure?.at ?? end,
      repairs: this.log.repairs,
      isPartial: this.#isPartial,
      failure,
      spans: this.#spans,
      repeated: this.#repeated,
      doubled: this.#doubled,
    };
  }

  protected override skipBlank(at: number): number {
    const next = skipBlank(this.source, at, this.log);
    if (next !== -1) return next;
    this.#failAt(this.text.length, { reason: 'truncated', inside: 'a comment' });
    return at;
  }

  protected override readEnd(): void {
    if (this.expects === 'separator') this.#closeAll();
    else if (this.expects === 'element' && this.top?.kind === 'object') this.#cutKey();
    else this.#truncate('the value');
  }

  protected override readValue(): void {
    const character = this.text.charAt(this.at);
    if (character === '{' || character === '[') return this.open(character === '[' ? 'list' : 'object');
    if (isQuote(character)) return this.#readText();
    if (startsNumber(character.charCodeAt(0))) return this.#readNumber();
    const end = findWordEnd(this.text, this.at);
    if (end === this.text.length) return this.#truncate('the value');
    const word = this.text.slice(this.at, end);
    const literal = findLiteral(word);
    if (!literal && this.source.isTool(word) && isNameKey(this.top?.key)) {
      this.log.add('unquoted-string', this.at);
      return this.place(word, end);
    }
    if (!literal) return this.#malform('a value');
    if (!literal.isJson) this.log.add('python-literal', this.at);
    return this.place(literal.value, end);
  }

  #readText(): void {
    const depth = this.frames.length;
    const isName = isNameKey(this.top?.key) && this.#argumentsAt() === -1;
    const place = { isList: this.top?.kind === 'list', depth, isName };
    const reading = readString(this.source, this.at, depth > 0 ? 'value' : 'root', this.log, place);
    if (!reading) return this.#truncate('the string');
    if (!reading.isUnclear) return this.place(reading.value, reading.end);
    const inside = `${this.describe('the string')}, whose quotes can be read in two ways`;
    return this.#failAt(this.at, { reason: 'malformed', inside });
  }

  #readNumber(): void {
    const end = findNumberEnd(this.text, this.at);
    // The next character might have been another digit.
    if (end === this.text.length) return this.#truncate('the number');
    const value = toNumber(this.text.slice(this.at, end));
    return value === undefined ? this.#malform('a number as JSON writes it') : this.place(value, end);
  }

  protected override readKey(frame: Frame): void {
    const character = this.text.charAt(this.at);
    if (this.commaAt !== -1 && (character === '{' || this.source.isStopAt(this.at)))
      return this.#closeBeforeComma(character === '{');
    if (character === ',' && isMemberAfter(this.text, this.at)) return this.#skipSeparator();
    const key = isQuote(character) ? this.#readQuotedKey() : this.#readBareKey();
    if (key === undefined) return;
    const colon = this.skipBlank(this.at);
    if (this.failure || colon >= this.text.length) return this.#cutKey();
    if (this.text.charAt(colon) !== ':') return this.#malform('`:`', colon);
    this.takeKey(frame, key, colon + 1);
  }

  #readQuotedKey(): string | undefined {
    const reading = readString(this.source, this.at, 'key', this.log);
    if (reading) {
      this.at = reading.end;
      return reading.value;
    }
    const rest = this.text.slice(this.at, this.at + LONGEST_KEY + 1);
    return rest.length > LONGEST_KEY || rest.includes('\n') ? this.#malform('a key') : this.#cutKey();
  }

  #readBareKey(): string | undefined {
    const end = findWordEnd(this.text, this.at);
    if (end === this.at) return this.#malform('a key');
    this.log.add('unquoted-key', this.at);
    const key = this.text.slice(this.at, end);
    this.at = end;
    return key;
  }

  protected override readSeparator({ kind }: Frame): void {
    const character = this.text.charAt(this.at);
    if (this.source.isStopAt(this.at)) this.#closeAll();
    else if (character === '}' || character === ']') this.#closeUnclosed();
    else if (character === ';' && kind === 'object' && isMemberAfter(this.text, this.at))
      this.#skipSeparator();
    else if (character === '{' && kind === 'object' && isNextObject(this.source, this.at))
      this.#closeBefore(this.at, this.#separators());
    else if (this.#isMemberNext(character, kind === 'list')) {
      this.log.add('missing-comma', this.at);
      this.expects = 'element';
    } else this.#malform(this.#separators());
  }

  #separators(): string {
    return this.top?.kind === 'list' ? '`,` or `]`' : '`,` or `}`';
  }

  #isMemberNext(character: string, isList: boolean): boolean {
    if (isList) return character === '{' || isQuote(character);
    return isQuote(character) && isKeyAhead(this.text, this.at);
  }

  /** Skips a comma too many, or a semicolon in place of the comma. */
  #skipSeparator(): void {
    this.log.add('wrong-separator', this.at);
    this.at += 1;
    this.expects = 'element';
  }

  protected override endWithComma(): void {
    this.log.add('trailing-comma', this.commaAt);
  }

  protected override place(value: unknown, end: number): void {
    const { top } = this;
    if (top?.key !== undefined && Object.hasOwn(top.record, top.key)) this.#noteAgain(top, top.key, value);
    super.place(value, end);
  }

  #noteAgain({ record }: Frame, key: string, value: unknown): void {
    const argumentsAt = this.#argumentsAt();
    if (argumentsAt === this.frames.length - 1) this.#repeated.push(key);
    const isPart = argumentsAt === -1 && (isNameKey(key) || isArgumentKey(key));
    if (isPart && !isSame(record[key], value)) this.#doubled.add(record);
  }

  protected override close(end: number): void {
    const { top } = this;
    super.close(end);
    if (top) this.#spans.set(top.kind === 'list' ? top.items : top.record, { start: top.start, end });
  }

  /** The number of brackets around those of the arguments; -1 when the arguments are not open. */
  #argumentsAt(): number {
    if (this.#role === 'arguments') return this.frames.length > 0 ? 0 : -1;
    const holder = this.frames.findIndex(
      ({ key = '' }) => isArgumentKey(key) || (this.#role === 'keyed' && key !== ''),
    );
    return holder === -1 || holder === this.frames.length - 1 ? -1 : holder + 1;
  }

  /**
   * After a comma, as in `{"name": …, "arguments": {…}, {` or before a closing tag: something else begins, so this call has
   * ended.
   */
  #closeBeforeComma(isCallNext: boolean): void {
    if (isCallNext) return this.#closeBefore(this.commaAt, 'a key');
    if (this.#argumentsAt() !== -1) return this.#malform('a key');
    this.endWithComma();
    this.#closeAll();
  }

  /** Before the object of the next call. */
  #closeBefore(at: number, expected: string): void {
    const isInner = this.#argumentsAt() !== -1 || this.frames.at(-2)?.kind === 'object';
    return isInner ? this.#malform(expected) : this.#closeMissing(at);
  }

  /** At a closing bracket of the other kind: the innermost container was not closed. */
  #closeUnclosed(): void {
    if (this.#argumentsAt() === -1) this.#closeMissing(this.at);
    else this.#malform(this.#separators());
  }

  /** At the end of the text, or of the part of it that can be JSON. */
  #closeAll(): void {
    if (this.#argumentsAt() !== -1) {
      const { length } = this.frames;
      const missing = length === 1 ? 'a closing bracket' : `${NUMBERS[length] ?? length} closing brackets`;
      return this.at >= this.text.length ? this.#truncate('the value') : this.#malform(missing);
    }
    while (this.top) this.#closeMissing(this.at);
  }

  #closeMissing(at: number): void {
    this.#isPartial = true;
    this.log.add('missing-closer', at);
    this.close(at);
  }

  #truncate(what: string): void {
    this.#failAt(this.text.length, { reason: 'truncated', from: this.at, inside: this.describe(what) });
  }

  #cutKey(): undefined {
    this.#failAt(this.text.length, { reason: 'truncated', inside: 'a key' });
  }

  #malform(expected: string, at = this.at): undefined {
    this.#failAt(at, { reason: 'malformed', inside: this.describe(), expected });
  }

  #failAt(at: number, failure: Omit<ReadFailure, 'at'>): void {
    this.failure = { ...failure, at };
  }
}
