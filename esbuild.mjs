// Builds what ships (dist/) and the tests that run in the extension host (dist/test/). Flags: --watch,
// --production (only what ships, minified), --tests (only those tests; the rest of dist stays as it is). Fails
// when a bundle exceeds its size budget or a Node module reaches the webview.
import * as esbuild from 'esbuild';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeDeclarations } from './test/support/build/declarations.mjs';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/**
 * Sizes of the shipped files in KiB, uncompressed. Each includes the files that it loads immediately, unless an
 * earlier line includes them. A production build fails when one has grown by a fifth, so that growth is noticed
 * and decided on.
 */
const sizes = {
  'dist/extension.js': 45, // at most 60, because every window loads it
  'dist/engine.js': 1237,
  'dist/undici.js': 300,
  'dist/custom-providers.js': 21,
  'dist/tools.js': 23,
  'dist/connections.js': 37,
  'dist/diagnose.js': 5,
  'dist/wire.js': 56,
  'dist/evaluations.js': 23,
  'dist/terminal.js': 12,
  'dist/chat-models.js': 26,
  'dist/agent-tools.js': 39,
  'dist/editor-models.js': 12,
  'dist/blobs.js': 11,
  'dist/history.js': 36,
  'dist/keys.js': 9,
  'dist/scratches.js': 13,
  'dist/requests.js': 16,
  'dist/format-lab.js': 12,
  'dist/recordings.js': 30,
  'dist/cli.js': 104,
  'dist/webview.js': 333,
  'dist/webview-later-parts.js': 201,
  'dist/webview-parse-markdown.js': 146,
};
const GROWTH = 1.2;

/**
 * Entry points that are loaded on first use: an `import()` of them becomes a `require` of their own bundle, and in the
 * webview an `import()` of it.
 */
const lazyChunks = {
  './undici.js': /\/dispatcher$/,
  './engine.js': /\/engine$/,
  './custom-providers.js': /\/custom-providers-chunk$/,
  './tools.js': /\/tool-services$/,
  './connections.js': /\/view-services$/,
  './diagnose.js': /\/diagnosis-documents$/,
  './wire.js': /\/wire-services$/,
  './evaluations.js': /\/evaluation-services$/,
  './agent-tools.js': /\/agent-tool-services$/,
  './blobs.js': /\/blob-services$/,
  './terminal.js': /\/terminal-services$/,
  './chat-models.js': /\/chat-model-services$/,
  './editor-models.js': /\/window-models$/,
  './history.js': /\/history-services$/,
  './keys.js': /\/key-dialogs$/,
  './scratches.js': /\/scratch-commands$/,
  './requests.js': /\/open-request$/,
  './format-lab.js': /\/lab-services$/,
  './recordings.js': /\/recording-services$/,
  './webview-parse-markdown.js': /\/parse-markdown$/,
};
const keepLazy = {
  name: 'keep-lazy',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
      const [chunk] =
        Object.entries(lazyChunks).find(([, filter]) => kind === 'dynamic-import' && filter.test(path)) ?? [];
      if (!chunk) return undefined;
      const entry = entryOf(chunk);
      const named = resolve(resolveDir, path);
      // Whatever file the import names, it gets what the entry point exports. The sources may be linked into another folder.
      const files = [`${named}.ts`, join(named, 'index.ts')];
      if (entry !== undefined && !files.includes(realpathSync(entry)))
        return { errors: [{ text: `${chunk} is made of ${entry}; import that instead of ${path}` }] };
      return { path: chunk, external: true };
    });
  },
};
/** The file of which a bundle is made; undefined for one that is made of several. */
const entryOf = (chunk) =>
  shipped
    .flatMap(({ entryPoints = {} }) => Object.entries(entryPoints))
    .find(([name]) => `./${name}.js` === chunk)?.[1];

/** Members of `vscode` that the oldest supported editor does not have, nor the types; undefined there. */
const NEWER_MEMBERS = ['LanguageModelDataPart', 'LanguageModelThinkingPart'];
/**
 * esbuild copies an external module member by member before `import * as` can use it. `vscode` has two hundred members, and
 * every window would pay for the copy. Therefore all files import one module that lists them: only those in use are read.
 */
const readVscodeByName = {
  name: 'read-vscode-by-name',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) => ({
      path: 'vscode',
      ...(namespace === 'vscode' ? { external: true } : { namespace: 'vscode' }),
    }));
    build.onLoad({ filter: /^/, namespace: 'vscode' }, () => {
      const types = readFileSync('node_modules/@types/vscode/index.d.ts', 'utf8');
      const found = types.matchAll(/^\texport (?:(?:abstract )?class|enum|namespace|const) (\w+)/gm);
      const names = new Set([...Array.from(found, ([, name]) => name), ...NEWER_MEMBERS]);
      const members = Array.from(names, (name) => `export const ${name} = /* @__PURE__ */ read('${name}');`);
      const read = "const vscode = require('vscode');\nconst read = (name) => vscode[name];";
      return { contents: [read, ...members].join('\n') };
    });
  },
};

