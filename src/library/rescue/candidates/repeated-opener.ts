// An opener that was written several times in a row, as some models do. It is given the openers.
import { isToken } from '../core/dialect';
import { skipWhiteBefore } from '../text/cut-text';

const LONGEST_OPENER = 64;
/** With what a format may put into it, such as a name. */
const TAG = /^(?:<[^<>\n]{1,62}>|\[[A-Z_]{2,40}\])/;

/** The start of the first copy of the opener at `start`, not before `floor`; `start` itself when there is only one. */
export function findFirstOpener(text: string, start: number, openers: readonly string[], floor = 0): number {
  let first = start;
  let before = skipWhiteBefore(text, start);
  const [tag] = TAG.exec(text.slice(start, start + LONGEST_OPENER)) ?? [];
  const opener = tag ?? openers.find((item) => isToken(item) && text.startsWith(item, start));
  if (opener === undefined) return first;
  while (before - opener.length >= floor && text.endsWith(opener, before)) {
    first = before - opener.length;
    before = skipWhiteBefore(text, first);
  }
  return first;
}
