// Which layer imports which, read from what a bundler actually follows. Project references and the linter enforce most of
// it; this enforces the rest, and fails if one of them checks nothing.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../src/library';
import { filesUnder } from '../support/texts/source-files';

/** Layer → the layers it may import besides itself. `library/x` is a folder of the library. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'src/types': [],
  'src/library': ['src/types'],
  // The types of the library only: what it does is given to the inspection, so that other parts load without it.
  'src/inspect': ['src/types', 'src/library'],
  'src/demo': ['src/types', 'src/library'],
  'src/protocol': ['src/types'],
  // The session may import the protocol for the types that it sends to its front ends.
  'src/session': ['src/types', 'src/library', 'src/inspect', 'src/protocol'],
  // Connections are what a session asks its port for, so they may import the session, which knows nothing of them.
  'src/connections': ['src/types', 'src/library', 'src/inspect', 'src/demo', 'src/protocol', 'src/session'],
  // Knows of no session: what it records is given to whoever started it.
  'src/recording': ['src/types', 'src/library', 'src/inspect'],
  'src/host': [
    'src/types',
    'src/library',
    'src/inspect',
    'src/demo',
    'src/protocol',
    'src/session',
    'src/connections',
    'src/recording',
  ],
  'src/cli': [
    'src/types',
    'src/library',
    'src/inspect',
    'src/demo',
    'src/protocol',
    'src/session',
    'src/connections',
    'src/recording',
  ],
  'src/extension.ts': ['src/host'],
  webview: ['src/types', 'src/protocol'],
};

/** The folders of the library from the inside out: none may import a later one. */
const FOLDERS = [
  ['util', 'errors.ts'],
  ['transport'],
  ['sampling', 'rescue', 'usage'],
  ['wire'],
  ['tool-schemas'],
  ['providers'],
  ['agent'],
  ['index.ts'],
];

const layerOf = (file: string): string =>
  Object.keys(MAY_IMPORT).find((layer) => file === layer || file.startsWith(`${layer}/`)) ?? file;

interface Edge {
  from: string;
  to: string;
  isExternal: boolean;
}

/** Type-only imports do not survive bundling, so they are read from the sources. */
function typeEdges(files: readonly string[]): Edge[] {
  return files.flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(/^(?:import|export)[^;]*? from '([^']+)'/gm)].map(
      ([, path = '']) => ({
        from,
        to: path.startsWith('.') ? new URL(path, `file:///${from}`).pathname.slice(1) : path,
        isExternal: !path.startsWith('.'),
      }),
    ),
  );
}

async function bundleEdges(files: readonly string[]): Promise<Edge[]> {
  // One entry point that imports all files: as entry points of their own, each would be bundled with all that it imports.
  const contents = files.map((file) => `import './${file}';`).join('\n');
  const { metafile } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    packages: 'external',
    loader: { '.svg': 'text', '.css': 'empty' },
    logLevel: 'silent',
  });
  const { '<stdin>': _, ...inputs } = metafile.inputs;
  return Object.entries(inputs).flatMap(([from, { imports }]) =>
    imports.map(({ path, external }) => ({ from, to: path, isExternal: external === true })),
  );
}

const files = [...filesUnder('src', '.ts'), ...filesUnder('webview', '.ts')].filter(
  (file) => !file.endsWith('.d.ts'),
);
const edges = [...(await bundleEdges(files)), ...typeEdges(files)].map((edge) => ({
  ...edge,
  from: edge.from.replaceAll('\\', '/'),
}));
const outside = edges.filter(({ isExternal }) => isExternal);
const importersOf = (name: RegExp): string[] => [
  ...new Set(outside.filter(({ to }) => name.test(to)).map(({ from }) => from)),
];

