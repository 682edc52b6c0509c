// Models that loop write the same few words over and over. Where those lead nowhere, they lead nowhere the next thousand
// times: the walk need not look again. Knows text only.

/** Readers look back and ahead this far, or one round of the loop if that is longer. */
const LOOK_BACK = 256;
const LOOK_AHEAD = 512;
/** Of UTF-16 code units. */
const CODES = 65_536;
const SHORTEST_SKIP = 2048;
const SAMPLE_STEP = 256;

export class Repetition {
  readonly #text: string;
  /** By the two characters that opened there: the last place that led nowhere. */
  readonly #last = new Map<number, number>();
  #seenTo = 0;
  /** What was compared once is not compared again. */
  #comparedTo = 0;
  /** What stands before it was read, or looked at from so far that a repetition proves nothing. */
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** A reader looked at the text up to `end`. */
  note(end: number): void {
    if (end > this.#seenTo) this.#seenTo = end;
  }

  /** Nothing was read at `at`; gives the place up to which the text repeats what led nowhere, `at` itself as a rule. */
  skipFrom(at: number): number {
    const opening = this.#text.charCodeAt(at) * CODES + this.#text.charCodeAt(at + 1);
    const before = this.#last.get(opening);
    this.#last.set(opening, at);
    if (this.#seenTo > at + LOOK_AHEAD) this.#from = at;
    this.#seenTo = 0;
    if (before === undefined || before - LOOK_BACK < this.#from || at < this.#comparedTo) return at;
    const period = at - before;
    if (!this.#isLikely(at, period) || !this.#repeatsBefore(at, period)) return at;
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
    while (end < this.#text.length && this.#text.charCodeAt(end) === this.#text.charCodeAt(end - period))
      end += 1;
    return end;
  }

  #repeatsBefore(at: number, period: number): boolean {
    const from = at - LOOK_BACK;
    return this.#text.startsWith(this.#text.slice(from - period, at - period), from);
  }
}
