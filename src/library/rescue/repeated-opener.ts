// The tag or token that opens a call, written more than once: some models stutter. Knows no format.
import { skipWhiteBefore } from './cut-text';

const LONGEST_OPENER = 64;
const OPENER = /^(?:<[^<>\n]{1,62}>|\[[A-Z_]{2,40}\])/;

/** Where the first of the openers stands that end in the one at `start`; `start` when it is there once. */
export function findFirstOpener(text: string, start: number): number {
  let first = start;
  let before = skipWhiteBefore(text, start);
  if (!'>]'.includes(text.charAt(before - 1) || ' ')) return first;
  const [opener] = OPENER.exec(text.slice(start, start + LONGEST_OPENER)) ?? [];
  if (opener === undefined) return first;
  while (text.endsWith(opener, before)) {
    first = before - opener.length;
    before = skipWhiteBefore(text, first);
  }
  return first;
}
