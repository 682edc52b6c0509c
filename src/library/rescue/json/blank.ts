// White space and comments between the tokens of JSON.
import type { TextSource } from '../rescue-context';
import type { RepairLog } from './repair-log';

export const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;

/** The first place from `at` that is not white space. */
export function skipWhite(text: string, at: number): number {
  let next = at;
  while (next < text.length && isBlank(text.charCodeAt(next))) next += 1;
  return next;
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
