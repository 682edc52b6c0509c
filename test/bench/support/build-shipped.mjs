// Builds the shipped bundles with the project's own build in a separate folder, so that measurements do not touch
// dist and use exactly what users get.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Inputs of the build, relative to the folder that it runs in. */
const INPUTS = ['src', 'webview', 'media', 'node_modules'];

/**
 * @param tree Folder of the sources. @default this repository
 * @returns the folder with the bundles; call `remove` when done.
 */
export function buildShipped(tree = root) {
  const { folder, remove } = makeFolder();
  // On Windows, a junction is the kind of folder link that needs no privileges.
  for (const name of INPUTS) symlinkSync(join(tree, name), join(folder, name), 'junction');
  const build = spawnSync(process.execPath, [join(root, 'esbuild.mjs'), '--production'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const dist = join(folder, 'dist');
  // A bundle over its size budget fails the build, but can be measured all the same.
  if (['extension', 'engine', 'undici'].every((name) => existsSync(join(dist, `${name}.js`))))
    return { dist, remove };
  remove();
  throw new Error(`the build failed\n${build.stdout}${build.stderr}`);
}

/** Builds the sources of another commit with the build script and packages of this one. */
export function buildCommit(revision) {
  const { folder, remove } = makeFolder();
  try {
    const archive = join(folder, 'commit.tar');
    run('git', ['archive', `--output=${archive}`, revision]);
    run('tar', ['-xf', archive, '-C', folder]);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    return buildShipped(folder);
  } finally {
    remove();
  }
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed\n${error?.message ?? stderr}`);
}

function makeFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return { folder, remove };
}
