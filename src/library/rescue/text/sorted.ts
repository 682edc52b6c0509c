// Searches sorted lists of offsets.

/** How many of the sorted numbers are smaller than `limit`; also the index of the first that is not. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
