// Measures how long a run has worked, without the times in which it waited for a person.
import type { Clock } from '../ports';

export class StopWatch {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #startMs: number;
  /** Number of waits under way: several calls of a reply may be asked about at the same time. */
  #waits = 0;
  #waitStartMs = 0;

  /** Starts at once. */
  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
    this.#startMs = clock.elapsed();
  }

  /** Milliseconds. */
  elapsed(): number {
    const end = this.#waits > 0 ? this.#waitStartMs : this.#clock.elapsed();
    return end - this.#startMs;
  }

  /** Stands still until `wait` has settled. */
  async pauseFor<T>(wait: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#waitStartMs = this.#clock.elapsed();
    try {
      return await wait;
    } finally {
      if (--this.#waits === 0) this.#startMs += this.#clock.elapsed() - this.#waitStartMs;
    }
  }
}
