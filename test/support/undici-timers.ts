// Moves the clock of the HTTP client's own limits, by the hook that it has for its own tests.
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as {
  tick: (milliseconds?: number) => void;
};

/** Its timers are a second coarse. Those that were just set count from here. */
export async function advanceClientTimers(milliseconds: number): Promise<void> {
  timers.tick();
  timers.tick(milliseconds);
  await nextTurn(); // it lets errors of the socket go first
  await nextTurn();
}
