// Skips white space and comments between the tokens of JSON. Independent of values.
import type { RepairLog } from '../core/repair-log';
import type { TextSource } from '../core/rescue-context';
import { skipWhite } from '../text/white-space';

/**
 * The first offset from `at` on that is neither white space nor a comment; -1 when a comment does not end. Comments are
 * recorded.
 */
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
