// Rescue out of the npm package, on a page and in a worker without a bundler: the browser loads the files as they are packed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch } from '../support/browser/chromium.mjs';
import { writeNpmPackage } from '../support/build/npm-package.mjs';
import type { TestServer } from '../support/servers/http-server';
import { startServer } from '../support/servers/http-server';

const folder = mkdtempSync(join(tmpdir(), 'rescue-page-'));
const content = join(folder, 'package');
/** Functions of the page: both read a reply, one of them in a worker. */
const PAGE = `<!doctype html><title>A page</title>
<script type="importmap">{ "imports": { "provider-playground/rescue": "/dist/rescue.js" } }</script>
<script type="module">
  import { rescueToolCalls } from 'provider-playground/rescue';
  globalThis.read = ({ text, tools }) => rescueToolCalls(text, tools);
  globalThis.readInWorker = (reply) =>
    new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(reply);
    });
</script>`;
const WORKER = `import { rescueToolCalls } from '/dist/rescue.js';
onmessage = ({ data }) => postMessage(rescueToolCalls(data.text, data.tools));`;

let server: TestServer;
let page: Page;

beforeAll(async () => {
  await writeNpmPackage(content);
  server = await startServer(({ url }, response) => {
    const file = /^\/dist\/[\w-]+\.js$/.exec(url)?.[0];
    const isScript = file !== undefined || url === '/worker.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(file === undefined ? (isScript ? WORKER : PAGE) : readFileSync(join(content, file), 'utf8'));
  });
  ({ page } = await launch(join(folder, 'profile')));
  await page.goto(server.url);
});
afterAll(async () => {
  await page?.context().close();
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A reply that was cut, and the tool that it calls. */
const asked = {
  text: 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}',
  tools: [{ name: 'get_weather', parameters: { type: 'object' } }],
};
const found = {
  content: 'Let me look.',
  calls: [{ id: expect.stringMatching(/^\w{9}$/), name: 'get_weather', arguments: { city: 'Oslo' } }],
};

describe('rescue in a browser', () => {
  it.each([
    ['on a page', 'read'],
    ['in a worker', 'readInWorker'],
  ])('reads a reply %s', async (_, name) => {
    expect(await page.evaluate(`${name}(${JSON.stringify(asked)})`)).toMatchObject(found);
  });
});
