// Makes the npm package: the library, rescue alone and the inspection as modules with types, and the command line. The version
// and the dependencies are taken from the extension's manifest. `npm run package:npm` writes dist/provider-playground.tgz.
import * as esbuild from 'esbuild';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../host/npm.mjs';
import { root } from '../host/paths.mjs';
import { run } from '../host/run.mjs';

const MANIFEST = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Name in `exports` → the source file of the entry, without its ending. */
const ENTRIES = { index: 'library/index', rescue: 'library/rescue/index', inspect: 'inspect/public-api' };

const common = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'es2022',
  alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' }, // the texts are English
  define: { 'process.env.EXTENSION_VERSION': JSON.stringify(MANIFEST.version) },
  mainFields: ['module', 'main'], // the main file of jsonc-parser cannot be bundled
  external: ['undici/*'],
  outdir: 'dist',
  logLevel: 'warning',
};
const toEntryPoints = (names) => Object.fromEntries(names.map((name) => [name, `src/${ENTRIES[name]}.ts`]));

/**
 * A few files instead of one a source file: Node loads them in a third of the time. undici is not in them, so that its
 * security fixes reach users without a new version of this package. Its real diagnostics channels belong to the program that
 * installed it, whereas in the extension they would be those of all extensions.
 */
const BUILDS = [
  {
    ...common,
    entryPoints: { ...toEntryPoints(['index', 'rescue']), cli: 'src/cli/main.ts' },
    splitting: true, // `.` contains the same rescue, and what a command loads contains the library
  },
  // On its own: with splitting it would share a file with, and load, the whole library for a few small functions.
  { ...common, entryPoints: toEntryPoints(['inspect']) },
];

/**
 * Lets bundlers leave out what is not used. They keep each constant whose value is computed and each class with a static block,
 * because computing might do something; no source file here does anything but define.
 * @param text Output of esbuild, whose statements begin at the left margin.
 */
function markPure(text) {
  const definition = /^var (\w+) = (?!(?:async )?function\b|\/\*)([^]*?);\n(?=\n*[^\s)\]}])/gm;
  const isPlain = /^(?:[\w.]+|"[^"\n]*"|\/.*\/\w*|(?:async )?(?:\([^)]*\)|\w+) =>[^]*)$/;
  const isComputed = (value) =>
    value.startsWith('class ') ? /\n {2}(?:static |\[)/.test(value) : !isPlain.test(value);
  // The members of `import * as name`.
  const namespace = /^var (\w+) = \{\};\n__export\(\1, (\{[^]*?\n\})\);\n/gm;
  const wrap = (name, lines) =>
    `var ${name} = /* @__PURE__ */ (() => {\n  ${lines}\n  return ${name};\n})();\n`;
  return text
    .replace(/^import "\.\/[^"]*";\n/gm, '')
    .replace(namespace, (_, name, members) =>
      wrap(name, `const ${name} = {};\n  __export(${name}, ${members});`),
    )
    .replace(definition, (statement, name, value) =>
      // With a constant inside, a class still gets its name from it.
      isComputed(value) ? wrap(name, `const ${name} = ${value};`) : statement,
    );
}

/** @returns names of the packages that are contained in the modules */
async function writeModules(folder) {
  const packages = new Set();
  for (const options of BUILDS) {
    const { outputFiles, metafile } = await esbuild.build(options);
    for (const { path, text } of outputFiles) {
      const marked = markPure(text);
      await esbuild.transform(marked); // throws if the statements were not what `markPure` takes them for
      const file = basename(path);
      write(join(folder, 'dist', file), file === 'cli.js' ? `#!/usr/bin/env node\n${marked}` : marked);
    }
    for (const input of Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))) {
      const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
      if (name !== undefined) packages.add(name);
    }
  }
  return packages;
}

