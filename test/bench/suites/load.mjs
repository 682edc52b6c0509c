// What the extension costs before its first chat: the code that every window loads, and the HTTP client behind it.
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const toRows = (title, cpuMs, kib) => [
  {
    title: `${title}, CPU to load`,
    unit: 'ms',
    pick: (sample) => sample.cpuMs,
    compare: 'absolute',
    goal: { max: cpuMs },
  },
  {
    title: `${title}, size`,
    unit: 'KiB',
    pick: (sample) => sample.kib,
    compare: 'absolute',
    goal: { max: kib },
  },
];

/** @param dist Folder of the shipped bundles. */
export function openSuite({ dist }) {
  const stub = fileURLToPath(new URL('../load/vscode.cjs', import.meta.url));
  cpSync(stub, join(dist, 'node_modules', 'vscode', 'index.js'));
  const toScenario = (name, file, rows) => ({
    name,
    script: new URL('../load/measure.mjs', import.meta.url),
    job: { file: join(dist, file), kib: statSync(join(dist, file)).size / 1024 },
    rows,
  });
  return {
    title: 'What is loaded, and when',
    clients: ['ours'],
    subject: 'ours',
    scenarios: [
      toScenario('eager', 'extension.js', toRows('at activation (extension.js)', 3, 40)),
      toScenario('undici', 'undici.js', toRows('at the first chat (undici.js)', 15, 310)),
    ],
    close() {},
  };
}
