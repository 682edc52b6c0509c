// Projects of vitest: unit, contract and long tests in plain Node; tests of the webview in happy-dom, and of the built panel in a
// plain browser; end-to-end tests in a real VS Code.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { moduleCache } from './support/module-cache.mjs';
import { v8Options } from './support/v8-options.mjs';

/** Loads icons as text, like the bundler does; Vite would turn them into URLs. */
const svgAsText = {
  name: 'svg-as-text',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.endsWith('.svg') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
};

const root = fileURLToPath(new URL('..', import.meta.url));

const common = {
  // Long enough for a busy machine; they only end tests that hang.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  // Keeps translated modules in node_modules; translating them took a tenth of the time of a run.
  experimental: {
    fsModuleCache: true,
    fsModuleCachePath: moduleCache(root, ['tsconfig.json', 'test/vitest.config.mts']),
  },
};

/** For projects in processes; threads have the options of this process. */
const execArgv = v8Options;

const texts = new Map(
  readdirSync(join(root, 'test/unit'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/unit/${file.replaceAll('\\', '/')}`)
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
);
const isOfWebview = (file: string) => file.startsWith('test/unit/webview/');
const testsWith = (pattern: RegExp, inWebview: boolean) =>
  [...texts.keys()].filter((file) => isOfWebview(file) === inWebview && pattern.test(texts.get(file) ?? ''));

/** Tests that replace modules. They must not share modules with other files, which would get the replacement too. */
const mocking = testsWith(/\bvi\.mock\(/, false);
/** Tests of host code with the stand-in that shows views, or the one that has files. */
const withViews = testsWith(/from '[./]+support\/vscode\/vscode-views'/, false).filter(
  (file) => !mocking.includes(file),
);
const withFiles = testsWith(/from '[./]+support\/vscode\/vscode-files'/, false).filter(
  (file) => !mocking.includes(file),
);
/** Tests of the webview that need a document of their own. */
const alone = testsWith(/^\/\/ @vitest-environment happy-dom$/m, true);

const standIn = (name: string) => ({
  vscode: fileURLToPath(new URL(`support/vscode/${name}.ts`, import.meta.url)),
});

const unit = {
  include: ['test/unit/**/*.test.ts'],
  exclude: ['test/unit/webview/**', ...mocking, ...withViews, ...withFiles],
  alias: standIn('vscode-stub'),
  isolate: false,
  execArgv,
  ...common,
};

/** For projects in a real VS Code. */
const inVscode = {
  execArgv,
  globalSetup: 'test/e2e/support/shared-hosts.ts',
  // Each process keeps its browser open for all its files.
  isolate: false,
  // After all other projects, which use every core.
  sequence: { groupOrder: 1 },
  // A VS Code and its browser together use nearly two cores: with a worker for each core, all files took longer.
  maxWorkers: Math.max(1, Math.floor(availableParallelism() / 2)),
  ...common,
  // Polling every 20 ms would slow down the page under test.
  expect: { poll: { ...common.expect.poll, interval: 100 } },
};

export default defineConfig({
  root,
  test: {
    // By default vitest leaves one core idle, which is half of a machine with two. A single worker would run all files of
    // vmThreads in one document.
    maxWorkers: Math.max(2, availableParallelism()),
    // Lit prints this warning in each file of the webview, which would hide the output of failed tests.
    onConsoleLog: (log) => !log.includes('Lit is in dev mode'),
    projects: [
      // Most files share their modules, because loading them anew for each file took half of the time.
      { test: { ...unit, name: 'unit' } },
      {
        test: {
          ...unit,
          name: 'unit-views',
          include: withViews,
          exclude: [],
          alias: standIn('vscode-views'),
        },
      },
      {
        test: {
          ...unit,
          name: 'unit-files',
          include: withFiles,
          exclude: [],
          alias: standIn('vscode-files'),
        },
      },
      // A thread for each file, which starts faster than a process.
      {
        test: {
          ...unit,
          name: 'unit-mocking',
          include: mocking,
          exclude: [],
          isolate: true,
          execArgv: [],
          pool: 'threads',
        },
      },
      {
        plugins: [svgAsText],
        test: {
          name: 'webview',
          include: ['test/unit/webview/**/*.test.ts'],
          exclude: alone,
          environment: 'happy-dom',
          // Files share their document and modules; loading both anew for each file took half of the time.
          isolate: false,
          execArgv,
          ...common,
        },
      },
      {
        plugins: [svgAsText],
        test: {
          name: 'webview-alone',
          include: alone,
          // Threads with modules and a document for each file, which start faster than processes.
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
      { test: { name: 'long', include: ['test/long/*.test.ts'], execArgv, ...common } },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          execArgv,
          globalSetup: 'test/browser/support/setup.ts',
          alias: { vscode: fileURLToPath(new URL('browser/support/vscode.ts', import.meta.url)) },
          // Files share their modules, because loading the extension anew for each of them takes longer.
          isolate: false,
          // Beside the tests in VS Code, which take longer.
          maxWorkers: 1,
          ...common,
        },
      },
      { test: { ...inVscode, name: 'e2e', include: ['test/e2e/**/*.test.ts'] } },
      { test: { ...inVscode, name: 'long-vscode', include: ['test/long/vscode/**/*.test.ts'] } },
    ],
  },
});
