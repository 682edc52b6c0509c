// The built-in extensions that the tests need, in place of all that VS Code has.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { vscodeDir } from './paths.mjs';

/**
 * The themes, and the languages of the documents that tests open. Every load of the workbench transfers the manifests
 * of all extensions several times. `npm start` and a desktop VS Code use all built-in extensions.
 */
const BUILTIN = [
  'configuration-editing',
  'diff',
  'html',
  'javascript',
  'json',
  'json-language-features',
  'log',
  'markdown-basics',
  'markdown-language-features',
  'search-result',
  'shellscript',
  'theme-defaults',
  'theme-seti',
  'xml',
  'yaml',
];

/** Makes a folder of them, for `builtinDir` of `startServer`. */
export function linkBuiltin(folder) {
  mkdirSync(folder);
  for (const name of BUILTIN) symlinkSync(join(vscodeDir, 'extensions', name), join(folder, name));
}
