// Reads damaged JSON without recursion. Repairs how a value is written, but never adds to what it says: open strings are not
// closed, and missing brackets are supplied only outside the arguments of a call.
import type { TextSource } from '../core/rescue-context';
import { skipBlank } from './comments';
import { JsonBuilder } from './json-builder';
import type { JsonFailure, JsonReading, JsonRole } from '../core/json-reading';
import { RepairLog } from '../core/repair-log';
import { DEEPEST } from './strict-end';
import { isKeyAhead, isQuote, LONGEST_KEY } from './quotes';
import { readString } from './strings';
import { findLiteral, findNumberEnd, findWordEnd, startsNumber, toNumber } from '../text/words';

const NUMBERS = ['no', 'one', 'two', 'three', 'four'];

export class TolerantReader {
  readonly #source: TextSource;
  readonly #text: string;
  readonly #log = new RepairLog();
  readonly #builder: JsonBuilder;
  #at: number;
  #expects: 'value' | 'element' | 'key' | 'separator' | 'nothing' = 'value';
  /** Offset of the last comma while nothing has followed it; otherwise -1. */
  #commaAt = -1;
  #readTo = 0;
  #isPartial = false;
  #failure: JsonFailure | undefined;

  constructor(source: TextSource, at: number, role: JsonRole) {
    this.#builder = new JsonBuilder(role);
    this.#source = source;
    this.#text = source.text;
    this.#at = at;
  }

