// Reads literals and arguments as Python writes them, without evaluating anything: a name, a call or an operator is a
// failure. Independent of calls and tools.
import { BracketReader } from '../json/bracket-reader';
import type { ArgumentsValue, BracketKind, BracketReading, Frame } from '../json/bracket-reader';
import type { RepairLog } from '../core/repair-log';
import type { TextSource } from '../core/rescue-context';
import { isQuote } from '../json/quotes';
import { skipWhiteBefore } from '../text/cut-text';
import { findLiteral, findWordEnd } from '../text/words';
import { isKeywordAhead } from './python-quote';
import type { PythonPlace } from './python-quote';
import { findStringPrefix, readPythonString } from './python-strings';
import { judgeRest, skipPythonBlank } from './python-syntax';

/** Reads the value at `at`. The caller handles what follows it. */
export const readPythonValue = (source: TextSource, at: number, log: RepairLog): BracketReading =>
  new PythonReader(source, at, log, []).read();

/**
 * Reads the arguments of a call, which may have a name each.
 * @param at Offset of the opening bracket.
 * @param delimiters Tokens around texts, as other languages have them.
 */
export const readPythonArguments = (
  source: TextSource,
  at: number,
  log: RepairLog,
  delimiters: readonly string[] = [],
): BracketReading<ArgumentsValue> => new PythonReader(source, at, log, delimiters).readArguments();

const KINDS: ReadonlyMap<string, BracketKind> = new Map([
  ['[', 'list'],
  ['(', 'tuple'],
  ['{', 'object'],
]);

/** Of a raw string, and of one of Unicode, as all are. */
const LITERAL_PREFIXES: ReadonlySet<string> = new Set(['', 'r', 'u']);

class PythonReader extends BracketReader {
  readonly #delimiters: readonly string[];

  constructor(source: TextSource, at: number, log: RepairLog, delimiters: readonly string[]) {
    super(source, at, log);
    this.#delimiters = delimiters;
  }

  readArguments(): BracketReading<ArgumentsValue> {
    this.open('arguments');
    return this.read() as BracketReading<ArgumentsValue>;
  }

  protected override skipBlank(at: number): number {
    return skipPythonBlank(this.source, at);
  }

  protected override readValue(): void {
    const kind = KINDS.get(this.text.charAt(this.at));
    if (kind) return this.open(kind);
    const string = this.#readString();
    if (string !== undefined) return this.place(string, this.at);
    if (this.failure) return;
    const number = readPythonNumber(this.text, this.at);
    return number ? this.#placeNumber(number.value, number.end) : this.#readWord();
  }

  /** Reads `name=value`, `name: value` as in other languages, `"name": value` as in JSON, or a value without a name. */
  protected override readArgument(frame: Frame): void {
    if (this.text.charAt(this.at) === ',' && this.commaAt !== -1) {
      this.log.add('trailing-comma', this.at, 'two commas where one is expected');
      this.at += 1;
      return;
    }
    const wordEnd = findWordEnd(this.text, this.at);
    const sign = this.skipBlank(wordEnd);
    if (wordEnd > this.at && this.#isAssignment(sign)) {
      if (this.text.charAt(sign) === ':') this.log.add('foreign-body', sign, 'a colon where `=` is expected');
      return this.takeKey(frame, this.text.slice(this.at, wordEnd), sign + 1);
    }
    return isQuote(this.text.charAt(this.at)) ? this.#readQuotedArgument(frame) : this.readValue();
  }

  #readQuotedArgument(frame: Frame): void {
    const string = this.#readString();
    if (string === undefined) return;
    const sign = this.skipBlank(this.at);
    if (!this.#isAssignment(sign)) return this.place(string, this.at);
    this.log.add('foreign-body', sign, 'an argument is named as in JSON');
    return this.takeKey(frame, string, sign + 1);
  }

