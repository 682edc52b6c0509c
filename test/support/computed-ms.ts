// Measures CPU time, independent of the load of the machine, for limits that only a runaway computation exceeds.

/**
 * @param before Earlier result of `process.cpuUsage()`. @returns CPU time of this process since then, in
 *   milliseconds.
 */
export function computedMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @returns CPU time of the shortest of three runs, in milliseconds: whatever else runs can only make a run longer. */
export function leastComputedMs(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    return computedMsSince(before);
  });
  return Math.min(...times);
}
