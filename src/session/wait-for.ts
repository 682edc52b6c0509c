// Waits for a value until a signal aborts. Independent of what is waited for.

interface Watch {
  callbacks: Set<() => void>;
  notify: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls back when the signal aborts. All callbacks of a signal share one listener: the signal walks its list of listeners at
 * every change, and a reply may have thousands of calls that wait.
 * @returns a function that removes the callback
 */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, notify } = watches.get(signal) ?? startWatch(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0) return;
    signal.removeEventListener('abort', notify);
    watches.delete(signal);
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const notify = (): void => {
    for (const callback of callbacks) callback();
  };
  const watch = { callbacks, notify };
  signal.addEventListener('abort', notify, { once: true });
  watches.set(signal, watch);
  return watch;
}

/**
 * @param begin Receives the function to call with the value later. Returns a function that cancels the waiting.
 * @throws the signal's reason when it aborts first
 */
export function waitFor<T>(
  signal: AbortSignal,
  begin: (resolve: (value: T) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const end = begin((value) => {
      forget();
      end();
      resolve(value);
    });
    const forget = onAbort(signal, () => {
      end();
      reject(signal.reason as Error);
    });
  });
}

/** Waits for work that ignores the signal. @throws the signal's reason when it aborts first */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    const forget = signal.aborted ? undefined : onAbort(signal, stop);
    void work.then(resolve, reject).finally(forget);
  });
}
