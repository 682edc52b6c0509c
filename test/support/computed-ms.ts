// Measures CPU time, independent of the load of the machine, for limits that only a runaway computation exceeds.

/**
 * @param before Earlier result of `process.cpuUsage()`. @returns CPU time of this process since then, in
 *   milliseconds.
 */
export function computedMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
