// Unit and contract tests in plain Node, and what takes long of them; the webview's in happy-dom; end to end in a real VS
// Code.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The bundler's own loader for icons, which Vite would turn into addresses. */
const svgAsText = {
  name: 'svg-as-text',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.endsWith('.svg') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
};

/** What hangs is ended; what only shares its machine with others is not. */
const limits = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a test puts in a module's place would be there for the next file as well, so these files share no modules. */
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
    // by default one core stays idle, which on two of them is half of the machine
    maxWorkers: availableParallelism(),
    // Lit warns of it in each file of the webview, which would hide the output of failed tests.
    onConsoleLog: (log) => !log.includes('Lit is in dev mode'),
    projects: [
      // most files share their modules: to load them anew for each took half of the time
      { test: { ...unit, name: 'unit', exclude: [...unit.exclude, ...mocking], isolate: false } },
      { test: { ...unit, name: 'unit-mocking', include: mocking } },
      {
        plugins: [svgAsText],
        test: {
          name: 'webview',
          include: ['test/unit/webview/**/*.test.ts'],
          environment: 'happy-dom',
          // a document of its own for each file, without a process of its own: half of the time went into starting those
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
          // Each process keeps its browser open from file to file.
          isolate: false,
          // After all others, which leave no core idle.
          sequence: { groupOrder: 1 },
          ...limits,
          // Looking at a page takes time from what is tested.
          expect: { poll: { ...limits.expect.poll, interval: 50 } },
        },
      },
    ],
  },
});
