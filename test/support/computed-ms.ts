// How long something computes, whatever else the machine does meanwhile: for limits that only a runaway reaches.

/** @param before `process.cpuUsage()` then. @returns milliseconds of this process's own time since */
export function computedMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
