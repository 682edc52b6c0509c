// Bundles a TypeScript file of the tests and runs it outside of vitest: node test/support/run-typescript.mjs
// <file> [argument …]
import { readFile, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Replaces `import.meta.url` by the file's own URL, which bundling would change: files find their fixtures by it. */
const ownAddress = {
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /test[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }));
  },
};

const [file, ...rest] = process.argv.slice(2);
if (file === undefined)
  throw new Error('which file? node test/support/run-typescript.mjs <file> [argument …]');
const folder = await mkdtemp(join(tmpdir(), 'run-typescript-'));
const outfile = join(folder, 'main.mjs');
try {
  await build({
    entryPoints: [resolve(file)],
    outfile,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'], // the main file of jsonc-parser cannot be bundled
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    plugins: [ownAddress],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  process.argv.splice(1, process.argv.length, file, ...rest);
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
