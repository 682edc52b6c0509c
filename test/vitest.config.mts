// Projects of vitest: unit, contract and long tests in plain Node; tests of the webview in happy-dom; end-to-end tests in a
// real VS Code.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Loads icons as text, like the bundler does; Vite would turn them into URLs. */
const svgAsText = {
  name: 'svg-as-text',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.endsWith('.svg') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
};

const root = fileURLToPath(new URL('..', import.meta.url));

const namesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();

/**
 * What the translation of a module depends on besides its text: options of the compiler, the plugins of this file, and
 * which modules there are, because an import is translated into the path of the file that it finds.
 */
const translation = createHash('sha256').update(root);
for (const file of ['tsconfig.json', 'test/vitest.config.mts'])
  translation.update(readFileSync(join(root, file)));
for (const folder of ['src', 'webview', 'test'])
  translation.update(
    namesIn(folder)
      .filter((name) => !name.includes('node_modules'))
      .join('\n'),
  );

const modules = join(root, 'node_modules/.vitest-modules');
const cache = translation.digest('hex');
if (existsSync(modules))
  for (const name of readdirSync(modules))
    if (name !== cache) rmSync(join(modules, name), { recursive: true, force: true });

const common = {
  // Long enough for a busy machine; they only end tests that hang.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  // Keeps translated modules in node_modules; translating them took a tenth of the time of a run.
  experimental: {
    fsModuleCache: true,
    fsModuleCachePath: join(modules, cache),
  },
};

/** For projects in processes: a larger young generation, because a third of the time went into collecting garbage. */
const execArgv = ['--max-semi-space-size=64'];

/** Test files that replace modules. They must not share modules with other files, which would get the replacement too. */
const mocking = namesIn('test/unit')
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/unit/webview/'))
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('vi.mock('));

const unit = {
  include: ['test/unit/**/*.test.ts'],
  exclude: ['test/unit/webview/**'],
  alias: { vscode: fileURLToPath(new URL('support/vscode-stub.ts', import.meta.url)) },
  ...common,
};

export default defineConfig({
  root,
  test: {
    // By default vitest leaves one core idle, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    // Lit prints this warning in each file of the webview, which would hide the output of failed tests.
    onConsoleLog: (log) => !log.includes('Lit is in dev mode'),
    projects: [
      // Most files share their modules, because loading them anew for each file took half of the time.
      { test: { ...unit, name: 'unit', exclude: [...unit.exclude, ...mocking], isolate: false, execArgv } },
      // A thread for each file, which starts faster than a process.
      { test: { ...unit, name: 'unit-mocking', include: mocking, pool: 'threads' } },
      {
        plugins: [svgAsText],
        test: {
          name: 'webview',
          include: ['test/unit/webview/**/*.test.ts'],
          environment: 'happy-dom',
          // A document of its own for each file but not a process, because starting processes took half of the time.
          pool: 'vmThreads',
          ...common,
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          isolate: false,
          execArgv,
          ...common,
        },
      },
      { test: { name: 'long', include: ['test/long/**/*.test.ts'], ...common } },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: 'test/e2e/support/shared-hosts.ts',
          // Each process keeps its browser open for all its files.
          isolate: false,
          // After all other projects, which use every core.
          sequence: { groupOrder: 1 },
          ...common,
          // Polling every 20 ms would slow down the page under test.
          expect: { poll: { ...common.expect.poll, interval: 50 } },
        },
      },
    ],
  },
});
