// Models caught in a loop repeat the same few words thousands of times. Where the text repeats itself, and two rounds of it
// led to the same findings, the next rounds do too, so the walk may pass them. Knows text and places only.

/** What the walk knows at a place where a round may begin. */
export interface Round {
  at: number;
  /** What else the next readings depend on. */
  state: string;
  /** How far ahead things end in whose middle the place is, in the same order. */
  ends: readonly number[];
}

/** Whether the findings of two rounds are the same, so many characters apart. */
export type RoundTest<Kind extends Round> = (one: Kind, other: Kind, next: Kind) => boolean;

/** Places that were looked at before a repetition is sought again; after each failure twice as many. */
const FIRST_PAUSE = 16;
const SAMPLE = 48;
const LONGEST_PERIOD = 8192;
/** A shorter loop is read like any other text. */
const SHORTEST_LOOP = 8192;
/** How far a reader may look ahead and find another thing than in the round before; or one period, if that is longer. */
const LOOK_AHEAD = 512;
/** The first rounds may differ because of what stands before them. */
const MOST_ROUNDS = 16;
const BLOCK = 4096;

export class Repetition<Kind extends Round = Round> {
  readonly #text: string;
  #places = 0;
  #searchAt = 1;
  /** 0 while the text is not known to repeat itself. */
  #period = 0;
  /** Up to here rounds may be passed. */
  #until = 0;
  #rounds: Kind[] = [];
  #from = 0;
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The walk is at `at`: whether a round begins here that is worth a comparison. */
  isBoundary(at: number): boolean {
    this.#places += 1;
    if (this.#period === 0) return this.#places >= this.#searchAt && this.#search(at);
    if (at >= this.#until) this.#giveUp();
    return this.#period > 0 && (at - this.#from) % this.#period === 0;
  }

  /** How many characters of further rounds may be passed; 0 unless the last two rounds are the same. */
  findRest(round: Kind, isSame: RoundTest<Kind>): number {
    this.#count += 1;
    const rounds = this.#rounds.filter(({ state }) => state === round.state);
    const [one, other] = rounds.slice(-2);
    this.#rounds.push(round);
    let rest = 0;
    if (one && other && round.at - other.at === other.at - one.at) {
      const length = round.at - other.at;
      // what does not move along with the rounds ends somewhere
      const fixed = round.ends.filter((end, index) => end !== other.ends[index]);
      const ahead = Math.min(this.#until - round.at, ...fixed);
      if (isSame(one, other, round)) rest = Math.floor(ahead / length) * length;
    }
    if (rest > 0 || this.#count > MOST_ROUNDS) this.#giveUp();
    return rest;
  }

  #giveUp(): void {
    this.#period = 0;
    this.#rounds = [];
    this.#count = 0;
    this.#pause();
  }

  #pause(): void {
    this.#searchAt = 2 * this.#places + FIRST_PAUSE;
  }

  #search(at: number): boolean {
    this.#pause();
    const next = this.#text.indexOf(this.#text.slice(at, at + SAMPLE), at + 1);
    if (next === -1 || next - at > LONGEST_PERIOD) return false;
    const period = next - at;
    this.#until = this.#findEnd(next, period) - Math.max(LOOK_AHEAD, period);
    if (this.#until - at < SHORTEST_LOOP) return false;
    this.#period = period;
    this.#from = at;
    return true;
  }

  /** Where the text stops repeating itself with that period. */
  #findEnd(at: number, period: number): number {
    let end = at;
    // a block at a time: comparing characters takes far longer
    while (end + BLOCK <= this.#text.length && this.#repeats(end, period)) end += BLOCK;
    while (end < this.#text.length && this.#text.charCodeAt(end) === this.#text.charCodeAt(end - period))
      end += 1;
    return end;
  }

  /** The block at `at` equals the one a period before. */
  #repeats(at: number, period: number): boolean {
    return this.#text.slice(at, at + BLOCK) === this.#text.slice(at - period, at - period + BLOCK);
  }
}
