// Runs npm, and `npm ci` only where the folder does not hold what its lock file says. Needs nothing but Node and npm.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

export const npm = (args, options) => run('npm', args, options);

const packagesIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {});
const stampFile = (dir) => join(dir, 'node_modules', '.finished');
const isStamped = (dir, stamp) =>
  existsSync(stampFile(dir)) && readFileSync(stampFile(dir), 'utf8') === stamp;

/**
 * npm leaves a lock file of its own behind once it is done: so it does not matter who ran it, and an interrupted run does
 * not count. Optional packages may be missing: they belong to other platforms. `finish`: see `install`.
 */
export function isInstalled(dir, finish) {
  const present = packagesIn(join(dir, 'node_modules', '.package-lock.json'));
  const wanted = Object.entries(packagesIn(join(dir, 'package-lock.json')));
  const isThere = ([path, { optional, version }]) =>
    path === '' || optional || present[path]?.version === version;
  return wanted.every(isThere) && (!finish || isStamped(dir, hashOf(finish.files)));
}

export function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** `finish.run()` does what is left after `npm ci`; only when it succeeds, and for the same `finish.files`, is the folder done. */
export async function install(dir, { args = [], finish } = {}) {
  if (isInstalled(dir, finish)) return;
  await npm(['ci', '--no-fund', '--no-audit', '--loglevel=error', ...args], { cwd: dir, quiet: true });
  await finish?.run();
  if (finish) writeFileSync(stampFile(dir), hashOf(finish.files));
}
