// The clock that calls use. A test replaces it for a part of its work, so that it need not sleep through waits. The clock is
// not part of any public interface.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Limit, Limited } from './deadlines';
import { startDeadline } from './deadlines';

export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds since an arbitrary start; never goes back. For durations. */
  elapsed: () => number;
  /** Calls the callback once, after the delay. @returns a function that cancels it */
  after: (delayMs: number, callback: () => void) => () => void;
  /**
   * Calls `onLimit` once, after the delay, for limits that are rarely reached. Its async context is not defined. Does not keep
   * the process alive.
   */
  limit: (delayMs: number, limited: Limited) => Limit;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  limit: startDeadline,
};

// Stored per call and not in the module, so that concurrent calls never mix and nothing has to be reset.
const clocks = new AsyncLocalStorage<Clock>();

export const currentClock = (): Clock => clocks.getStore() ?? SYSTEM_CLOCK;

/** Runs the work with this clock; it also applies to everything that the work starts. */
export const runWithClock = <Result>(clock: Clock, work: () => Result): Result => clocks.run(clock, work);
