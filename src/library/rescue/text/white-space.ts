// Recognises and skips white space, and finds where lines end. Independent of grammars.

/** Includes zero-width spaces, which rich text and some tokenizers leave between tokens. */
export const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x200b || code === 0xfeff;

const SHORT_RUN = 32;
const NOT_BLANK = /[^\t-\r \u00a0\u200b\ufeff]/g;

/** The first offset from `at` on that is not white space. */
export function skipWhite(text: string, at: number): number {
  const end = Math.min(text.length, at + SHORT_RUN);
  let next = at;
  for (; next < end; next += 1) {
    const code = text.charCodeAt(next);
    // A shortcut, because most characters that are tested are not white space.
    if (code > 32 && code < 0xa0) return next;
    if (!isBlank(code)) return next;
  }
  return next === at + SHORT_RUN ? skipLongRun(text, next) : next;
}

/** For long runs only: a regular expression is slow to start, but reads a megabyte of spaces five times as fast. */
function skipLongRun(text: string, at: number): number {
  NOT_BLANK.lastIndex = at;
  return NOT_BLANK.test(text) ? NOT_BLANK.lastIndex - 1 : text.length;
}

/** As `indexOf`; the text's length when there is none. */
export function findOrEnd(text: string, needle: string, from: number): number {
  const at = text.indexOf(needle, from);
  return at === -1 ? text.length : at;
}

/** Keeps the line that was asked for last: a megabyte without a line break is searched once. */
export class LineEnds {
  readonly #text: string;
  #from = 0;
  #to = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the line of `at`. */
  find(at: number): number {
    if (at < this.#from || at > this.#to) {
      this.#from = at;
      this.#to = findOrEnd(this.#text, '\n', at);
    }
    return this.#to;
  }
}
