// White space: what it is, and where it ends. Knows no grammar.

/** Blanks without a width too: rich text and some tokenizers leave them between tokens. */
export const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x200b || code === 0xfeff;

const SHORT_RUN = 32;
const NOT_BLANK = /[^\t-\r \u00a0\u200b\ufeff]/g;

/** The first place from `at` that is not white space. */
export function skipWhite(text: string, at: number): number {
  const end = Math.min(text.length, at + SHORT_RUN);
  let next = at;
  for (; next < end; next += 1) {
    const code = text.charCodeAt(next);
    // most of what is asked for is no white space
    if (code > 32 && code < 0xa0) return next;
    if (!isBlank(code)) return next;
  }
  return next === at + SHORT_RUN ? skipLongRun(text, next) : next;
}

/** The regular expression engine is slow to start, and goes through a megabyte of spaces five times as fast. */
function skipLongRun(text: string, at: number): number {
  NOT_BLANK.lastIndex = at;
  return NOT_BLANK.test(text) ? NOT_BLANK.lastIndex - 1 : text.length;
}
