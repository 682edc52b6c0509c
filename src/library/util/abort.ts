// Waiting that an abort signal can end.
import { currentClock } from './clock';

interface AbortWatch {
  readonly callbacks: Set<() => void>;
  readonly end: () => void;
}

const watches = new WeakMap<AbortSignal, AbortWatch>();

/**
 * Calls the callback when the signal aborts. All callbacks of a signal share one listener: an EventTarget goes through all
 * its listeners at every change, and Node warns of a leak at more than ten.
 * @param callback Must not throw. Never called when the signal has already aborted.
 * @returns a function that removes the callback
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

function startWatch(signal: AbortSignal): AbortWatch {
  const callbacks = new Set<() => void>();
  const end = (): void => {
    signal.removeEventListener('abort', notify);
    if (watches.get(signal) === watch) watches.delete(signal);
  };
  const notify = (): void => {
    end();
    for (const callback of callbacks) callback();
  };
  const watch: AbortWatch = { callbacks, end };
  signal.addEventListener('abort', notify);
  watches.set(signal, watch);
  return watch;
}

/** Resolves after the delay, in milliseconds, or as soon as the signal aborts; the caller has to check the signal. */
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

/** A signal that aborts when either of the two does; undefined when neither is given. */
export function joinSignals(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  if (!first || !second || first === second) return first ?? second;
  const signals = [first, second];
  return signals.every((signal) => signal instanceof AbortSignal)
    ? AbortSignal.any(signals)
    : joinAny(signals);
}

/** `AbortSignal.any` accepts signals that are not Node's own, but never hears of their aborts. */
function joinAny(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const forward = (): void => controller.abort(signal.reason);
    if (signal.aborted) forward();
    else onAbort(signal, forward);
  }
  return controller.signal;
}

/**
 * Settles like the work, or rejects with the signal's reason once the signal has aborted. If it has aborted before, the work
 * is not started.
 * @param graceMs How many milliseconds work that obeys the abort may take to reject with its own error, which tells more.
 * With 0, the abort rejects at once.
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
      // Real time instead of the call's clock: this is for sockets that are being closed, and is no wait that a test skips.
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
