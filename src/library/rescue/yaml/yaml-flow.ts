// Reads YAML's collections in brackets, including JSON. Independent of lines.
import { BracketReader } from '../json/bracket-reader';
import type { BracketReading, Frame } from '../json/bracket-reader';
import type { RepairLog } from '../core/repair-log';
import { TextSource } from '../core/rescue-context';
import { isBlank } from '../text/white-space';
import { foldBreaks, readQuoted, resolvePlain } from './yaml-scalars';

/** Reads the collection whose bracket is at `at`. */
export const readFlow = (text: string, at: number, log: RepairLog): BracketReading =>
  new FlowReader(new TextSource(text), at, log).read();

const INDICATORS = ',[]{}';

class FlowReader extends BracketReader {
  protected override skipBlank(at: number): number {
    let next = at;
    while (isBlank(this.text.charCodeAt(next)) || this.#isComment(next))
      next = this.#isComment(next) ? this.source.findLineEnd(next) : next + 1;
    return next;
  }

  protected override readValue(): void {
    const character = this.text.charAt(this.at);
    if (character === '[' || character === '{') return this.open(character === '[' ? 'list' : 'object');
    const isQuoted = character === '"' || character === "'";
    const text = isQuoted ? this.#readQuotedText() : this.#readPlainText();
    if (text !== undefined) this.place(isQuoted ? text : resolvePlain(text), this.at);
  }

  /** Reads a key, which may lack a value and its colon. */
  protected override readKey(frame: Frame): void {
    const start = this.at;
    const isQuoted = `"'`.includes(this.text.charAt(start));
    const key = isQuoted ? this.#readQuotedText() : this.#readPlainText();
    if (key === undefined) return;
    if (Object.hasOwn(frame.record, key)) return this.fail('malformed', start);
    const colon = this.skipBlank(this.at);
    const hasColon = this.text.charAt(colon) === ':';
    const next = hasColon ? this.skipBlank(colon + 1) : colon;
    this.takeKey(frame, key, next);
    if (!hasColon || ',}'.includes(this.text.charAt(next) || ' ')) this.place(null, next);
  }

  protected override readSeparator(): void {
    this.fail('malformed');
  }

  protected override describe(): string {
    return 'the value';
  }

  #readQuotedText(): string | undefined {
    const reading = readQuoted(this.text, this.at);
    if (!reading) return this.#failText();
    this.at = reading.end;
    return reading.value;
  }

  #readPlainText(): string | undefined {
    const start = this.at;
    const first = this.text.charAt(start);
    if ('&!|>`'.includes(first)) return this.#failText();
    let end = start;
    while (end < this.text.length && !this.#endsPlain(end)) end += 1;
    const text = this.text.slice(start, end).trim();
    if (text === '') return this.#failText();
    if ('*@%'.includes(first)) this.log.add('unquoted-string', start);
    this.at = end;
    return foldBreaks(text);
  }

  #failText(): undefined {
    this.fail('malformed');
  }

  #endsPlain(at: number): boolean {
    const character = this.text.charAt(at);
    if (character !== ':') return INDICATORS.includes(character) || this.#isComment(at);
    const next = this.text.charAt(at + 1);
    return INDICATORS.includes(next) || isBlank(next.charCodeAt(0));
  }

  #isComment(at: number): boolean {
    return this.text.charAt(at) === '#' && isBlank(this.text.charCodeAt(at - 1));
  }
}
