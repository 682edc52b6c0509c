// Measures how different two short strings are.

/** The Levenshtein distance: how many characters have to be inserted, deleted or replaced. */
export function countEdits(one: string, other: string): number {
  // A single row that is overwritten, because a damaged megabyte may ask for this a hundred thousand times.
  const row: number[] = [];
  for (let column = 0; column <= other.length; column += 1) row.push(column);
  for (let line = 0; line < one.length; line += 1) {
    let [diagonal, left] = [line, line + 1];
    for (let column = 0; column < other.length; column += 1) {
      const above = row[column + 1] ?? 0;
      const change = one.charCodeAt(line) === other.charCodeAt(column) ? 0 : 1;
      left = Math.min(above + 1, left + 1, diagonal + change);
      diagonal = above;
      row[column + 1] = left;
    }
  }
  return other.length === 0 ? one.length : (row[other.length] ?? 0);
}
