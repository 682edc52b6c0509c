// Finds loops: a model caught in one repeats the same few words thousands of times. Of a long loop, only the first and the last
// rounds have to be read, because between them nothing new is found; `decide/unfold-loops.ts` puts the rest back. Only compares
// characters.

/** A loop in a text that was shortened. */
export interface Loop {
  /** Where it begins and ends in the shortened text. */
  start: number;
  end: number;
  /**
   * Length of several rounds, in which what is found repeats itself. One round is too short for that: a fence, for example, is
   * opened in every second round and closed in the others.
   */
  unit: number;
  /** Number of characters that were left out, which is a multiple of the unit. */
  removed: number;
}

/** A text from which the middle of each loop was left out. */
export interface ShortText {
  text: string;
  /** In the order of the text. */
  loops: readonly Loop[];
}

/** How far back parsers look: rounds nearer to the start of a loop are kept. */
export const LOOP_HEAD = 4096;
/** How far ahead parsers look: rounds nearer to the end of a loop are kept. */
const LOOP_TAIL = 6144;
/** A loop is searched for every so many characters; further into the text at longer distances, so that the cost stays small. */
const STRIDE = 8192;
const MAX_LOOPS = 64;
/** Number of characters that have to come again before a distance is compared as a whole. */
const SAMPLE = 48;
const LONGEST_PERIOD = 8192;
/** Number of characters that are compared at once. */
const BLOCK = 4096;
/** Number of distances that are compared before giving up. */
const MAX_PERIODS = 64;
/** A multiple of two, three and eight rounds for short rounds, as formats may read so many of them as one; fewer for long ones. */
const toUnit = (period: number): number => period * (period <= 256 ? 24 : period <= 2048 ? 8 : 2);

/** Leaves out the middle of each long loop. */
export function shorten(text: string): ShortText {
  const loops: Loop[] = [];
  const pieces: string[] = [];
  let from = 0;
  let removed = 0;
  for (let at = 0; at + LOOP_HEAD + LOOP_TAIL < text.length;) {
    at = skipRun(text, at);
    const period = findPeriod(text, at);
    const end = period === 0 ? at : findLoopEnd(text, at + period, period);
    const unit = toUnit(period);
    const spare = end - at - LOOP_HEAD - LOOP_TAIL - 3 * unit;
    if (period > 0 && spare >= Math.max(unit, text.length / MAX_LOOPS)) {
      const cut = spare - (spare % unit);
      const start = at - removed;
      const middle = at + LOOP_HEAD;
      pieces.push(text.slice(from, middle));
      from = middle + cut;
      removed += cut;
      loops.push({ start, end: end - removed, unit, removed: cut });
    }
    at = Math.max(end, at + Math.max(STRIDE, at >> 3));
  }
  if (loops.length === 0) return { text, loops };
  return { text: pieces.join('') + text.slice(from), loops };
}

/** The last of the equal characters at `at`. A loop is searched for from there, because `aaaa` alone would look like one. */
function skipRun(text: string, at: number): number {
  const limit = at + LONGEST_PERIOD;
  let last = at;
  while (last < limit && text.charCodeAt(last + 1) === text.charCodeAt(at)) last += 1;
  return last;
}

/** The distance after which the text at `at` comes again and again; 0 when it does not, or not soon. */
export function findPeriod(text: string, at: number): number {
  const near = text.slice(at, at + LONGEST_PERIOD + SAMPLE);
  const sample = near.slice(0, SAMPLE);
  let period = near.indexOf(sample, 1);
  // The rounds of a loop may begin alike in their middle, too.
  for (let count = 0; count < MAX_PERIODS && period > 0; count += 1) {
    if (repeatsBlock(text, at + period, period)) return period;
    period = near.indexOf(sample, period + 1);
  }
  return 0;
}

/** The offset from `at` on at which the text stops repeating itself with this period. */
export function findLoopEnd(text: string, at: number, period: number): number {
  let end = at;
  // By blocks, because comparing single characters takes far longer.
  while (end + BLOCK <= text.length && repeatsBlock(text, end, period)) end += BLOCK;
  while (end < text.length && text.charCodeAt(end) === text.charCodeAt(end - period)) end += 1;
  return end;
}

/** Whether the block at `at` equals the one a period before. */
const repeatsBlock = (text: string, at: number, period: number): boolean =>
  text.slice(at, at + BLOCK) === text.slice(at - period, at - period + BLOCK);
