// Advances the clock of the HTTP client's own timeouts through the hook it has for its own tests.
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as {
  tick: (milliseconds?: number) => void;
};

/** The client's timers have a resolution of one second. The first tick starts those that were just set. */
export async function advanceClientTimers(milliseconds: number): Promise<void> {
  timers.tick();
  timers.tick(milliseconds);
  await nextTurn(); // errors of the socket are processed first
  await nextTurn();
}
