// The folder in which vitest keeps translated modules from run to run. Vitest looks at the text of a module only, but a
// translation also depends on options, and its imports contain the paths of the files that they found. Therefore the
// folder is named after all of this: after a change of it, everything is translated anew.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const namesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .toSorted();

/**
 * Deletes the folders of earlier states.
 * @param {string} root The project's folder.
 * @param {string[]} files The files that contain options of the translation.
 * @returns {string} the folder for the present state.
 */
export function moduleCache(root, files) {
  const hash = createHash('sha256').update(root);
  for (const file of files) hash.update(readFileSync(join(root, file)));
  for (const folder of ['src', 'webview', 'test']) hash.update(namesIn(join(root, folder)).join('\n'));
  const current = hash.digest('hex');
  const all = join(root, 'node_modules', '.vitest-modules');
  for (const name of existsSync(all) ? readdirSync(all) : [])
    if (name !== current) rmSync(join(all, name), { recursive: true, force: true });
  return join(all, current);
}