  #isAssignment(at: number): boolean {
    const sign = this.text.charAt(at);
    return (sign === '=' || sign === ':') && this.text.charAt(at + 1) !== '=';
  }

  protected override readKey(frame: Frame): void {
    const start = this.at;
    const key = this.#readString() ?? this.#readPlainKey();
    if (this.failure) return;
    if (key === undefined) return this.#failAtExpression();
    const sign = this.skipBlank(this.at);
    const character = this.text.charAt(sign);
    if (character === ':') return this.takeKey(frame, key, sign + 1);
    if (character === '') return this.fail('truncated');
    if (!',}'.includes(character) || frame.key !== undefined) return this.fail('malformed', sign);
    // JSON has no sets.
    this.log.add('python-literal', start, 'a set became a list');
    frame.kind = 'set';
    this.at = start;
  }

  /** Reads a number; or a word, in an object that stands in place of all arguments, as in TypeScript. */
  #readPlainKey(): string | undefined {
    const number = readPythonNumber(this.text, this.at);
    const [outer, object] = this.frames;
    const hasWords = outer?.kind === 'arguments' && outer.key === undefined && object?.kind === 'object';
    const end = number?.end ?? (hasWords ? findWordEnd(this.text, this.at) : this.at);
    if (end === this.at || (number && number.value === undefined)) return undefined;
    const key = number ? String(number.value) : this.text.slice(this.at, end);
    this.at = end;
    return key;
  }

  protected override place(value: unknown, end: number): void {
    const { top } = this;
    const isRepeated =
      top?.kind === 'arguments' && top.key !== undefined && Object.hasOwn(top.record, top.key);
    super.place(value, end);
    // Python refuses a repeated name, and nothing tells which of the values is meant.
    if (isRepeated) this.fail('malformed', this.skipBlank(end));
  }

  protected override readSeparator(frame: Frame): void {
    const before = skipWhiteBefore(this.text, this.at);
    if (frame.kind === 'arguments' && isKeywordAhead(this.source, before)) {
      this.log.add('missing-comma', before);
      frame.key = undefined;
      this.expects = 'element';
      return;
    }
    this.fail(judgeRest(this.text, this.at));
  }

  protected override describe(): string {
    const key = this.frames[0]?.key;
    return key === undefined ? 'the arguments' : `the argument \`${key.slice(0, 80)}\``;
  }

  /** Reads adjacent strings, which are one, except where a colon may be missing. Undefined when none begins here, or when reading failed. */
  #readString(): string | undefined {
    const delimiter = this.#delimiters.find((item) => this.text.startsWith(item, this.at));
    if (delimiter !== undefined) return this.#readDelimited(delimiter);
    const { top } = this;
    const isAlone = top?.kind === 'set' || (top?.kind === 'object' && top.key === undefined);
    const pieces: string[] = [];
    let at = this.at;
    for (let prefix = findStringPrefix(this.text, at); prefix !== undefined;) {
      if (!LITERAL_PREFIXES.has(prefix.toLowerCase())) return this.fail('non-literal-argument', at);
      const piece = readPythonString(this.source, at, this.log, this.#findPlace(at));
      if (typeof piece === 'string') return this.fail(piece, at);
      pieces.push(piece.value);
      this.at = piece.end;
      at = this.skipBlank(piece.end);
      // Two quotes without white space between them are more likely quotes inside a text.
      prefix = at > piece.end && !isAlone ? findStringPrefix(this.text, at) : undefined;
    }
    return pieces.length > 0 ? pieces.join('') : undefined;
  }

  #readDelimited(delimiter: string): string | undefined {
    const start = this.at + delimiter.length;
    const end = this.source.find(delimiter, start);
    if (end === -1) return this.fail('truncated', start);
    this.at = end + delimiter.length;
    return this.text.slice(start, end);
  }

  #findPlace(at: number): PythonPlace {
    const { top } = this;
    if (!top || top.kind === 'arguments')
      return this.text.charAt(skipWhiteBefore(this.text, at) - 1) === '=' ? 'keyword' : 'value';
    if (top.kind !== 'object') return 'list';
    // The first element may be that of a set.
    return top.key === undefined ? 'value' : 'dictionary';
  }

  #placeNumber(value: number | undefined, end: number): void {
    if (end === this.text.length) return this.fail('truncated');
    return value === undefined ? this.fail('malformed') : this.place(value, end);
  }

  #readWord(): void {
    const end = findWordEnd(this.text, this.at);
    // The word might have continued with the next letter.
    if (end === this.text.length) return this.fail('truncated');
    const literal = findLiteral(this.text.slice(this.at, end));
    return literal ? this.place(literal.value, end) : this.#failAtExpression();
  }

  #failAtExpression(): void {
    const reason = judgeRest(this.text, this.at);
    const isExpression = findWordEnd(this.text, this.at) > this.at || reason === 'non-literal-argument';
    this.fail(isExpression ? 'non-literal-argument' : 'malformed');
  }
}

const NUMBER =
  /(?:0[xX][\da-fA-F_]{1,64}|0[oO][0-7_]{1,64}|0[bB][01_]{1,128}|(?:\d[\d_]{0,400}(?:\.[\d_]{0,400})?|\.\d[\d_]{0,400})(?:[eE][+-]?\d{1,8})?)/y;

const WHITE = /[ \t]{0,8}/y;

interface NumberReading {
  /** Undefined for text that only looks like a number: too large, or with a leading zero and so perhaps a code. */
  value: number | undefined;
  end: number;
}

/** Undefined when no number, with or without a sign, begins at `at`. */
function readPythonNumber(text: string, at: number): NumberReading | undefined {
  const sign = text.charAt(at);
  const isSigned = sign === '-' || sign === '+';
  const start = isSigned ? at + 1 + match(WHITE, text, at + 1).length : at;
  const digits = match(NUMBER, text, start);
  if (digits === '') return undefined;
  return { value: toValue(digits, sign === '-'), end: start + digits.length };
}

function toValue(digits: string, isNegative: boolean): number | undefined {
  const plain = digits.replaceAll('_', '');
  if (/^0\d/.test(plain) && !/^0{1,400}$/.test(plain)) return undefined;
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  return isNegative && value !== 0 ? -value : value;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
