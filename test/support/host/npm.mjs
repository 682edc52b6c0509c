// Runs npm, and `npm ci` only where the folder does not match its lock file. Requires only Node and npm.
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
 * Compares with the lock file that npm itself writes when it has finished, so it does not matter who ran it, and
 * an interrupted run does not count. Optional packages may be missing, as they belong to other platforms.
 * `finish`: see `install`.
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

/**
 * Runs `npm ci` and then `finish.run()`. The folder counts as complete only if that succeeds, and as long as
 * `finish.files` are unchanged.
 */
export async function install(dir, { args = [], finish } = {}) {
  if (isInstalled(dir, finish)) return;
  await npm(['ci', '--no-fund', '--no-audit', '--loglevel=error', ...args], { cwd: dir, quiet: true });
  await finish?.run();
  if (finish) writeFileSync(stampFile(dir), hashOf(finish.files));
}
