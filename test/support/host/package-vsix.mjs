// Packages the extension, and the opener that `npm start` adds to it, unless both are there for the present inputs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hashOf, npm } from './npm.mjs';
import { hostDir, root, vsix } from './paths.mjs';
import { run } from './run.mjs';

// Everything else in the root counts as input, so that an input added later cannot be forgotten here.
const notInput = [
  '.git',
  '.host',
  '.tsbuild',
  '.vscode-test',
  'dist',
  'node_modules',
  'test',
  join('media', 'screenshots'),
];
const opener = join(hostDir, 'opener');
/** Scripts and types that the build uses, in a folder that otherwise contains no input. */
const buildSupport = join(root, 'test', 'support', 'build');
const stamp = join(root, 'dist', '.packed'); // every build empties dist, including this file

function filesIn(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (notInput.includes(relative(root, path))) return [];
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

function hashOfInputs() {
  const files = [
    ...filesIn(root),
    ...filesIn(buildSupport),
    join(opener, 'main.js'),
    join(opener, 'package.json'),
  ];
  return hashOf(files.toSorted((a, b) => (a < b ? -1 : 1)));
}

/** `env`: environment of the build. Returns whether it had to package. */
export async function packageVsix({ env = process.env } = {}) {
  const inputs = hashOfInputs();
  const isPacked = [stamp, ...Object.values(vsix)].every((file) => existsSync(file));
  if (isPacked && readFileSync(stamp, 'utf8') === inputs) return false;
  await npm(['run', '-s', 'package'], { cwd: root, env, quiet: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const options = ['--no-dependencies', '--skip-license', '--allow-missing-repository', '-o', vsix.opener];
  await run(process.execPath, [vsce, 'package', ...options], { cwd: opener, env, quiet: true });
  writeFileSync(stamp, inputs);
  return true;
}
