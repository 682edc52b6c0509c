// Unit and contract tests in plain Node; the webview's in happy-dom; end to end in a real VS Code.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
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
const SLOW_MACHINE_MS = 30_000;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // by default one core stays idle, which on two of them is half of the machine
    maxWorkers: availableParallelism(),
    projects: [
      {
        resolve: { alias: { vscode: fileURLToPath(new URL('support/vscode-stub.ts', import.meta.url)) } },
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: ['test/unit/webview/**'],
          testTimeout: SLOW_MACHINE_MS,
        },
      },
      {
        plugins: [svgAsText],
        test: { name: 'webview', include: ['test/unit/webview/**/*.test.ts'], environment: 'happy-dom' },
      },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: SLOW_MACHINE_MS } },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
