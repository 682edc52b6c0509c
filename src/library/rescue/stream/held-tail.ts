// Finds where the tail of held text begins: the part that is not decided yet, and the part that contains only calls.
// Independent of single formats.
import { isBlank } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import { endOf } from '../core/rescue-format';
import type { WalkResult } from '../walk/findings';

/** How many characters other than white space a parser may look ahead without reporting it to the meter. */
const LOOK_AHEAD = 64;
const LONGEST_LEAD = 128;

/**
 * The start of the part before `to` that contains only calls, reasoning, white space and trailing tokens. `unclosed` are
 * openers of reasoning that may still be closed.
 */
export function findTail(
  { text, dialects }: RescueContext,
  { candidates, reasoning }: Pick<WalkResult, 'candidates' | 'reasoning'>,
  to: number,
  unclosed: readonly number[] = [],
): number {
  const parts = [
    ...candidates
      .filter(({ region }) => region !== 'reasoning')
      .map(({ reading }) => ({ start: reading.start, end: endOf(reading) })),
    ...reasoning,
    ...unclosed.map((start) => ({ start, end: Infinity })),
  ].toSorted((one, other) => other.start - one.start);
  let tail = to;
  for (const { start, end } of parts) {
    if (start >= tail) continue;
    if (end < tail && !dialects.trailing.isAll(text, end, tail)) return tail;
    tail = Math.min(tail, start);
  }
  return tail;
}

/**
 * The text before this offset does not depend on where the text ends. The offset follows white space, so that no token is
 * split.
 */
export function findLimit(text: string, from: number): number {
  let at = text.length;
  for (let count = 0; at > from && count < LOOK_AHEAD; at -= 1)
    if (!isBlank(text.charCodeAt(at - 1))) count += 1;
  const limit = Math.max(from, at - LOOK_AHEAD);
  for (let next = at; next > limit; next -= 1) if (isBlank(text.charCodeAt(next - 1))) return next;
  return at;
}

/** The start of words before `at` that may belong to a call; not before `floor`, and usually not inside a word. */
export function findLead(text: string, floor: number, at: number): number {
  if (at - floor <= LONGEST_LEAD) return Math.min(at, floor);
  for (let start = at - LONGEST_LEAD; start < at; start += 1)
    if (isBlank(text.charCodeAt(start))) return start + 1;
  return at - LONGEST_LEAD;
}
