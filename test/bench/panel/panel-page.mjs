// The panel in a real Chromium, with everything that an editor provides: its files, a few colours, and a
// connection to the host.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../../support/browser/chromium.mjs';
import { CONNECTION, servePage } from '../../support/browser/panel-server.mjs';
import { traceTasks } from './trace-tasks.mjs';

const PROBE = fileURLToPath(new URL('page/page-probe.js', import.meta.url));

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="stylesheet" href="/webview.css">
</head>
<body>
<script type="module" src="/webview.js"></script>
</body>
</html>`;

/** A page without a host has its replies in the setup. */
const toHead = (setup) =>
  [
    `<script>window.benchSetup = ${JSON.stringify(setup).replaceAll('<', String.raw`\u003c`)};</script>`,
    setup.replies ? '' : CONNECTION,
    '<script src="/page-probe.js"></script>',
  ].join('');

/** Everything counts as drawn after this long without a change. */
const QUIET_MS = 300;
const QUICK_QUIET_MS = 60;

/**
 * @param options.dist Folder of the panel's bundle.
 * @param options.isQuick Only checks that everything runs; the results mean nothing.
 * @param options.setup `replies`: by method, for a page without a host. `text`: text that the first frame must
 *   show.
 * @param options.handlers The host's handlers by method.
 */
export async function openPanel({ dist, isQuick, setup = {}, handlers = {} }) {
  const quietMs = isQuick ? QUICK_QUIET_MS : QUIET_MS;
  const server = await startServer({ dist, setup: { ...setup, quietMs }, handlers });
  const profile = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(profile, { recursive: true, force: true }));
  const { context, page } = await launch(profile);
  const problems = [];
  page.on('pageerror', ({ stack }) => problems.push(stack));
  const devtools = await context.newCDPSession(page);
  return {
    page,
    devtools,
    open: () => page.goto(server.origin),
    post: (lines) => server.post(lines),
    /** Waits until everything is drawn. @returns what the main thread did meanwhile, and for how long it was blocked. */
    async measure(work) {
      const endTrace = await traceTasks(devtools);
      await page.evaluate(() => window.bench.begin());
      await work();
      const measured = await page.evaluate(() => window.bench.end());
      return { ...measured, longestCpuMs: await endTrace() };
    },
    /** Size of the JavaScript heap in bytes, after garbage collection. */
    async heapBytes() {
      await devtools.send('HeapProfiler.collectGarbage');
      return (await devtools.send('Runtime.getHeapUsage')).usedSize;
    },
    async close() {
      await context.close();
      server.close();
      rmSync(profile, { recursive: true, force: true });
      if (problems.length > 0) throw new Error(`the panel threw\n${problems.join('\n')}`);
    },
  };
}

async function startServer({ dist, setup, handlers }) {
  const answer = async ({ kind, id, method, params }) => {
    if (kind !== 'request') return;
    const handler = handlers[method] ?? (() => null);
    const result = await handler(params);
    server.post(`${JSON.stringify({ kind: 'reply', id, ok: true, result })}\n`);
  };
  const server = await servePage({
    dist,
    files: [PROBE],
    html: () => PAGE,
    head: toHead(setup),
    receive: (frame) => void answer(frame),
  });
  return server;
}
