// White space and comments between the tokens of JSON.
import type { TextSource } from '../rescue-context';
import type { RepairLog } from './repair-log';

/** Blanks without a width too: rich text and some tokenizers leave them between tokens. */
export const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x200b || code === 0xfeff;

const SHORT_RUN = 32;
const NOT_BLANK = /[^\t-\r \u00a0\u200b\ufeff]/g;

/** The first place from `at` that is not white space. */
export function skipWhite(text: string, at: number): number {
  const end = Math.min(text.length, at + SHORT_RUN);
  let next = at;
  while (next < end && isBlank(text.charCodeAt(next))) next += 1;
  return next === at + SHORT_RUN ? skipLongRun(text, next) : next;
}

/** The regular expression engine is slow to start, and goes through a megabyte of spaces five times as fast. */
function skipLongRun(text: string, at: number): number {
  NOT_BLANK.lastIndex = at;
  return NOT_BLANK.test(text) ? NOT_BLANK.lastIndex - 1 : text.length;
}

/** The same past comments, which are noted; -1 when a comment does not end. */
export function skipBlank(source: TextSource, at: number, log: RepairLog): number {
  const { text } = source;
  let next = skipWhite(text, at);
  while (text.charCodeAt(next) === 47) {
    const second = text.charAt(next + 1);
    if (second !== '/' && second !== '*') return next;
    log.add('comment', next);
    const closer = second === '/' ? '\n' : '*/';
    const end = source.find(closer, next + closer.length);
    if (end === -1) return -1;
    next = skipWhite(text, end + closer.length);
  }
  return next;
}
