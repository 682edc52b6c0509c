// Models that loop write the same few words over and over. Where those lead nowhere, they lead nowhere the next thousand
// times: the walk need not look again. Knows text only.
import { skipWhite } from './json/blank';

/** Readers look back and ahead this far, or one round of the loop if that is longer. */
const LOOK_BACK = 256;
const LOOK_AHEAD = 512;
/** Of UTF-16 code units. */
const CODES = 65_536;
const SHORTEST_SKIP = 2048;
const SAMPLE_STEP = 256;
const BLOCK = 4096;

export class Repetition {
  readonly #text: string;
  /** By the two characters that opened there: the last place that led nowhere. */
  readonly #last = new Map<number, number>();
  #seenTo = 0;
  #hasRead = false;
  /** What was compared once is not compared again. */
  #comparedTo = 0;
  /** What stands before it was read, or looked at from so far that a repetition proves nothing. */
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** A reader looked at the text up to `end`; `hasRead` when it could read something. */
  note(end: number, hasRead = false): void {
    if (end > this.#seenTo) this.#seenTo = end;
    this.#hasRead ||= hasRead;
  }

  /**
   * What was read from `start` to `end` was read once more; gives the end of the last of those that follow and are the
   * same, one like the other, `end` itself as a rule.
   */
  skipRounds(start: number, end: number): number {
    // a reader that looked so far may find something else in the next round
    const isFar = this.#seenTo > end + LOOK_AHEAD;
    this.#seenTo = 0;
    const next = skipWhite(this.#text, end);
    const period = next - start;
    if (isFar || start < LOOK_BACK || next < this.#comparedTo) return end;
    if (!this.#isLikely(next, period) || !this.#repeats(next - LOOK_BACK, period, LOOK_BACK)) return end;
    this.#comparedTo = this.#findEnd(next, period);
    const rounds = Math.floor((this.#comparedTo - LOOK_AHEAD - end) / period);
    return end + Math.max(0, rounds) * period;
  }

  /** Nothing was read at `at`; gives the place up to which the text repeats what led nowhere, `at` itself as a rule. */
  skipFrom(at: number): number {
    const opening = this.#text.charCodeAt(at) * CODES + this.#text.charCodeAt(at + 1);
    const before = this.#last.get(opening);
    this.#last.set(opening, at);
    if (this.#hasRead || this.#seenTo > at + LOOK_AHEAD) this.#from = at;
    this.#seenTo = 0;
    this.#hasRead = false;
    if (before === undefined || before - LOOK_BACK < this.#from || at < this.#comparedTo) return at;
    const period = at - before;
    if (!this.#isLikely(at, period) || !this.#repeats(at - LOOK_BACK, period, LOOK_BACK)) return at;
    this.#comparedTo = this.#findEnd(at, period);
    const repeatsTo = this.#comparedTo - Math.max(LOOK_AHEAD, period);
    return repeatsTo > at + SHORTEST_SKIP ? repeatsTo : at;
  }

  /** A few samples; prose with habits is not worth more. */
  #isLikely(at: number, period: number): boolean {
    for (let ahead = SAMPLE_STEP; ahead <= SHORTEST_SKIP; ahead += SAMPLE_STEP)
      if (this.#text.charCodeAt(at + ahead) !== this.#text.charCodeAt(at + ahead - period)) return false;
    return true;
  }

  /** From `at` on each character is the one a period before it, up to here. */
  #findEnd(at: number, period: number): number {
    let end = at;
    // a block at a time: comparing characters takes far longer
    while (end + BLOCK <= this.#text.length && this.#repeats(end, period, BLOCK)) end += BLOCK;
    while (end < this.#text.length && this.#text.charCodeAt(end) === this.#text.charCodeAt(end - period))
      end += 1;
    return end;
  }

  /** So many characters from `at` on are those a period before. */
  #repeats(at: number, period: number, length: number): boolean {
    return this.#text.slice(at, at + length) === this.#text.slice(at - period, at - period + length);
  }
}