  read(): JsonReading {
    const start = this.#at;
    while (this.#expects !== 'nothing' && !this.#failure) this.#step();
    // The work for a failed string was counted when the string was read.
    this.#source.meter.spend(start, this.#readTo);
    return {
      value: this.#builder.root,
      end: this.#at,
      repairs: this.#log.repairs,
      isPartial: this.#isPartial,
      failure: this.#failure,
      spans: this.#builder.spans,
      repeated: this.#builder.repeated,
    };
  }

  #step(): void {
    const next = skipBlank(this.#source, this.#at, this.#log);
    if (next === -1) return this.#fail('truncated', this.#text.length, 'a comment');
    this.#at = next;
    if (this.#expects === 'separator') return this.#readSeparator();
    if (next >= this.#text.length)
      return this.#expects === 'key' ? this.#cutKey() : this.#truncate('the value');
    if (this.#expects === 'key') return this.#readKey();
    if (this.#expects === 'element' && this.#text.charAt(next) === ']') return this.#closeAfterComma();
    return this.#readValue();
  }

  #readValue(): void {
    const character = this.#text.charAt(this.#at);
    if (character === '{' || character === '[') return this.#open(character === '[');
    if (isQuote(character)) return this.#readText();
    if (startsNumber(character.charCodeAt(0))) return this.#readNumber();
    const end = findWordEnd(this.#text, this.#at);
    if (end === this.#text.length) return this.#truncate('the value');
    const literal = findLiteral(this.#text.slice(this.#at, end));
    if (!literal) return this.#malform('a value');
    if (!literal.isJson) this.#log.add('python-literal', this.#at);
    return this.#place(literal.value, end);
  }

  #readText(): void {
    const role = this.#builder.depth > 0 ? 'value' : 'root';
    const { top, depth } = this.#builder;
    const place = { isList: top?.isList === true, depth };
    const reading = readString(this.#source, this.#at, role, this.#log, place);
    if (!reading) return this.#truncate('the string');
    if (reading.isUnclear) return this.#failUnclear();
    this.#place(reading.value, reading.end);
  }

  #readNumber(): void {
    const end = findNumberEnd(this.#text, this.#at);
    // The next character might have been another digit.
    if (end === this.#text.length) return this.#truncate('the number');
    const value = toNumber(this.#text.slice(this.#at, end));
    if (value === undefined) return this.#malform('a number as JSON writes it');
    this.#place(value, end);
  }

  #readKey(): void {
    const frame = this.#builder.top;
    const character = this.#text.charAt(this.#at);
    if (character === '}') return this.#closeAfterComma();
    if (this.#commaAt !== -1 && (character === '{' || this.#source.isStopAt(this.#at))) {
      return this.#closeBeforeComma(character === '{');
    }
    const key = isQuote(character) ? this.#readQuotedKey() : this.#readBareKey();
    if (key === undefined || !frame) return;
    const colon = skipBlank(this.#source, this.#at, this.#log);
    if (colon === -1 || colon >= this.#text.length) return this.#cutKey();
    if (this.#text.charAt(colon) !== ':') return this.#malform('`:`', colon);
    frame.key = key;
    this.#at = colon + 1;
    this.#expects = 'value';
    this.#commaAt = -1;
  }

  #readQuotedKey(): string | undefined {
    const reading = readString(this.#source, this.#at, 'key', this.#log);
    if (reading) this.#at = reading.end;
    else {
      const rest = this.#text.slice(this.#at, this.#at + LONGEST_KEY + 1);
      if (rest.length > LONGEST_KEY || rest.includes('\n')) this.#malform('a key');
      else this.#cutKey();
    }
    return reading?.value;
  }

  #readBareKey(): string | undefined {
    const end = findWordEnd(this.#text, this.#at);
    if (end === this.#at) {
      this.#malform('a key');
      return undefined;
    }
    this.#log.add('unquoted-key', this.#at);
    const key = this.#text.slice(this.#at, end);
    this.#at = end;
    return key;
  }

  #readSeparator(): void {
    const isList = this.#builder.top?.isList === true;
    const character = this.#text.charAt(this.#at);
    if (character === ',') {
      this.#commaAt = this.#at;
      this.#at += 1;
      this.#expects = isList ? 'element' : 'key';
    } else if (character === (isList ? ']' : '}')) this.#close(this.#at + 1);
    else if (character === '' || this.#source.isStopAt(this.#at)) this.#closeAll();
    else if (character === '}' || character === ']') this.#closeUnclosed();
    else if (this.#isMemberNext(character, isList)) {
      this.#log.add('missing-comma', this.#at);
      this.#expects = isList ? 'element' : 'key';
    } else this.#malform(this.#separators());
  }

  #separators(): string {
    return this.#builder.top?.isList === true ? '`,` or `]`' : '`,` or `}`';
  }

  /** Names the open brackets, as part of a sentence. */
  #missing(): string {
    const { depth } = this.#builder;
    return depth === 1 ? 'a closing bracket' : `${NUMBERS[depth] ?? depth} closing brackets`;
  }

  #isMemberNext(character: string, isList: boolean): boolean {
    if (isList) return character === '{' || isQuote(character);
    return isQuote(character) && isKeyAhead(this.#text, this.#at);
  }

  #open(isList: boolean): void {
    if (this.#builder.depth >= DEEPEST)
      return this.#fail('too-deep', this.#at, this.#builder.describe('the value'));
    this.#builder.open(isList, this.#at);
    this.#at += 1;
    this.#commaAt = -1;
    this.#expects = isList ? 'element' : 'key';
  }

  #place(value: unknown, end: number): void {
    this.#builder.attach(value);
    this.#goOn(end);
  }

  #close(end: number): void {
    this.#builder.close(end);
    this.#goOn(end);
  }

  #goOn(at: number): void {
    this.#at = at;
    this.#readTo = at;
    this.#commaAt = -1;
    this.#expects = this.#builder.depth > 0 ? 'separator' : 'nothing';
  }

  #closeAfterComma(): void {
    if (this.#commaAt !== -1) this.#log.add('trailing-comma', this.#commaAt);
    this.#close(this.#at + 1);
  }

  /**
   * After a comma, as in `{"name": …, "arguments": {…}, {` or before a closing tag: something else begins, so this call has
   * ended.
   */
  #closeBeforeComma(isCallNext: boolean): void {
    if (this.#builder.isInArguments) return this.#malform('a key');
    if (!isCallNext) {
      this.#log.add('trailing-comma', this.#commaAt);
      return this.#closeAll();
    }
    if (this.#builder.parent?.isList === false) return this.#malform('a key');
    this.#closeMissing(this.#commaAt);
  }

  /** At a closing bracket of the other kind: the innermost container was not closed. */
  #closeUnclosed(): void {
    if (this.#builder.isInArguments) this.#malform(this.#separators());
    else this.#closeMissing(this.#at);
  }

  /** At the end of the text, or of the part of it that can be JSON. */
  #closeAll(): void {
    if (this.#builder.isInArguments) {
      return this.#at >= this.#text.length ? this.#truncate('the value') : this.#malform(this.#missing());
    }
    while (this.#builder.depth > 0) this.#closeMissing(this.#at);
  }

  #closeMissing(at: number): void {
    this.#isPartial = true;
    this.#log.add('missing-closer', at);
    this.#close(at);
  }

  #truncate(what: string): void {
    const from = this.#at;
    this.#fail('truncated', this.#text.length, this.#builder.describe(what));
    if (this.#failure) this.#failure.from = from;
  }

  #failUnclear(): void {
    const inside = `${this.#builder.describe('the string')}, whose quotes can be read in two ways`;
    this.#fail('malformed', this.#at, inside);
  }

  #cutKey(): void {
    this.#fail('truncated', this.#text.length, 'a key');
  }

  #malform(expected: string, at = this.#at): void {
    this.#fail('malformed', at, this.#builder.describe('the value'), expected);
  }

  #fail(reason: JsonFailure['reason'], at: number, inside: string, expected?: string): void {
    this.#failure = { reason, at, inside, expected };
    this.#readTo = this.#at;
    this.#at = at;
  }
}
