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

/**
 * What the work comes to, or a rejection with the signal's reason once it has aborted. After an abort the work is not begun.
 * @param graceMs How long work that obeys the abort may take to say so itself: its own error knows more. None: not awaited.
 */
export function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
  graceMs = 0,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(signal?.reason as Error);
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      // real time: it is for sockets that are being closed, and no wait of the call
      if (graceMs > 0) timer = setTimeout(fail, graceMs);
      else fail();
    };
    if (signal?.aborted) {
      fail();
      return;
    }
    signal?.addEventListener('abort', stop, { once: true });
    const settle = async (): Promise<void> => {
      try {
        const value = await work();
        if (signal?.aborted) fail();
        else resolve(value);
      } catch (error) {
        reject(error);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    };
    void settle();
  });
}
