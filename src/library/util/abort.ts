// Waiting that can be stopped, and what an abort looks like as an error.
import { currentClock } from './clock';

interface Watch {
  readonly callbacks: Set<() => void>;
  readonly end: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls back at the abort. However many wait for it, the signal has one listener: an EventTarget goes through all of its own
 * at every change, and takes more than ten for a leak.
 * @param callback Must not throw. Never called for a signal that has aborted already.
 * @returns what takes it back
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal || signal.aborted) return () => undefined;
  const { callbacks, end } = watches.get(signal) ?? startWatch(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) end();
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const end = (): void => {
    signal.removeEventListener('abort', tell);
    if (watches.get(signal) === watch) watches.delete(signal);
  };
  const tell = (): void => {
    end();
    for (const callback of callbacks) callback();
  };
  const watch: Watch = { callbacks, end };
  signal.addEventListener('abort', tell);
  watches.set(signal, watch);
  return watch;
}

/** Resolves after the time, or at once when the signal aborts: the caller looks at the signal. */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      forget();
      resolve();
    };
    const forget = onAbort(signal, finish);
    const cancel = currentClock().after(delayMs, finish);
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
    const forget = onAbort(signal, stop);
    const settle = async (): Promise<void> => {
      try {
        const value = await work();
        if (signal?.aborted) fail();
        else resolve(value);
      } catch (error) {
        reject(error);
      } finally {
        clearTimeout(timer);
        forget();
      }
    };
    void settle();
  });
}
