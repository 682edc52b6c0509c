// Reads the arguments in the brackets of a call: keyword arguments, and values without a name. Independent of tools.
import type { JsonRecord } from '../../util/json';
import { isQuote } from '../json/quotes';
import type { RepairLog } from '../core/repair-log';
import { findWordEnd } from '../text/words';
import type { TextSource } from '../core/rescue-context';
import { setOwn } from '../core/call-keys';
import { judgeRest, skipPythonBlank } from './literal-reading';
import type { LiteralFailure } from './literal-reading';
import { readLiteral } from './literal-reader';
import type { LiteralStyle } from './literal-reader';

export interface ArgumentsReading {
  keywords: JsonRecord;
  positional: unknown[];
  /** Offset after the closing bracket. */
  end: number;
  failure?: LiteralFailure | undefined;
}

/** @param from Offset after the opening bracket. */
export function readArguments(
  source: TextSource,
  from: number,
  style: LiteralStyle,
  log: RepairLog,
): ArgumentsReading {
  return new ArgumentsReader(source, from, style, log).read();
}

class ArgumentsReader {
  readonly #source: TextSource;
  readonly #text: string;
  readonly #style: LiteralStyle;
  readonly #log: RepairLog;
  readonly #reading: ArgumentsReading;
  #at: number;
  #isClosed = false;

  constructor(source: TextSource, from: number, style: LiteralStyle, log: RepairLog) {
    this.#source = source;
    this.#text = source.text;
    this.#style = style;
    this.#log = log;
    this.#at = from;
    this.#reading = { keywords: {}, positional: [], end: from };
  }

  read(): ArgumentsReading {
    const start = this.#at;
    while (!this.#isClosed && !this.#reading.failure) this.#readArgument();
    this.#source.meter.spend(start, start + 1);
    this.#reading.end = this.#at;
    return this.#reading;
  }

  #readArgument(): void {
    this.#at = skipPythonBlank(this.#source, this.#at);
    if (this.#closes()) return;
    if (this.#at >= this.#text.length) return this.#fail('truncated', this.#at, 'the arguments');
    const key = this.#readKeyword();
    const at = skipPythonBlank(this.#source, this.#at);
    // An object instead of keywords is written as in TypeScript, where keys may be bare words.
    const isObject = key === undefined && this.#text.charAt(at) === '{';
    const style = isObject ? { ...this.#style, hasBareKeys: true } : this.#style;
    const { value, end, failure } = readLiteral(this.#source, at, style, this.#log);
    const inside = key === undefined ? 'the arguments' : `the argument \`${key.slice(0, 80)}\``;
    if (failure) return this.#fail(failure.reason, failure.at, inside);
    this.#at = skipPythonBlank(this.#source, end);
    if (key !== undefined) return this.#add(key, value, inside);
    if (typeof value === 'string' && isQuote(this.#text.charAt(at)) && this.#readsAs(':=')) {
      return this.#readQuotedKeyword(value);
    }
    this.#reading.positional.push(value);
    this.#readSeparator('the arguments');
  }

  /** Reads the name before `=`, or before `:` as in other languages. */
  #readKeyword(): string | undefined {
    const end = findWordEnd(this.#text, this.#at);
    if (end === this.#at) return undefined;
    const key = this.#text.slice(this.#at, end);
    const sign = skipPythonBlank(this.#source, end);
    if (!this.#signAt(sign, ':=')) return undefined;
    if (this.#text.charAt(sign) === ':')
      this.#log.add('foreign-body', sign, 'a colon stands where `=` is due');
    this.#at = sign + 1;
    return key;
  }

  /** Reads `"city": "Ghent"`, a member of an object whose brackets are missing. */
  #readQuotedKeyword(key: string): void {
    this.#log.add('foreign-body', this.#at, 'an argument is named as in JSON');
    const at = skipPythonBlank(this.#source, this.#at + 1);
    const { value, end, failure } = readLiteral(this.#source, at, this.#style, this.#log);
    const inside = `the argument \`${key.slice(0, 80)}\``;
    if (failure) return this.#fail(failure.reason, failure.at, inside);
    this.#at = skipPythonBlank(this.#source, end);
    this.#add(key, value, inside);
  }

  #add(key: string, value: unknown, inside: string): void {
    // Python refuses a repeated name, and nothing tells which of the values is meant.
    if (Object.hasOwn(this.#reading.keywords, key)) return this.#fail('malformed', this.#at, inside);
    setOwn(this.#reading.keywords, key, value);
    this.#readSeparator(inside);
  }

  #readSeparator(inside: string): void {
    if (this.#text.charAt(this.#at) === ',') this.#at += 1;
    else if (!this.#closes()) this.#fail(judgeRest(this.#text, this.#at), this.#at, inside);
  }

  #closes(): boolean {
    if (this.#text.charAt(this.#at) !== ')') return false;
    this.#at += 1;
    this.#isClosed = true;
    return true;
  }

  #readsAs(signs: string): boolean {
    return this.#signAt(this.#at, signs);
  }

  #signAt(at: number, signs: string): boolean {
    const sign = this.#text.charAt(at);
    return sign !== '' && signs.includes(sign) && this.#text.charAt(at + 1) !== '=';
  }

  #fail(reason: LiteralFailure['reason'], at: number, inside: string): void {
    this.#reading.failure = { reason, at, inside };
    this.#at = at;
  }
}
