// Tracks backticks in held text that nothing has closed yet: more text may turn what follows them on their line into code.
import { findOrEnd } from '../text/line-ends';
import { endOfRun } from '../regions/code-spans';

const BLANK_LINE = /\n[ \t\r]*\n/g;

export class OpenCode {
  readonly #text: string;
  /** Offsets of the runs of backticks that nothing closes, in order. */
  readonly #runs: number[] = [];
  /** Offsets of findings that mean something else inside code, in order. */
  readonly #findings: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  addRun(at: number): void {
    this.#runs.push(at);
  }

  addFinding(at: number): void {
    this.#findings.push(at);
  }

  /** The first run that may still be closed and has a finding after it on its line; the text's length when there is none. */
  find(): number {
    const paragraph = this.#findParagraph();
    let index = 0;
    let lineEnd = -1;
    for (const at of this.#runs) {
      if (at > lineEnd) lineEnd = findOrEnd(this.#text, '\n', at);
      while (index < this.#findings.length && (this.#findings[index] ?? at) <= at) index += 1;
      const found = this.#findings[index];
      if (at >= paragraph && found !== undefined && found < lineEnd) return at;
    }
    return this.#text.length;
  }

  /** The first unclosed run before an offset on the same line. */
  before(place: number): { at: number; length: number } | undefined {
    const line = this.#text.lastIndexOf('\n', place - 1) + 1;
    const at = this.#runs.find((run) => run >= line && run < place);
    return at === undefined ? undefined : { at, length: endOfRun(this.#text, at) - at };
  }

  /** Start of the last paragraph: inline code does not extend beyond its own. */
  #findParagraph(): number {
    let start = 0;
    BLANK_LINE.lastIndex = this.#runs[0] ?? this.#text.length;
    while (BLANK_LINE.test(this.#text)) start = BLANK_LINE.lastIndex;
    return start;
  }
}
