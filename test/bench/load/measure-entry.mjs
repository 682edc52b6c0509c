// Loads one entry of the npm package once in this fresh process.
import { pathToFileURL } from 'node:url';

export function openMeasurement({ file, kib }) {
  const { href } = pathToFileURL(file);
  let cpuMs = 0;
  return {
    async step() {
      const start = process.cpuUsage();
      await import(href);
      const { user, system } = process.cpuUsage(start);
      cpuMs = (user + system) / 1000;
    },
    sample: () => ({ cpuMs, kib }),
  };
}
