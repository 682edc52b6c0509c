// The system clock for sessions.
import type { Clock } from '../session';

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
