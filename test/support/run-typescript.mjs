// Bundles a TypeScript file of the tests and runs it outside of vitest: node test/support/run-typescript.mjs
// <file> [argument …]
import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleTypescript } from './bundle-typescript.mjs';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined)
  throw new Error('which file? node test/support/run-typescript.mjs <file> [argument …]');
const folder = await mkdtemp(join(tmpdir(), 'run-typescript-'));
const outfile = join(folder, 'main.mjs');
try {
  await bundleTypescript(file, outfile);
  process.argv.splice(1, process.argv.length, file, ...rest);
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
