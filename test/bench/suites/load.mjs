// What the extension costs before its first chat: the code that every window loads, and the HTTP client behind it. What the
// entries of the npm package cost a program that imports them.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNpmPackage } from '../../support/build/npm-package.mjs';
import { root } from '../../support/host/paths.mjs';

const toRow = (title, unit, key, max) => ({
  title,
  unit,
  pick: (sample) => sample[key],
  compare: 'absolute',
  goal: { max },
});
const toRows = (title, cpuMs, kib) => [
  toRow(`${title}, CPU to load`, 'ms', 'cpuMs', cpuMs),
  toRow(`${title}, size`, 'KiB', 'kib', kib),
];

/** @param dist Folder of the shipped bundles. */
export async function openSuite({ dist }) {
  const stub = fileURLToPath(new URL('../load/vscode.cjs', import.meta.url));
  cpSync(stub, join(dist, 'node_modules', 'vscode', 'index.js'));
  const toScenario = (name, file, rows) => ({
    name,
    script: new URL('../load/measure.mjs', import.meta.url),
    job: { file: join(dist, file), kib: statSync(join(dist, file)).size / 1024 },
    rows,
  });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-package-')));
  await writeNpmPackage(folder);
  // On Windows, a junction is the kind of folder link that needs no privileges.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return {
    title: 'What is loaded, and when',
    clients: ['ours'],
    subject: 'ours',
    scenarios: [
      toScenario('eager', 'extension.js', toRows('at activation (extension.js)', 3, 40)),
      toScenario('undici', 'undici.js', toRows('at the first chat (undici.js)', 15, 310)),
      {
        name: 'help',
        script: new URL('../load/measure-help.mjs', import.meta.url),
        job: { file: join(dist, 'cli.js') },
        rows: [toRow('provider-playground eval --help, with the start of Node', 'ms', 'ms', 150)],
      },
      ...toPackageScenarios(join(folder, 'dist')),
    ],
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** @param folder of the modules of the package */
function toPackageScenarios(folder) {
  const toScenario = (name, file, rows) => ({
    name,
    script: new URL('../load/measure-entry.mjs', import.meta.url),
    job: { file: join(folder, file), kib: sizeOf(folder, file) / 1024 },
    rows,
  });
  const [client] = readdirSync(folder).filter((file) => file.startsWith('dispatcher-'));
  return [
    toScenario('package', 'index.js', toRows('package, the library', 80, 1000)),
    toScenario('package-rescue', 'rescue.js', toRows('package, rescue alone', 50, 700)),
    toScenario('package-inspect', 'inspect.js', toRows('package, the inspection', 20, 260)),
    toScenario('package-undici', client, [
      toRow('package, at the first request (undici), CPU to load', 'ms', 'cpuMs', 60),
    ]),
  ];
}

/** Bytes of a module and those that it imports immediately. */
function sizeOf(folder, file, counted = new Set()) {
  if (counted.has(file)) return 0;
  counted.add(file);
  const text = readFileSync(join(folder, file), 'utf8');
  const imported = text.matchAll(/^(?:import|export|\}) .*?from "\.\/([^"]+)";$/gm);
  return Array.from(imported).reduce(
    (sum, [, path]) => sum + sizeOf(folder, path, counted),
    Buffer.byteLength(text),
  );
}
