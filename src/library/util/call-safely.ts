// Callbacks of a caller: whatever they do, they never end a call.

/**
 * @returns what the callback returned; undefined when it threw, or when it returned a promise, whose rejection is ignored
 * too: a callback may be async against its type.
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
    // see above
  }
  return undefined;
}
