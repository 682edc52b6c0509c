// Reads what was thrown, or was the reason of an abort: code of others may throw any value. Never throws itself.

/** How many causes of an error are followed, since a chain of them may be a circle. */
export const MAX_CAUSES = 10;

/** The error and its causes, the outermost first; nothing for what is no error. */
export function causesOf(thrown: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = thrown; isError(cause) && causes.length <= MAX_CAUSES; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** False for a proxy that does not let itself be asked, such as a revoked one. */
function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

/** The message or name of an error; any other value as text, an object as JSON. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    if (typeof thrown !== 'object' || thrown === null) return String(thrown);
    // `JSON.stringify` returns undefined if `toJSON` does.
    return JSON.stringify(thrown) ?? 'an object that is not an error';
  } catch {
    return 'an object that is not an error';
  }
}

/** The error itself, or one that describes what was thrown instead. */
export const toError = (thrown: unknown): Error =>
  isError(thrown) ? thrown : new Error(describeThrown(thrown));
