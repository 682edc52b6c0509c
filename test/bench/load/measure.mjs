// Loads one bundle once in this fresh process. The `vscode` beside it is a stand-in that is loaded before.
import { createRequire } from 'node:module';

/** Modules that the extension host loads before any extension, in order to patch them for proxies. */
const LOADED_BY_HOST = ['node:http', 'node:https', 'node:tls', 'vscode'];

export function openMeasurement({ file, kib }) {
  const load = createRequire(file);
  for (const name of LOADED_BY_HOST) load(name);
  let cpuMs = 0;
  return {
    step() {
      const start = process.cpuUsage();
      load(file);
      const { user, system } = process.cpuUsage(start);
      cpuMs = (user + system) / 1000;
    },
    sample: () => ({ cpuMs, kib }),
  };
}
