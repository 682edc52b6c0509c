// How requests reach the server: the proxy setting changes, a request under way is cancelled, and the diagnosis names the
// machine that requests leave from. The tests depend on their order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/model-server';
import type { ProxyServer } from '../support/proxy-server';
import { startProxy } from '../support/proxy-server';
import {
  focusedLines,
  Panel,
  quietSettings,
  runCommand,
  screenshot,
  screenshotFailures,
  Workbench,
} from './support';

const USER = 'canary-user:canary-pass';
const AUTHORIZATION = `Basic ${Buffer.from(USER).toString('base64')}`;

const server = new ModelServer();
let proxies: [ProxyServer, ProxyServer];
let settings: Record<string, unknown>;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const press = (key: string): Promise<void> => page().keyboard.press(key);
const quickInput = (): Locator => page().locator('.quick-input-widget');
const toast = (text: string | RegExp): Locator =>
  page().locator('.notification-list-item', { hasText: text }).first();
const reportLine = (text: RegExp): Locator =>
  page()
    .locator('.editor-instance .view-line', { hasText: new RegExp(text.source.replaceAll(' ', '\\s')) })
    .first();
/** The targets of each proxy without repeats: a run may open a second tunnel while the first one is busy. */
const targets = (): string[][] =>
  proxies.map(({ tunnels }) => [...new Set(tunnels.map(({ target }) => target))]);

/** Edits the user settings as text, in the editor. */
async function changeUserSettings(changes: Record<string, unknown>): Promise<void> {
  settings = { ...settings, ...changes };
  await runCommand(page(), 'Preferences: Open User Settings (JSON)');
  await focusedLines(page()).waitFor();
  const text = JSON.stringify(settings, null, 2);
  // Pasted, because the editor closes brackets by itself while text is typed.
  await page().evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await press('Control+a');
  await press('Control+v');
  await press('Control+s');
  const file = join(workbench.dataDir, 'User', 'settings.json');
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(text);
  await press('Control+w');
  await page().locator('.monaco-modal-editor-block').waitFor({ state: 'hidden' });
  await panel.lane().waitFor();
}

/** Runs a command that asks for a connection. */
async function runOn(connection: string, command: string): Promise<void> {
  await runCommand(page(), command);
  const row = quickInput().locator('.monaco-list-row', { hasText: connection });
  await row.first().waitFor();
  await quickInput().locator('input[type=text]').first().fill(connection);
  await quickInput().locator('.monaco-list-row.focused', { hasText: connection }).waitFor();
  await press('Enter');
}

async function ask(connection: string): Promise<void> {
  await panel.inSettings(() => panel.chooseConnection(connection));
  const clear = panel.button('Clear conversation', panel.lane());
  if (await clear.isEnabled()) await clear.click();
  await panel.ask('How are you?');
  await panel.says(panel.lane(), 'All is well.');
}

beforeAll(async () => {
  await server.start();
  const port = Number(new URL(server.host).port);
  proxies = [await startProxy(port), await startProxy(port, { wanted: AUTHORIZATION })];
  const once = { provider: 'hosted-api', auth: 'none', model: 'tiny:latest', retry: { maxAttempts: 1 } };
  settings = {
    ...quietSettings,
    'http.proxy': `http://${proxies[0].address}`,
    'providerPlayground.connections': {
      far: { label: 'Far away', host: 'http://models.invalid/v1', ...once },
      near: { label: 'Near by', host: `${server.host}/v1`, ...once },
    },
  };
  workbench = await Workbench.open({ settings });
  await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  panel = await Panel.open(page());
});
screenshotFailures(() => [page()]);
afterAll(async () => {
  await workbench?.close();
  for (const proxy of proxies ?? []) await proxy[Symbol.asyncDispose]();
  await server.stop();
});

describe('the proxy', () => {
  it('from the settings is used for a server that only the proxy can resolve', async () => {
    await ask('Far away');
    expect(targets()).toEqual([['models.invalid:80'], []]);
  });

  it('changes with the setting from the next message on, and gets its user name and password', async () => {
    await changeUserSettings({ 'http.proxy': `http://${USER}@${proxies[1].address}` });
    await ask('Far away');
    expect(targets()).toEqual([['models.invalid:80'], ['models.invalid:80']]);
    expect(proxies[1].tunnels[0]?.authorization).toBe(AUTHORIZATION);
    await screenshot(page(), 'way-1-switched');
  });

  it('is not used for a server on this machine', async () => {
    await ask('Near by');
    expect(targets()).toEqual([['models.invalid:80'], ['models.invalid:80']]);
  });

  it('that does not answer is named in the panel', async () => {
    await changeUserSettings({ 'http.proxy': 'http://127.0.0.1:9' });
    await panel.inSettings(() => panel.chooseConnection('Far away'));
    await panel.ask('Still there?');
    await panel.says(panel.lane(), /The proxy does not answer/);
    await screenshot(page(), 'way-2-proxy-down');
    await panel.button('Diagnose connection', panel.lane()).click();
    await reportLine(/failed.. — Connection to the proxy/).waitFor();
    await reportLine(/1 failed, 0 warnings/).waitFor();
    await press('Control+w');
  });
});

describe('the diagnosis', () => {
  it('names the machine that requests leave from', async () => {
    await runOn('Near by', 'Provider Playground: Diagnose Connection');
    await reportLine(/\d failed, \d warnings?, \d+ ok/).waitFor();
    await reportLine(/Requests leave from: The machine/).waitFor();
    await screenshot(page(), 'way-3-place');
    await press('Control+w');
  });
});

describe('Cancel', () => {
  it('aborts the request of a connection test and closes its notification', async () => {
    server.manner = 'hangs';
    await runOn('Near by', 'Provider Playground: Test Connection');
    await expect.poll(() => server.waiting).toBe(1);
    await screenshot(page(), 'way-4-testing');
    await toast(/Testing Near by/)
      .getByRole('button', { name: 'Cancel' })
      .click();
    await expect.poll(() => server.waiting).toBe(0);
    await toast(/Near by/).waitFor({ state: 'detached' });
  });

  it('aborts the request of a diagnosis, which then says that it was stopped', async () => {
    await runOn('Near by', 'Provider Playground: Diagnose Connection');
    await expect.poll(() => server.waiting).toBe(1);
    await screenshot(page(), 'way-5-diagnosing');
    await toast(/Diagnosing Near by/)
      .getByRole('button', { name: 'Cancel' })
      .click();
    await expect.poll(() => server.waiting).toBe(0);
    await reportLine(/[Ss]topped/).waitFor();
    await screenshot(page(), 'way-6-stopped');
  });

  it('does not affect the next test of the same connection', async () => {
    server.manner = 'answers';
    await runOn('Near by', 'Provider Playground: Test Connection');
    await toast(/answered in .*All is well/).waitFor();
  });
});
