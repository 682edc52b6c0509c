// What ships, built by the project's own build into a folder of its own: a measurement leaves dist alone, and is one of
// exactly the bundles that people get.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What the build reads, seen from the folder that it runs in. */
const INPUTS = ['src', 'webview', 'media', 'node_modules'];

/**
 * @param tree The sources. @default these
 * @returns the folder with the bundles; `remove` it in the end.
 */
export function buildShipped(tree = root) {
  const { folder, remove } = makeFolder();
  // a junction is the link to a folder that Windows allows everybody
  for (const name of INPUTS) symlinkSync(join(tree, name), join(folder, name), 'junction');
  const build = spawnSync(process.execPath, [join(root, 'esbuild.mjs'), '--production'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const dist = join(folder, 'dist');
  // a bundle over its budget fails the build, and can be measured all the same
  if (['extension', 'engine', 'undici'].every((name) => existsSync(join(dist, `${name}.js`))))
    return { dist, remove };
  remove();
  throw new Error(`the build failed\n${build.stdout}${build.stderr}`);
}

/** The same of another commit, by the build and with the packages of this one: only the sources differ. */
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
