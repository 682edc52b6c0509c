// Where the end of held text begins: what is not decided yet, and what is nothing but calls. Knows no format by name.
import { isBlank } from '../json/blank';
import { isNoise } from '../noise';
import type { WalkResult } from '../reply-walk';
import type { FormatReading } from '../rescue-format';

/** Characters other than white space that a reader may look ahead without telling. */
const LOOK_AHEAD = 64;
const LONGEST_LEAD = 128;

/**
 * From here to `to` there is nothing but calls, thinking, and what says nothing; `unclosed` are openers of thinking that
 * may close yet.
 */
export function findTail(
  text: string,
  { items, reasoning }: WalkResult,
  to: number,
  unclosed: readonly number[] = [],
): number {
  const parts = [
    ...items
      .filter(({ place }) => place !== 'reasoning')
      .map(({ reading }) => ({
        start: reading.start,
        end: reading.kind === 'calls' ? (reading.failure?.end ?? reading.end) : reading.end,
      })),
    ...reasoning,
    ...unclosed.map((start) => ({ start, end: Infinity })),
  ].toSorted((one, other) => other.start - one.start);
  let tail = to;
  for (const { start, end } of parts) {
    if (start >= tail) continue;
    if (end < tail && !isNoise(text, end, tail)) return tail;
    tail = Math.min(tail, start);
  }
  return tail;
}

/** Where the last characters begin that are not decided; after white space, so that no token is cut. */
export function findLimit(text: string, from: number): number {
  let at = text.length;
  for (let count = 0; at > from && count < LOOK_AHEAD; at -= 1)
    if (!isBlank(text.charCodeAt(at - 1))) count += 1;
  const limit = Math.max(from, at - LOOK_AHEAD);
  for (let next = at; next > limit; next -= 1) if (isBlank(text.charCodeAt(next - 1))) return next;
  return at;
}

/** Where words before `at` begin that may belong to a call; not before `floor`, and as a rule not within a word. */
export function findLead(text: string, floor: number, at: number): number {
  if (at - floor <= LONGEST_LEAD) return Math.min(at, floor);
  for (let start = at - LONGEST_LEAD; start < at; start += 1)
    if (isBlank(text.charCodeAt(start))) return start + 1;
  return at - LONGEST_LEAD;
}

/** Names may stand before their openers. */
export const findStart = (at: number, reading: FormatReading | null): number =>
  reading && 'start' in reading ? Math.min(at, reading.start) : at;
