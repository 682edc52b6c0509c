// One bundle, loaded once in this fresh process; `vscode` beside it is a stand-in, loaded before.
import { createRequire } from 'node:module';

/** The extension host has loaded them before any extension: it patches them for proxies. */
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
