// Waiting that can be stopped, and what an abort looks like as an error.
import { currentClock } from './clock';

/** Resolves after the time, or at once when the signal aborts: the caller looks at the signal. */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = currentClock().after(delayMs, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** One signal that aborts with either. */
export function joinSignals(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  return first && second && first !== second ? AbortSignal.any([first, second]) : (first ?? second);
}
