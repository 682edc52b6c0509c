// What other people's code threw or handed over, in words. Knows no vscode.

/** As a sentence; never throws. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `${describeType(error)} instead of an error.`;
  try {
    return `${error.name}: ${error.message}`.replace(/[^.!?]$/, '$&.');
  } catch {
    return 'an error that cannot be read.'; // its fields may be getters that throw
  }
}

export const describeType = (value: unknown): string =>
  value === null || value === undefined
    ? String(value)
    : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
