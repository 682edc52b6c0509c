// Maps list positions across a change of the list, so that typed texts and the selection stay with their elements.
// Pure.

/**
 * @param before Names that identify the elements before the change.
 * @returns the new index of each element; undefined for one that is gone or ambiguous.
 */
export function followPlaces(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const places: (number | undefined)[] = before.map((_name, at) =>
    at < head ? at : at >= before.length - tail ? at + after.length - before.length : undefined,
  );
  const open = range(head, after.length - tail);
  for (const at of range(head, before.length - tail)) {
    const found = open.findIndex((to) => after[to] === before[at]);
    if (found !== -1) [places[at]] = open.splice(found, 1);
  }
  // If as many elements are new as are missing, they were renamed in place.
  const missing = range(head, before.length - tail).filter((at) => places[at] === undefined);
  if (missing.length === open.length) for (const [nth, at] of missing.entries()) places[at] = open[nth];
  return places;
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(end - start, 0) }, (_none, at) => start + at);