describe('the layers', () => {
  test.each(Object.keys(MAY_IMPORT))('%s contains files and imports only permitted layers', (layer) => {
    const own = edges.filter(({ from }) => layerOf(from) === layer);
    expect(files.filter((file) => layerOf(file) === layer).length).toBeGreaterThan(0);
    const wrong = own
      .filter(
        ({ to, isExternal }) => !isExternal && ![layer, ...(MAY_IMPORT[layer] ?? [])].includes(layerOf(to)),
      )
      .map(({ from, to }) => `${from} → ${to}`);
    expect(wrong).toEqual([]);
  });

  test('other layers are imported through their index only, except by the composition root and the host', () => {
    const wrong = edges
      .filter(({ from, to, isExternal }) => !isExternal && layerOf(from) !== layerOf(to))
      .filter(({ to }) => !/^(src\/\w+|webview)(\/index(\.ts)?)?$/.test(to))
      .map(({ from, to }) => `${from} → ${to}`);
    expect(wrong).toEqual([]);
  });

  test('the folders of the library import inwards only', () => {
    const rank = (file: string): number =>
      FOLDERS.findIndex((folders) =>
        folders.some((folder) => file.replace(/^src\/library\//, '').startsWith(folder.replace('.ts', ''))),
      );
    const inside = edges.filter(
      ({ from, to }) => from.startsWith('src/library/') && to.startsWith('src/library/'),
    );
    const wrong = inside
      .filter(({ from, to }) => rank(from) < rank(to))
      .map(({ from, to }) => `${from} → ${to}`);
    expect(inside.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  test('no file imports itself through others, not even for a type', () => {
    const isKnown = new Set(files);
    const toFile = (path: string): string | undefined =>
      [path, `${path}.ts`, `${path}/index.ts`].find((file) => isKnown.has(file));
    const imports = new Map(files.map((file) => [file, new Set<string>()]));
    for (const { from, to } of edges) {
      const file = toFile(to);
      if (file !== undefined) imports.get(from)?.add(file);
    }
    expect([...imports.values()].reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(1_000);
    // Files without imports that are still there are taken away until none is left; what remains is on a circle or before one.
    for (let isSmaller = true; isSmaller;) {
      const { size } = imports;
      for (const [file, targets] of imports)
        if (![...targets].some((target) => imports.has(target))) imports.delete(file);
      isSmaller = imports.size < size;
    }
    expect([...imports.keys()]).toEqual([]);
  });

  test('undici is imported by one file only, through deep paths', () => {
    expect(importersOf(/^undici/)).toEqual(['src/library/transport/client/dispatcher.ts']);
    expect(outside.filter(({ to }) => to === 'undici')).toEqual([]);
  });

  test('the toolkit is imported by one file only', () => {
    expect(importersOf(/^@vscode\/webview-ui-toolkit/)).toEqual(['webview/toolkit.ts']);
  });

  test('vscode is imported by the host and the composition root only', () => {
    const wrong = importersOf(/^vscode$/).filter((file) => !/^src\/(host\/|extension\.ts)/.test(file));
    expect(wrong).toEqual([]);
    expect(importersOf(/^vscode$/).length).toBeGreaterThan(3);
  });

  test('no Node module is imported by the webview or by what it shares with the host', () => {
    const node = new Set(builtinModules);
    const wrong = outside.filter(
      ({ from, to }) =>
        /^(webview|src\/(types|protocol|inspect))\//.test(from) && (to.startsWith('node:') || node.has(to)),
    );
    expect(wrong).toEqual([]);
  });

  test('rescue needs no Node module, so that it also works in a browser', async () => {
    const { metafile } = await build({
      entryPoints: ['src/library/rescue/index.ts'],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser', // Node modules do not resolve here
      logLevel: 'silent',
    });
    expect(Object.keys(metafile.inputs).length).toBeGreaterThan(100);
  });

  test('a protocol is named by its id in the catalog only', () => {
    const ids = PROVIDER_CATALOG.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    const name = new RegExp(`['"\`](?:${ids.join('|')})['"\`]`);
    const naming = files.filter((file) => name.test(readFileSync(file, 'utf8')));
    expect(naming).toEqual(['src/library/providers/catalog.ts']);
  });

  test('the types have no runtime code', async () => {
    const { outputFiles } = await build({
      entryPoints: ['src/types/index.ts'],
      bundle: true,
      write: false,
      format: 'esm',
    });
    expect(outputFiles[0]?.text.replaceAll(/\/\/.*|\s/g, '')).toBe('');
  });
});
