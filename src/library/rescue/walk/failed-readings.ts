// Remembers the readings that looked far ahead in a loop and found nothing. In the next round, each would look at the same
// text again and find as little. Independent of calls and formats.
import { findLoopEnd, findPeriod } from '../text/loops';

/** A reading failed at this offset, and fails after any number of whole periods before `until`. */
interface FailedReading {
  at: number;
  period: number;
  until: number;
}

/** The last rounds are read again, because they end with other text. */
const MARGIN = 1024;

const NONE: readonly FailedReading[] = [];

export class FailedReadings<Reader extends object> {
  readonly #text: string;
  readonly #failures = new Map<Reader, FailedReading[]>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the reader failed at the same place of an earlier round. */
  has(reader: Reader, at: number): boolean {
    const failures = this.#failures.get(reader) ?? NONE;
    return failures.some((failure) => at < failure.until && (at - failure.at) % failure.period === 0);
  }

  /** Remembers a reading from `at` that looked far ahead and found nothing. */
  add(reader: Reader, at: number): void {
    const period = findPeriod(this.#text, at);
    // The text before the first round may be why it failed.
    const isFirst = this.#text.slice(at - period, at) !== this.#text.slice(at, at + period);
    if (period === 0 || at < period || isFirst) return;
    const until = findLoopEnd(this.#text, at + period, period) - Math.max(MARGIN, period);
    const known = this.#failures.get(reader);
    if (known) known.push({ at, period, until });
    else this.#failures.set(reader, [{ at, period, until }]);
  }
}
