// Waiting that ends with a signal. Knows nothing of what is waited for.

/**
 * @param begin Hands its callback to whoever answers. @returns what takes it back
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
      signal.removeEventListener('abort', stop);
      end();
      resolve(value);
    });
    const stop = (): void => {
      end();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** For work that does not look at the signal. @throws the signal's reason when it aborts first */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
