// Calls callbacks of the caller, so that their errors never end a call of the library.

/**
 * Calls the callback and ignores what it throws. An async callback is allowed against its type; its rejection is ignored.
 * @returns what the callback returned; undefined when it threw or returned a promise
 */
export function callSafely<Args extends unknown[]>(
  callback: ((...args: Args) => unknown) | undefined,
  ...args: Args
): unknown {
  try {
    const returned = callback?.(...args);
    if (!(returned instanceof Promise)) return returned;
    returned.catch(() => undefined);
  } catch {
    // Ignored on purpose: a callback must not end the call.
  }
  return undefined;
}
