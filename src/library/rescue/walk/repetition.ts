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
const MAX_ROUNDS = 16;
const BLOCK = 4096;
/** Number of distances that are compared before giving up. */
const MAX_PERIODS = 64;

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

  /**
   * Returns how many characters of further rounds may be skipped, and the last round; undefined unless the last two rounds
   * are the same.
   */
  find(round: Kind, isSame: RoundTest<Kind>): { last: Kind; rest: number } | undefined {
    this.#count += 1;
    const rounds = this.#rounds.filter(({ state }) => state === round.state);
    const [one, other] = rounds.slice(-2);
    this.#rounds.push(round);
    if (this.#count > MAX_ROUNDS) this.#giveUp();
    if (!one || !other || round.at - other.at !== other.at - one.at || !isSame(one, other, round))
      return undefined;
    const rest = this.#measureRest(other, round);
    return rest > 0 ? { last: other, rest } : undefined;
  }

  /** A multiple of the round's length. Gives up at the end of the loop; a part before it may belong to a longer round. */
  #measureRest(last: Kind, { at, ends }: Kind): number {
    const length = at - last.at;
    // An end that does not move along with the rounds limits how many of them can be skipped.
    const fixed = ends.filter((end, index) => end !== last.ends[index]);
    const loopEnd = this.#until - at;
    const ahead = Math.min(loopEnd, ...fixed);
    if (ahead === loopEnd && ahead >= length) this.#giveUp();
    return Math.floor(ahead / length) * length;
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
    const period = findPeriod(this.#text, at);
    if (period === 0) return false;
    this.#until = findLoopEnd(this.#text, at + period, period) - Math.max(LOOK_AHEAD, period);
    if (this.#until - at < SHORTEST_LOOP) return false;
    this.#period = period;
    this.#from = at;
    return true;
  }
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
