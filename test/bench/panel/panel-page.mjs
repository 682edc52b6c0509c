// The panel in a real Chromium, with everything that an editor provides: its files, a few colours, and a
// connection to the host.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../../support/browser/chromium.mjs';
import { traceTasks } from './trace-tasks.mjs';

const OWN_FILES = ['page-probe.js', 'host-worker.js'];
const TYPES = { js: 'text/javascript', css: 'text/css' };

/** The part of a theme from which the panel's colours are derived. */
const THEME = `:root {
  --vscode-font-family: sans-serif; --vscode-font-size: 13px;
  --vscode-editor-font-family: monospace; --vscode-editor-font-size: 13px;
  --vscode-foreground: #ccc; --vscode-editor-background: #1f1f1f; --vscode-editor-foreground: #ccc;
  --vscode-sideBar-background: #181818; --vscode-panel-border: #2b2b2b; --vscode-focusBorder: #0078d4;
  --vscode-input-background: #313131; --vscode-input-foreground: #ccc; --vscode-button-background: #0078d4;
  --vscode-button-foreground: #fff; --vscode-descriptionForeground: #9d9d9d; --vscode-errorForeground: #f85149;
}`;

const toHtml = (setup) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<style>${THEME}</style>
<link rel="stylesheet" href="/webview.css">
<script>window.benchSetup = ${JSON.stringify(setup).replaceAll('<', String.raw`\u003c`)};</script>
<script src="/page-probe.js"></script>
</head>
<body class="vscode-dark">
<script type="module" src="/webview.js"></script>
</body>
</html>`;

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
    post: server.post,
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
  let events;
  /** Sends lines of JSON, each of them a frame. */
  const post = (lines) => events?.write(lines);
  const answer = async (request) => {
    const chunks = await request.toArray();
    const { kind, id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (kind !== 'request') return;
    const handler = handlers[method] ?? (() => null);
    const result = await handler(params);
    post(`${JSON.stringify({ kind: 'reply', id, ok: true, result })}\n`);
  };
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    if (name === 'request') {
      void answer(request).finally(() => response.end());
    } else if (name === 'events') {
      events = response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      events.flushHeaders();
    } else sendFile(response, { name, dist, setup });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    post,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function sendFile(response, { name, dist, setup }) {
  if (name === '') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(toHtml(setup));
    return;
  }
  const type = TYPES[name.split('.').at(-1)];
  if (type === undefined || name.includes('/')) {
    response.writeHead(404).end();
    return;
  }
  const path = OWN_FILES.includes(name) ? new URL(`page/${name}`, import.meta.url) : join(dist, name);
  response.writeHead(200, { 'content-type': type }).end(readFileSync(path));
}