/** One file for each source file that is reachable from an entry, with the endings that Node's resolution needs. */
async function writeTypes(folder, scratch) {
  const options = {
    composite: false,
    declaration: true,
    noCheck: true, // `npm run typecheck` does that
    rootDir: join(root, 'src'),
    outDir: join(scratch, 'types'),
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    lib: ['ES2023', 'ES2024.String'],
  };
  const project = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: options,
    files: Object.values(ENTRIES).map((entry) => join(root, 'src', `${entry}.ts`)),
    references: [],
  };
  write(join(scratch, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, '-p', scratch], { cwd: root, quiet: true });
  const isFile = (module) => existsSync(join(scratch, 'types', `${module}.d.ts`));
  const modules = new Set(Object.values(ENTRIES));
  for (const module of modules) {
    const text = readFileSync(join(scratch, 'types', `${module}.d.ts`), 'utf8');
    const linked = text.replaceAll(/(from |import\()(['"])(\.[^'"]*)\2/g, (_, word, quote, to) => {
      const target = posix.join(posix.dirname(module), to);
      const ending = isFile(target) ? '' : '/index';
      modules.add(target + ending);
      return `${word}${quote}${to}${ending}.js${quote}`;
    });
    write(join(folder, 'types', `${module}.d.ts`), linked);
  }
}

/** The extension's notices without the software that only the extension contains. */
function toNotices(packages) {
  const [list = '', ...licences] = readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8').split(
    /^(?=-{9})/m,
  );
  const missing = new Set(packages);
  const kept = list.replaceAll(/^(\S.*) \([^()]+\)\n(?: .*\n)+/gm, (notice, names) => {
    const named = names.split(', ').map((name) => name.toLowerCase().replaceAll(' ', ''));
    const contained = named.filter((name) => missing.delete(name));
    return contained.length > 0 ? notice : '';
  });
  if (missing.size > 0) throw new Error(`THIRD-PARTY-NOTICES lacks ${[...missing].join(', ')}`);
  return kept.replace(/^Icons:.*\n(?: .*\n)+/m, '') + licences.join('');
}

function toManifest() {
  const { name, version, license, engines, devDependencies } = MANIFEST;
  const toExport = (entry) => ({ types: `./types/${ENTRIES[entry]}.d.ts`, default: `./dist/${entry}.js` });
  const { index, ...others } = Object.fromEntries(Object.keys(ENTRIES).map((key) => [key, toExport(key)]));
  return {
    name,
    version,
    description:
      'Talk to language models, read the tool calls that they write as text, and judge the replies.',
    keywords: ['llm', 'tool calling', 'ollama', 'openai compatible', 'evaluation'],
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: engines.node },
    exports: {
      '.': index,
      ...Object.fromEntries(Object.entries(others).map(([key, paths]) => [`./${key}`, paths])),
      './package.json': './package.json',
    },
    bin: { [name]: './dist/cli.js' },
    files: ['dist', 'types', 'examples', 'docs', 'ci', 'THIRD-PARTY-NOTICES'],
    dependencies: { undici: devDependencies.undici },
  };
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes the files of the package into an empty folder. */
export async function writeNpmPackage(folder) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'npm-package-')));
  try {
    const [packages] = await Promise.all([writeModules(folder), writeTypes(folder, scratch)]);
    write(join(folder, 'package.json'), `${JSON.stringify(toManifest(), null, 2)}\n`);
    write(join(folder, 'THIRD-PARTY-NOTICES'), toNotices(packages));
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    copyFileSync(join(root, 'src', 'library', 'README.md'), join(folder, 'README.md'));
    for (const name of ['examples', 'docs', 'ci'])
      cpSync(join(root, 'media', name), join(folder, name), { recursive: true });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @returns path of the tarball, which is in `folder` */
export async function packNpmPackage(folder) {
  const content = join(folder, 'package');
  mkdirSync(content, { recursive: true });
  await writeNpmPackage(content);
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: content, quiet: true });
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const tarball = join(folder, 'provider-playground.tgz');
  renameSync(join(folder, packed), tarball);
  return tarball;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    const tarball = await packNpmPackage(folder);
    mkdirSync(join(root, 'dist'), { recursive: true });
    copyFileSync(tarball, join(root, 'dist', 'provider-playground.tgz'));
    console.log('dist/provider-playground.tgz');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