/** The command line takes the layers below it from the engine, when a command needs them. */
const readFromEngine = {
  name: 'read-from-engine',
  setup(build) {
    build.onResolve(
      { filter: /^(?:\.\.\/)+(?:library|inspect|session|connections|recording)$/ },
      ({ path, importer }) =>
        // Custom providers load modules through a real `import()`, which the engine does not have.
        /[\\/]src[\\/]cli[\\/]/.test(importer) && !importer.endsWith('custom-code.ts')
          ? { path: path.replace(/^.*\//, ''), namespace: 'engine' }
          : undefined,
    );
    build.onResolve({ filter: /^\.\/engine\.js$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /^/, namespace: 'engine' }, ({ path }) => ({
      contents: `module.exports = require('./engine.js').${path};`,
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
  legalComments: 'none', // THIRD-PARTY-NOTICES contains the licences
  define: {
    'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development'),
    'process.env.EXTENSION_VERSION': JSON.stringify(version),
  },
};
const host = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  mainFields: ['module', 'main'], // the main file of jsonc-parser cannot be bundled
  supported: { 'dynamic-import': false },
  plugins: [keepLazy, readVscodeByName],
  alias: { '@vscode/l10n': './src/host/editor-texts.ts' },
};

const webview = {
  ...common,
  entryPoints: { webview: 'webview/main.ts' },
  outdir: 'dist',
  platform: 'browser', // Node modules do not resolve here, so none can reach the webview
  format: 'esm',
  splitting: true, // parts that the first screen does not need are a file of their own, and so is shared code
  chunkNames: 'webview-[name]',
  target: 'chrome134',
  loader: { '.svg': 'text' },
  plugins: [keepLazy],
};

const shipped = [
  {
    ...host,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    // It does not import vscode and receives its texts, so it needs nothing that reads files.
    alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
    // The command line needs the layers as a whole.
    stdin: {
      resolveDir: '.',
      contents: [
        "export * from './src/host/engine';",
        ...['library', 'inspect', 'session', 'connections', 'recording'].map(
          (layer) => `export * as ${layer} from './src/${layer}';`,
        ),
      ].join('\n'),
    },
    outfile: 'dist/engine.js',
  },
  {
    ...host,
    supported: {}, // it runs third-party modules, which needs a real `import()`
    plugins: [readFromEngine, keepLazy],
    alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
    banner: { js: '#!/usr/bin/env node' },
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    alias: { ...host.alias, 'node:diagnostics_channel': './src/library/transport/client/silent-channels.ts' },
    entryPoints: { undici: 'src/library/transport/client/dispatcher.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { tools: 'src/host/tools/tool-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { connections: 'src/host/connections-view/view-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { diagnose: 'src/host/diagnose/diagnosis-documents.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { wire: 'src/host/wire/wire-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { evaluations: 'src/host/evaluations/evaluation-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { 'agent-tools': 'src/host/agent-tools/agent-tool-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { blobs: 'src/host/blobs/blob-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { terminal: 'src/host/terminal/terminal-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { 'chat-models': 'src/host/language-model/chat-model-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { 'editor-models': 'src/host/editor-models/window-models.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { history: 'src/host/history-view/history-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { keys: 'src/host/commands/key-dialogs.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { scratches: 'src/host/commands/scratch-commands.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { requests: 'src/host/open-request/index.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { 'format-lab': 'src/host/lab/lab-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    entryPoints: { recordings: 'src/host/recording/recording-services.ts' },
    outdir: 'dist',
  },
  {
    ...host,
    supported: {}, // it runs third-party modules, which needs a real `import()`
    entryPoints: { 'custom-providers': 'src/host/custom-providers/custom-providers-chunk.ts' },
    outdir: 'dist',
  },
  webview,
  {
    ...webview,
    splitting: false,
    entryPoints: { 'webview-parse-markdown': 'webview/markdown/parse-markdown.ts' },
  },
];
/** One bundle for each test file, found by name. */
const tests = {
  ...host,
  plugins: [],
  external: ['vscode', 'mocha'],
  entryPoints: ['test/host/index.ts', 'test/host/**/*.test.ts'],
  outbase: 'test/host',
  outdir: 'dist/test',
};
const builds = flags.has('--tests') ? [tests] : production ? shipped : [...shipped, tests];

/** Size in bytes of a file and those that it imports immediately; each file counts only once. */
function sizeOf(file, outputs, counted) {
  if (counted.has(file)) return 0;
  counted.add(file);
  const { bytes = Number.NaN, imports = [] } = outputs[file] ?? {};
  const needed = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return needed.reduce((sum, { path }) => sum + sizeOf(path, outputs, counted), bytes);
}

function checkSizes(outputs) {
  const counted = new Set();
  for (const [file, size] of Object.entries(sizes)) {
    const kib = sizeOf(file, outputs, counted) / 1024;
    console.log(`${file}: ${kib.toFixed(1)} KiB, stated as ${size}`);
    if (!(kib <= size * GROWTH)) process.exitCode = 1;
  }
  if (process.exitCode) console.error('A bundle is missing or has outgrown what is stated in esbuild.mjs.');
}

if (flags.has('--watch')) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  rmSync(flags.has('--tests') ? 'dist/test' : 'dist', { recursive: true, force: true });
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  if (production) writeDeclarations();
  if (production) checkSizes(Object.assign({}, ...results.map(({ metafile }) => metafile.outputs)));
}
