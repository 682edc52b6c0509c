// Finds loops: models caught in one repeat the same few words thousands of times. Once two rounds of a loop led to the
// same findings, the following rounds do too, so the walk may skip them. Independent of calls and formats.

/** What the walk knows at an offset where a round may begin. */
export interface Round {
  at: number;
  /** Everything else that the next readings depend on. */
  state: string;
  /** Distances from the offset to the ends of whatever contains it, always in the same order. */
  ends: readonly number[];
}

/** Whether the findings of two rounds are the same, except that they are shifted by the length of a round. */
export type RoundTest<Kind extends Round> = (one: Kind, other: Kind, next: Kind) => boolean;

/** Number of places before a repetition is searched for again; doubles with each failure. */
const FIRST_PAUSE = 16;
const SAMPLE = 48;
const LONGEST_PERIOD = 8192;
/** Shorter loops are parsed like any other text. */
const SHORTEST_LOOP = 8192;
/** How far a parser may look ahead and find something else than in the round before; one period if that is longer. */
const LOOK_AHEAD = 512;
/** Rounds that are compared before giving up. The first ones may differ because of the text before them. */
const MOST_ROUNDS = 16;
const BLOCK = 4096;

export class Repetition<Kind extends Round = Round> {
  readonly #text: string;
  #places = 0;
  #searchAt = 1;
  /** Length of a round; 0 while the text is not known to repeat itself. */
  #period = 0;
  /** Rounds up to this offset may be skipped. */
  #until = 0;
  #rounds: Kind[] = [];
  #from = 0;
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Called with each offset of the walk. Returns whether a round begins there that is worth a comparison. */
  isBoundary(at: number): boolean {
    this.#places += 1;
    if (this.#period === 0) return this.#places >= this.#searchAt && this.#search(at);
    if (at >= this.#until) this.#giveUp();
    return this.#period > 0 && (at - this.#from) % this.#period === 0;
  }

  /** How many characters of further rounds may be skipped; 0 unless the last two rounds are the same. */
  findRest(round: Kind, isSame: RoundTest<Kind>): number {
    this.#count += 1;
    const rounds = this.#rounds.filter(({ state }) => state === round.state);
    const [one, other] = rounds.slice(-2);
    this.#rounds.push(round);
    let rest = 0;
    let isLast = false;
    if (one && other && round.at - other.at === other.at - one.at) {
      const length = round.at - other.at;
      // An end that does not move along with the rounds limits how many of them can be skipped.
      const fixed = round.ends.filter((end, index) => end !== other.ends[index]);
      const ahead = Math.min(this.#until - round.at, ...fixed);
      if (isSame(one, other, round)) rest = Math.floor(ahead / length) * length;
      isLast = rest > 0 && ahead === this.#until - round.at;
    }
    // A part that ends before the loop does may itself be a part of a longer round.
    if (isLast || this.#count > MOST_ROUNDS) this.#giveUp();
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

  /** The offset at which the text stops repeating itself with this period. */
  #findEnd(at: number, period: number): number {
    let end = at;
    // By blocks, because comparing single characters takes far longer.
    while (end + BLOCK <= this.#text.length && this.#repeats(end, period)) end += BLOCK;
    while (end < this.#text.length && this.#text.charCodeAt(end) === this.#text.charCodeAt(end - period))
      end += 1;
    return end;
  }

  /** Whether the block at `at` equals the one a period before. */
  #repeats(at: number, period: number): boolean {
    return this.#text.slice(at, at + BLOCK) === this.#text.slice(at - period, at - period + BLOCK);
  }
}
