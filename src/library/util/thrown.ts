// Reads what was thrown, or was the reason of an abort: code of others may throw any value. Never throws itself.

/** How many causes of an error are followed, since a chain of them may be a circle. */
export const MAX_CAUSES = 10;

/** The error and its causes, the outermost first; nothing for what is no error. */
export function causesOf(thrown: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = thrown; cause instanceof Error && causes.length <= MAX_CAUSES; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** The message or name of an error; any other value as text, an object as JSON. */
export function describeThrown(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  try {
    return JSON.stringify(thrown);
  } catch {
    return 'an object that is not an error';
  }
}

/** The error itself, or one that describes what was thrown instead. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(describeThrown(thrown));
