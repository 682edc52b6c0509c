// Bundles a TypeScript file of the tests into one module that plain Node runs.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
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

/** @param outfile Ends in `.mjs`. */
export async function bundleTypescript(file, outfile) {
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
}
