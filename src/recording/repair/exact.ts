// Tells what can be written again as it was read. Pure.

/** In levels; the same limit as for calls. A deeper value could overflow the stack when it is written. */
const MAX_NESTING = 128;

/**
 * Whether a value that was read from JSON is the same when it is written as JSON: no integer beyond those that a number holds,
 * such as an id of 20 digits, and nothing nested too deep.
 */
export function isExact(value: unknown, levels = MAX_NESTING): boolean {
  if (typeof value === 'number') return isExactNumber(value);
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isExact(inner, levels - 1));
}

const isExactNumber = (value: number): boolean =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
