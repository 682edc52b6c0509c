// The Wire tab in a real VS Code: requests and answers are opened in editors, copied, run as a command, exported and compared.
// And the way to a server: a proxy that does not answer, and requests that are cancelled. The tests depend on their order.
import { execFile } from 'node:child_process';
import type { Locator } from 'playwright-core';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/servers/http-server';
import { startServer } from '../support/servers/http-server';
import { ModelServer } from '../support/servers/model-server';
import {
  focusEditor,
  Panel,
  renderedMarkdown,
  runCommand,
  screenshot,
  stopAtFailure,
  Workbench,
} from './support';

const PAGE = '<!DOCTYPE html>\n<html>\n<h1>502 Bad Gateway</h1>\n</html>\n';
const run = promisify(execFile);

const modelServer = new ModelServer();
let server: TestServer;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name });
const code = (): Locator => page().locator('.editor-instance .view-line');

/** The visible text of the editor, which draws spaces as no-break spaces. */
const shown = async (): Promise<string> =>
  (await code().allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
/** The visible document of a diagnosis or report. */
const rendered = (): Promise<string> => renderedMarkdown(page());
const copied = (): Promise<string> => page().evaluate<string>('navigator.clipboard.readText()');

async function closeEditor(name: string): Promise<void> {
  await tab(name).locator('.tab-actions .action-label').click();
  await tab(name).first().waitFor({ state: 'hidden' });
}

beforeAll(async () => {
  server = await startServer((_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end(PAGE),
  );
  await modelServer.start();
  const once = { provider: 'hosted-api', model: 'm', auth: 'none', retry: { maxAttempts: 1 } };
  workbench = await Workbench.open({
    viewport: { width: 1800, height: 1000 },
    settings: {
      // Nothing listens there. It is not used for servers of this machine.
      'http.proxy': 'http://127.0.0.1:9',
      'providerPlayground.connections': {
        odd: { ...once, host: server.url },
        near: { ...once, label: 'Near by', host: `${modelServer.host}/v1`, model: 'tiny:latest' },
        far: { ...once, label: 'Far away', host: 'http://models.invalid/v1' },
      },
    },
  });
  panel = await Panel.open(workbench.page);
});
stopAtFailure(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
  await modelServer.stop();
  await server?.[Symbol.asyncDispose]();
});

describe('the inspector', () => {
  it('shows every attempt of a run in the Wire tab, refused ones included', async () => {
    await panel.button('Run').click();
    await panel.says(panel.lane(1), 'Rescued');
    await panel.inspector.getByRole('tab', { name: 'Attempts' }).focus();
    await page().keyboard.press('End');
    await panel.button('Response of attempt 1', panel.inspector).waitFor();
    await panel.button('Events of attempt 3', panel.inspector).waitFor();
    await screenshot(page(), 'wire-1-tab');
  });

  it('copies the request as a command that works', async () => {
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await panel.button('Copy request as', panel.inspector).click();
    await panel.frame.getByRole('menuitem', { name: 'cURL (bash)' }).click();
    await expect.poll(copied).toContain('curl --no-buffer');
    const { stdout } = await run('bash', ['-c', await copied()]);
    // The demo model refuses the first requests of each caller.
    expect(stdout).toMatch(/^\{"(error|model)"/);
    await screenshot(page(), 'wire-4-copied');
  });

  it('opens an answer by keyboard in an editor that is read-only', async () => {
    await panel.button('Response of attempt 1', panel.inspector).focus();
    await page().keyboard.press('Enter');
    await tab('response.json').waitFor();
    await expect.poll(shown).toMatch(/\{\n?\s*"error"/);
    await focusEditor(page(), '"error"');
    await page().keyboard.type('x');
    await page().getByText('Editor is read-only').first().waitFor();
    expect(await shown()).not.toContain('x{');
    await screenshot(page(), 'wire-2-answer');
    await closeEditor('response.json');
  });

  it('reads the stored reply again without rescue, and compares both readings in an editor', async () => {
    await panel.openTab('Rescue');
    const again = panel.inspector.getByRole('region', { name: 'Read again' });
    await panel.says(again, 'Read this way, the text is the final answer and there is no call.');
    await again.scrollIntoViewIfNeeded();
    await screenshot(page(), 'read-again-1');
    await panel.button('Compare in an editor', again).focus();
    await page().keyboard.press('Enter');
    await tab('Original reading').waitFor();
    await page().locator('.monaco-diff-editor .line-delete').first().waitFor();
    await screenshot(page(), 'read-again-2-compared');
    await closeEditor('Original reading');
    await panel.openTab('Wire');
  });

  it('exports a run as a report to the makers of the server, with its version and the expected call', async () => {
    await panel.button('Export run as', panel.inspector).click();
    await panel.frame.getByRole('menuitem', { name: 'Report to the makers' }).click();
    await expect.poll(rendered).toMatch(/comes as text, not in tool/);
    await expect.poll(rendered).toMatch(/Server: ollama \d/);
    await screenshot(page(), 'wire-5-report');
    await closeEditor('Preview Untitled');
    await expect.poll(shown).toMatch(/- Server: `ollama \d/);
    await runCommand(page(), 'View: Revert and Close Editor');
    await tab('Untitled').waitFor({ state: 'hidden' });
  });

  it('shows an HTML page that came instead of a reply byte for byte', async () => {
    await panel.inSettings(async () => {
      await panel.chooseConnection('odd');
    });
    await panel.ask('Hello?');
    await panel.says(panel.lane(1), 'Failed');
    await panel.openTab('Wire');
    await panel.says(panel.inspector, 'The body is an HTML page, not JSON.');
    await panel.button('Raw of attempt 1', panel.inspector).click();
    await tab('response.raw').waitFor();
    await expect.poll(shown).toContain('502 Bad Gateway');
    await screenshot(page(), 'wire-7-page');
    await closeEditor('response.raw');
  });
});

describe('a request to a server', () => {
  const toast = (text: string): Locator =>
    page().locator('.notification-list-item', { hasText: text }).first();

  /** Runs a command that asks for a connection. */
  async function runOn(connection: string, command: string): Promise<void> {
    await runCommand(page(), command);
    const quickInput = page().locator('.quick-input-widget');
    await quickInput.locator('.monaco-list-row', { hasText: connection }).first().waitFor();
    await quickInput.locator('input[type=text]').first().fill(connection);
    await quickInput.locator('.monaco-list-row.focused', { hasText: connection }).waitFor();
    await page().keyboard.press('Enter');
  }

  it('goes through the proxy of the settings, which the error names when it does not answer', async () => {
    await panel.inSettings(() => panel.chooseConnection('Far away'));
    await panel.ask('Still there?');
    await panel.says(panel.lane(), /The proxy does not answer/);
    await panel.button('Diagnose connection', panel.lane()).click();
    await expect.poll(rendered).toMatch(/failed — Connection to the proxy/);
    await expect.poll(rendered).toContain('1 failed, 0 warnings');
    await screenshot(page(), 'way-1-proxy-down');
    await page().keyboard.press('Control+w');
  });

  it('is aborted when a connection test is cancelled', async () => {
    modelServer.manner = 'hangs';
    await runOn('Near by', 'Provider Playground: Test Connection');
    await expect.poll(() => modelServer.waiting).toBe(1);
    await screenshot(page(), 'way-2-testing');
    await toast('Testing Near by').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => modelServer.waiting).toBe(0);
    await toast('Near by').waitFor({ state: 'detached' });
  });

  it('is aborted when a diagnosis is cancelled, whose report then says that it was stopped', async () => {
    await runOn('Near by', 'Provider Playground: Diagnose Connection');
    await expect.poll(() => modelServer.waiting).toBe(1);
    await toast('Diagnosing Near by').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => modelServer.waiting).toBe(0);
    await expect.poll(rendered).toMatch(/[Ss]topped/);
    await screenshot(page(), 'way-3-stopped');
  });

  it('succeeds in the next test of the same connection', async () => {
    modelServer.manner = 'answers';
    await runOn('Near by', 'Provider Playground: Test Connection');
    await page()
      .locator('.notification-list-item', { hasText: /answered in .*All is well/ })
      .first()
      .waitFor();
  });
});
