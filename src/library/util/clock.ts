// The time that calls go by. A test sets another one for a stretch of work, so that waits are followed without sleeping
// through them; nothing public takes one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { startDeadline } from './deadlines';

export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds from any start, never going back: for durations. */
  elapsed: () => number;
  /** Calls back once, after the time. @returns what takes it back */
  after: (delayMs: number, callback: () => void) => () => void;
  /** The same for a limit that is hardly ever reached, in any context; it does not keep the process alive. */
  limit: (delayMs: number, callback: () => void) => () => void;
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

// of a call and not of the module: calls at once never mix, and nothing has to be set back
const clocks = new AsyncLocalStorage<Clock>();

export const currentClock = (): Clock => clocks.getStore() ?? SYSTEM_CLOCK;

/** Everything that the work does, and whatever it starts, goes by this clock. */
export const runWithClock = <Result>(clock: Clock, work: () => Result): Result => clocks.run(clock, work);
