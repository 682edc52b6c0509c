// Measures how different two short strings are.

/** The Levenshtein distance: how many characters have to be inserted, deleted or replaced. */
export function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const change = one.charAt(line - 1) === other.charAt(column - 1) ? 0 : 1;
      const above = (row[column] ?? 0) + 1;
      next.push(Math.min(above, (next[column - 1] ?? 0) + 1, (row[column - 1] ?? 0) + change));
    }
    row = next;
  }
  return row[other.length] ?? other.length;
}
