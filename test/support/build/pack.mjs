// Packs the extension: dist/provider-playground.vsix, from what is in dist. vsce compares every file below its folder
// with every pattern of .vscodeignore, which takes 15 seconds for the installed packages and Git's files here.
// Therefore it works on a copy without them. Which files ship is still decided by .vscodeignore alone.
import { createVSIX } from '@vscode/vsce';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, vsix } from '../host/paths.mjs';

const leftOut = ['.git', '.host', '.tsbuild', '.vscode-test', 'node_modules', 'test'];

const copy = mkdtempSync(join(tmpdir(), 'pack-'));
// Not `finally`: vsce exits by itself when it finds a secret in a file.
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.includes(relative(root, path)) });
await createVSIX({
  cwd: copy,
  packagePath: vsix.extension,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
