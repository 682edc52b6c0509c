// A module of custom providers in a real VS Code: its confirmation, its connection and a run. The tests depend on their order.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acmeModule } from '../support/custom-modules';
import type { TestServer } from '../support/http-server';
import { sendJson, startServer } from '../support/http-server';
import { runCommand, screenshot, screenshotFailures, webview, Workbench } from './support';

let server: TestServer;
let workbench: Workbench;
let path: string;

const panel = (): ReturnType<typeof webview> => webview(workbench.page);
const button = (name: string): Locator => panel().getByRole('button', { name, exact: true });
const lane = (): Locator => panel().getByRole('region', { name: 'Lane 1' });
const row = (name: RegExp): Locator => workbench.page.getByRole('treeitem', { name }).first();
const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');
const connectionBox = (): Locator => lane().getByRole('combobox', { name: 'Connection' });

async function answer(name: string): Promise<void> {
  await dialog().getByRole('button', { name }).click();
  await dialog().waitFor({ state: 'hidden' });
}

async function connectionNames(): Promise<string[]> {
  await connectionBox().click();
  await panel().getByRole('option').first().waitFor();
  const names = await panel().getByRole('option').allInnerTexts();
  await connectionBox().press('Escape');
  return names.map((name) => name.trim());
}

async function chooseConnection(name: string): Promise<void> {
  await connectionBox().click();
  await panel().getByRole('option', { name, exact: true }).first().click();
}

beforeAll(async () => {
  server = await startServer((_, response, count) =>
    sendJson(response, count === 1 ? 503 : 200, { text: 'Greetings from Acme.' }, { 'retry-after-ms': '5' }),
  );
  workbench = await Workbench.open();
  path = join(workbench.folder, 'acme.mjs');
  writeFileSync(
    path,
    acmeModule(server.url, `static playground = { host: '${server.url}', model: 'anvil' };`),
  );
  workbench.updateSettings({ 'providerPlayground.customProviders': 'acme.mjs' });
});
screenshotFailures(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await server?.[Symbol.asyncDispose]();
});

describe('a module of custom providers', () => {
  it('needs a confirmation that names its full path, and does not run when it is declined', async () => {
    // The view lists it by itself, although no playground is open.
    await runCommand(workbench.page, 'Provider Playground: Focus on Connections View');
    await dialog().waitFor();
    const text = await dialog().innerText();
    expect(text).toContain(path);
    expect(text).toContain('all the rights of the editor');
    await screenshot(workbench.page, 'custom-1-question');
    await answer('Cancel');
    await row(/^acme\.mjs.*module/).waitFor();
    await runCommand(workbench.page, 'Provider Playground: Open Playground');
    await lane().getByRole('button', { name: 'Lane settings' }).click();
    expect(await connectionNames()).toEqual(['Demo (local protocol)', 'Demo (hosted protocol)', 'acme.mjs']);
    await chooseConnection('acme.mjs');
    await lane().getByText('because you declined it').first().waitFor();
    await screenshot(workbench.page, 'custom-2-declined');
  });

  it('adds a connection when it is allowed later by command', async () => {
    await runCommand(workbench.page, 'Provider Playground: Load Custom Providers');
    await dialog().waitFor();
    await answer('Run Module');
    await expect.poll(connectionNames).toContain('Acme');
    await chooseConnection('Acme');
    await lane().getByText('from a module of custom providers').waitFor();
    await row(/^Acme.*module/).waitFor();
  });

  it('sends a chat, with a retry after a 503', async () => {
    await button('Run').click();
    await lane().getByText('Greetings from Acme.').first().waitFor();
    await lane().getByText('2 attempts').first().waitFor();
    await screenshot(workbench.page, 'custom-3-run');
    expect(JSON.parse(server.requests[1]?.body ?? '')).toMatchObject({ model: 'anvil' });
  });

  it('needs a new confirmation when its file has changed', async () => {
    writeFileSync(path, acmeModule(server.url).replace('AcmeProvider', 'BetterProvider'));
    await dialog().waitFor();
    expect(await dialog().innerText()).toContain('has changed');
    await answer('Run Module');
    await expect.poll(connectionNames).toContain('Better');
    expect(await connectionNames()).not.toContain('Acme');
  });
});
