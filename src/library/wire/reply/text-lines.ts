// Joins bytes that arrive in pieces, which may be cut anywhere, to whole lines of text.
import { Utf8Decoder } from '../../util/decode-utf8';
import { checkDocumentLength } from './reply-limit';

/**
 * `feed`: LF or CRLF. `any`: also a lone CR, which ends a line of an event stream and is white space between tokens of JSON.
 */
type LineEnding = 'feed' | 'any';

/** Joins characters and line ends that are split between two pieces, and drops a byte order mark at the start. */
export class TextLines {
  readonly #decoder = new Utf8Decoder();
  readonly #onLine: (line: string) => void;
  readonly #end: RegExp;
  #isBegun = false;
  #rest = '';
  /** Whether the previous line ended with a CR; an LF directly after it belongs to it. */
  #isAfterReturn = false;

  constructor(onLine: (line: string) => void, ends: LineEnding = 'feed') {
    this.#onLine = onLine;
    this.#end = ends === 'any' ? /\r\n?|\n/g : /\n/g;
  }

  /** @throws StreamFailure (`too-large`) for a line that is longer than any part of a reply that is read */
  push(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk);
    const hasMark = !this.#isBegun && text.charCodeAt(0) === 0xfeff;
    this.#isBegun ||= text !== '';
    this.#take(hasMark ? text.slice(1) : text);
    checkDocumentLength(this.#rest.length);
  }

  /** The text after the last line end is a line too. */
  end(): void {
    this.#take(this.#decoder.end());
    const last = this.#rest;
    this.#rest = '';
    if (last !== '') this.#onLine(stripReturn(last));
  }

  #take(text: string): void {
    if (text.includes('\r') || this.#isAfterReturn) this.#takeLines(text);
    else this.#takeFedLines(text);
  }

  /** Does the same as `#takeLines` for text without a CR, as nearly all text is, at less than half the cost. */
  #takeFedLines(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end);
      start = end + 1;
      if (this.#rest === '') this.#onLine(line);
      else this.#takeRest(line);
    }
    this.#rest += text.slice(start);
  }

  /** The CR of the line end may have been at the end of the previous piece. */
  #takeRest(end: string): void {
    const line = this.#rest + end;
    this.#rest = '';
    this.#onLine(stripReturn(line));
  }

  #takeLines(text: string): void {
    let start = this.#isAfterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#isAfterReturn = false;
    this.#end.lastIndex = start;
    for (let end = this.#end.exec(text); end; end = this.#end.exec(text)) {
      const line = this.#rest + text.slice(start, end.index);
      this.#rest = '';
      start = this.#end.lastIndex;
      this.#isAfterReturn = start === text.length && end[0] === '\r';
      this.#onLine(stripReturn(line));
    }
    this.#rest += text.slice(start);
  }
}

const stripReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
