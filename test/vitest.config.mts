// Projects of vitest: unit, contract and long tests in plain Node; tests of the webview in happy-dom; end-to-end tests in a
// real VS Code.
import { readdirSync, readFileSync } from 'node:fs';
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

/** Long enough for a busy machine; they only end tests that hang. */
const limits = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};

const root = fileURLToPath(new URL('..', import.meta.url));

/** Test files that replace modules. They must not share modules with other files, which would get the replacement too. */
const mocking = readdirSync(join(root, 'test/unit'), { recursive: true, encoding: 'utf8' })
  .map((file) => `test/unit/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/unit/webview/'))
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('vi.mock('));

const unit = {
  include: ['test/unit/**/*.test.ts'],
  exclude: ['test/unit/webview/**'],
  alias: { vscode: fileURLToPath(new URL('support/vscode-stub.ts', import.meta.url)) },
  ...limits,
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
      { test: { ...unit, name: 'unit', exclude: [...unit.exclude, ...mocking], isolate: false } },
      { test: { ...unit, name: 'unit-mocking', include: mocking } },
      {
        plugins: [svgAsText],
        test: {
          name: 'webview',
          include: ['test/unit/webview/**/*.test.ts'],
          environment: 'happy-dom',
          // A document of its own for each file but not a process, because starting processes took half of the time.
          pool: 'vmThreads',
          ...limits,
        },
      },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], isolate: false, ...limits } },
      { test: { name: 'long', include: ['test/long/**/*.test.ts'], ...limits } },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: 'test/e2e/support/shared-hosts.ts',
          // Each process keeps its browser open for all its files.
          isolate: false,
          // After all other projects, which use every core.
          sequence: { groupOrder: 1 },
          ...limits,
          // Polling every 20 ms would slow down the page under test.
          expect: { poll: { ...limits.expect.poll, interval: 50 } },
        },
      },
    ],
  },
});
