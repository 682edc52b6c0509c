// Builds what ships (dist/) and the tests that run in the extension host (dist/test/). Flags: --watch, --production (what
// ships, minified), --tests (those tests alone, leaving the rest of dist as it is).
// Fails when a bundle outgrows its budget or a Node module reaches the webview.
import * as esbuild from 'esbuild';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { minifySync } from 'oxc-minify';
import { writeDeclarations } from './test/support/build/declarations.mjs';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

/**
 * Upper limits of the shipped files in KiB, each with those that it loads at once and that no line above has;
 * checked on production builds.
 */
const budgets = {
  'dist/extension.js': 40,
  'dist/engine.js': 348,
  'dist/undici.js': 180,
  'dist/custom-providers.js': 30,
  'dist/webview.js': 234,
  'dist/webview-later-parts.js': 48,
};

/** Entry points of the host that are loaded when first used: `import()` of them becomes a `require` of their own file. */
const lazyChunks = {
  './undici.js': /\/dispatcher$/,
  './engine.js': /\/engine$/,
  './custom-providers.js': /\/custom-providers-chunk$/,
};
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

/**
 * Leaves out of undici what cannot be reached here: bodies that are no text (with all of fetch), HTTP/2, SOCKS proxies, and
 * one of its two HTTP parsers; the one without vector instructions runs everywhere. As Latin-1 instead of base64 the parser
 * packs to a fifth less.
 */
const leanUndici = {
  name: 'lean-undici',
  setup(build) {
    build.onLoad(
      { filter: /undici[/\\]lib[/\\].*(web[/\\]fetch[/\\]body|client-h2|socks5-proxy-agent)\.js$/ },
      () => ({
        contents: "module.exports = new Proxy({}, { get() { throw new Error('left out of this build'); } });",
      }),
    );
    build.onLoad({ filter: /[/\\]llhttp(_simd)?-wasm\.js$/ }, ({ path }) => {
      if (path.includes('_simd')) return { contents: "module.exports = require('./llhttp-wasm.js');" };
      const bytes = createRequire(import.meta.url)(path).toString('latin1');
      return { contents: `module.exports = Buffer.from(${JSON.stringify(bytes)}, 'latin1');` };
    });
  },
};

/** Errors name the class of the provider and their own: those names outlive the minifier, and no other. */
const keepErrorNames = {
  name: 'keep-error-names',
  setup(build) {
    build.onLoad({ filter: /src[/\\]library[/\\].*\.ts$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!/\bclass \w+ extends (\w*Error|\w*Providers?|HttpTransport)\b/.test(text)) return undefined;
      const { code } = await esbuild.transform(text, { loader: 'ts', target: 'node22', keepNames: true });
      return { contents: code, loader: 'js' };
    });
  },
};

/** An icon's decimals below a hundredth of its 16 pixels are seen by nobody. */
const roundIcons = {
  name: 'round-icons',
  setup(build) {
    build.onLoad({ filter: /\.svg$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\d+\.\d{3,}/g, (number) =>
        String(Number(Number(number).toFixed(2))),
      ),
      loader: 'text',
    }));
  },
};

const common = {
  bundle: true,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  minify: production,
  metafile: true,
  logLevel: 'warning',
  legalComments: 'none', // THIRD-PARTY-NOTICES has the licences
  define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
};
const host = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  mainFields: ['module', 'main'], // what jsonc-parser has as its main file cannot be bundled
  supported: { 'dynamic-import': false },
  plugins: [keepLazy],
};

const webview = {
  ...common,
  entryPoints: { webview: 'webview/main.ts' },
  outdir: 'dist',
  platform: 'browser', // a Node module does not resolve here, so none can reach the webview
  format: 'esm',
  splitting: true, // what the first screen does without is a file, and so is what both share
  chunkNames: 'webview-[name]',
  target: 'chrome134',
  plugins: [roundIcons],
};

const shipped = [
  {
    ...host,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    plugins: [keepLazy, keepErrorNames],
    entryPoints: { engine: 'src/host/engine.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    charset: 'utf8', // for the parser
    plugins: [keepLazy, leanUndici],
    entryPoints: { undici: 'src/library/transport/dispatcher.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    supported: {}, // it runs the modules of other people, which needs an `import()` that stays one
    entryPoints: { 'custom-providers': 'src/host/custom-providers/custom-providers-chunk.ts' },
    outdir: 'dist',
  },
  webview,
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

/** Of a file and those that it imports at once, in bytes; a file counts the first time. */
function sizeOf(file, outputs, counted) {
  if (counted.has(file)) return 0;
  counted.add(file);
  const { bytes = Number.NaN, imports = [] } = outputs[file] ?? {};
  const needed = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return needed.reduce((sum, { path }) => sum + sizeOf(path, outputs, counted), bytes);
}

/** Minifies once more: what one minifier leaves, the other finds, and both together take a third of a second. */
function squeeze(outputs) {
  const sizes = { ...outputs };
  for (const file of Object.keys(outputs).filter((name) => name.endsWith('.js'))) {
    const { format, target } = file.startsWith('dist/webview') ? webview : host;
    const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), {
      module: format === 'esm',
      compress: { target },
      mangle: { toplevel: true },
    });
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    writeFileSync(file, code);
    sizes[file] = { ...outputs[file], bytes: Buffer.byteLength(code) };
  }
  return sizes;
}

function checkBudgets(outputs) {
  const counted = new Set();
  for (const [file, limit] of Object.entries(budgets)) {
    const kib = sizeOf(file, outputs, counted) / 1024;
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
  if (production) writeDeclarations();
  if (production)
    checkBudgets(squeeze(Object.assign({}, ...results.map(({ metafile }) => metafile.outputs))));
}
