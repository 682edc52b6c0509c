// Builds what ships (dist/) and the tests that run in the extension host (dist/test/). Flags: --watch, --production (what
// ships, minified), --tests (those tests alone, leaving the rest of dist as it is).
// Fails when a bundle outgrows its budget or a Node module reaches the webview.
import * as esbuild from 'esbuild';
import { rmSync } from 'node:fs';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

/** Upper limits of the shipped files in KiB, checked on production builds. */
const budgets = {
  'dist/extension.js': 40,
  'dist/engine.js': 200,
  'dist/undici.js': 310,
  'dist/webview.js': 240,
};

/** Entry points of the host that are loaded when first used: `import()` of them becomes a `require` of their own file. */
const lazyChunks = { './undici.js': /\/dispatcher$/, './engine.js': /\/engine$/ };
const keepLazy = {
  name: 'keep-lazy',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ kind, path }) => {
      const [chunk] =
        Object.entries(lazyChunks).find(([, filter]) => kind === 'dynamic-import' && filter.test(path)) ?? [];
      return chunk ? { path: chunk, external: true } : undefined;
    });
  },
};

const common = {
  bundle: true,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  minify: production,
  metafile: true,
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
};
const host = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  supported: { 'dynamic-import': false },
  keepNames: true, // errors name the provider's class and their own
  plugins: [keepLazy],
};

const shipped = [
  {
    ...host,
    entryPoints: {
      extension: 'src/extension.ts',
      engine: 'src/host/engine.ts',
    },
    outdir: 'dist',
  },
  {
    ...host,
    keepNames: false, // undici names its own errors
    entryPoints: { undici: 'src/library/transport/dispatcher.ts' },
    outdir: 'dist',
  },
  {
    ...common,
    entryPoints: { webview: 'webview/main.ts' },
    outdir: 'dist',
    platform: 'browser', // a Node module does not resolve here, so none can reach the webview
    format: 'iife',
    target: 'chrome134',
    loader: { '.svg': 'text' },
  },
];
/** One bundle a test file, found by its name. */
const tests = {
  ...host,
  plugins: [],
  external: ['vscode', 'mocha'],
  entryPoints: ['test/host/index.ts', 'test/host/**/*.test.ts'],
  outbase: 'test/host',
  outdir: 'dist/test',
};
const builds = flags.has('--tests') ? [tests] : production ? shipped : [...shipped, tests];

function checkBudgets(outputs) {
  for (const [file, limit] of Object.entries(budgets)) {
    const kib = (outputs[file]?.bytes ?? Number.NaN) / 1024;
    console.log(`${file}: ${kib.toFixed(1)} KiB of ${limit}`);
    if (!(kib <= limit)) process.exitCode = 1;
  }
  if (process.exitCode) console.error('A bundle is missing or over its budget.');
}

if (flags.has('--watch')) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  rmSync(flags.has('--tests') ? 'dist/test' : 'dist', { recursive: true, force: true });
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  if (production) checkBudgets(Object.assign({}, ...results.map(({ metafile }) => metafile.outputs)));
}
