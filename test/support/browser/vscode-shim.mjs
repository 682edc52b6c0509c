// Replaces the desktop VS Code executable: accepts its flags, runs the tests in the extension host of a real VS
// Code server with the real workbench in headless Chromium, prints their output, and exits with the exit code of
// the extension host.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, parseArgs } from 'node:util';
import { linkBuiltin } from '../host/builtin.mjs';
import { startServer, workbenchUrl } from '../host/server.mjs';
import { launch } from './chromium.mjs';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  strict: false, // other flags of the desktop are accepted and ignored
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { ...text, multiple: true },
    extensionTestsPath: text,
    'user-data-dir': text,
  },
});

/** Log lines of the workbench that are irrelevant here; they arrive together with the console output of the tests. */
const noise = [
  /^(Resolving|Resolved) connection|^Creating a socket|^Ignoring fetching|^Updating additional builtin/,
  /^Long running operations|^Could not read product/,
  /^\[(reconnection|Service Worker|AgentHost|AccountPolicy|lifecycle|LifecycleService)/,
];
const limitMs = 600_000;

function print(type, args) {
  if (noise.some((pattern) => pattern.test(args[0]))) return;
  const stream = type === 'error' || type === 'warn' ? process.stderr : process.stdout;
  stream.write(`${format(...args)}\n`);
}

/** Opens the workbench, which starts the suite. Resolves with the exit code of the extension host. */
async function runSuite(server, page, folder) {
  const ended = new Promise((resolve, reject) => {
    page.exposeFunction('codeAutomationExit', resolve).catch(reject); // the workbench calls both functions
    page.on('crash', () => reject(new Error('the workbench page crashed')));
    page.on('close', () => reject(new Error('the browser was closed')));
    void server.ended.then(() => reject(new Error(`the server ended by itself\n${server.log()}`)));
    setTimeout(() => reject(new Error(`no result within ${limitMs / 1000} s`)), limitMs).unref();
  });
  ended.catch(() => {}); // it may be rejected while the page is still loading
  await page.exposeFunction('codeAutomationLog', print);
  const { extensionDevelopmentPath: developmentPaths, extensionTestsPath: testsPath } = values;
  await page.goto(workbenchUrl(server, { folder, developmentPaths, testsPath }));
  return ended;
}

const scratch = mkdtempSync(join(tmpdir(), 'vscode-shim-'));
let server;
let browser;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => void browser?.context.close());
try {
  const [dataDir, builtinDir] = [values['user-data-dir'] ?? join(scratch, 'data'), join(scratch, 'builtin')];
  linkBuiltin(builtinDir);
  server = await startServer({ dataDir, dev: true, builtinDir });
  browser = await launch(join(scratch, 'profile'));
  process.exitCode = Number(await runSuite(server, browser.page, positionals[0] ?? scratch));
} catch (error) {
  console.error(`vscode-shim: ${error.message}`);
  process.exitCode = 1;
}
await browser?.context.close();
await server?.stop();
rmSync(scratch, { recursive: true, force: true });
