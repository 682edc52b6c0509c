// A clock that moves only on request, so that waits are exact and take no time. Sockets stay real.
import type { Clock } from '../../src/library/util/clock';
import { runWithClock } from '../../src/library/util/clock';
import type { Limit, Limited } from '../../src/library/util/deadlines';

interface Timer {
  at: number;
  callback: () => void;
}

export class FakeClock implements Clock {
  /** Every requested delay in milliseconds, in order. */
  readonly delays: number[] = [];
  readonly #start: number;
  readonly #isSkipping: boolean;
  #time: number;
  #timers: Timer[] = [];
  #onTimer: (() => void) | undefined;

  /** @param options `isSkipping`: every delay ends as soon as it is requested. */
  constructor({ isSkipping = false, start = Date.parse('2026-01-01T00:00:00Z') } = {}) {
    this.#isSkipping = isSkipping;
    this.#start = start;
    this.#time = start;
  }

  readonly now = (): number => this.#time;
  readonly elapsed = (): number => this.#time - this.#start;

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    const timer = { at: this.#time + delayMs, callback };
    this.delays.push(delayMs);
    this.#timers.push(timer);
    this.#onTimer?.();
    if (this.#isSkipping) setImmediate(() => this.#timers.includes(timer) && this.advance(delayMs));
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  };

  readonly limit = (delayMs: number, limited: Limited): Limit => ({
    cancel: this.after(delayMs, () => limited.onLimit()),
  });

  /** Moves the clock and calls the callbacks that are due. */
  advance(milliseconds: number): void {
    this.#time += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#time);
    this.#timers = this.#timers.filter(({ at }) => at > this.#time);
    for (const { callback } of due) callback();
  }

  /** Resolves when this many delays have been requested in total. */
  asked(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimer = () => this.delays.length >= count && resolve();
      this.#onTimer();
    });
  }

  /** Number of timers that have neither fired nor been cancelled. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Runs the work with this clock. */
  run<Result>(work: () => Result): Result {
    return runWithClock(this, work);
  }
}
