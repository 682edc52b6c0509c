// Finds inline code: a run of backticks and the next run of the same length in the same paragraph. Independent of calls.

/** The inline code of one paragraph, from a run of backticks on. */
export class CodeSpans {
  /** End of the paragraph. */
  readonly to: number;
  /** Offsets of the runs of backticks, in order, and for each of them the end of its closing run, or -1. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #index = 0;

  constructor(text: string, from: number) {
    this.to = findBlankLine(text, from);
    const open = new Map<number, number>();
    let end = from;
    for (let at = text.indexOf('`', from); at !== -1 && at < this.to; at = text.indexOf('`', end)) {
      end = endOfRun(text, at);
      const before = open.get(end - at);
      if (before !== undefined) this.#ends[before] = end;
      open.set(end - at, this.#starts.length);
      this.#starts.push(at);
      this.#ends.push(-1);
    }
  }

  /**
   * The end of the code that the run at `at` opens; undefined when it opens none. Offsets must not decrease between calls.
   */
  findEnd(at: number): number | undefined {
    while (this.#index < this.#starts.length && (this.#starts[this.#index] ?? at) < at) this.#index += 1;
    const end = this.#starts[this.#index] === at ? this.#ends[this.#index] : undefined;
    return end === -1 ? undefined : end;
  }
}

/** The end of the run of backticks at `at`. */
export function endOfRun(text: string, at: number): number {
  let end = at + 1;
  while (text.charCodeAt(end) === 96) end += 1;
  return end;
}

const BLANK_LINE = /\n[ \t\r]*(?=\n)/g;

/** The end of the next blank line; the text's length when there is none. */
export function findBlankLine(text: string, from: number): number {
  BLANK_LINE.lastIndex = from;
  return BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : text.length;
}
