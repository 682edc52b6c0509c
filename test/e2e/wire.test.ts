// The Wire tab in a real VS Code: requests and answers are opened in editors, copied, run as a command, exported and compared.
// The tests depend on their order.
import { execFile } from 'node:child_process';
import type { Locator } from 'playwright-core';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/http-server';
import { startServer } from '../support/http-server';
import {
  focusedLines,
  Panel,
  runCommand,
  screenshot,
  screenshotFailures,
  setPanelWidth,
  waitUntilKept,
  Workbench,
} from './support';

const PAGE = '<!DOCTYPE html>\n<html>\n<h1>502 Bad Gateway</h1>\n</html>\n';
const run = promisify(execFile);

let server: TestServer;
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name });
const code = (): Locator => page().locator('.editor-instance .view-line');

/** The visible text of the editor, which draws spaces as no-break spaces. */
const shown = async (): Promise<string> =>
  (await code().allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
const copied = (): Promise<string> => page().evaluate<string>('navigator.clipboard.readText()');

async function closeEditor(name: string): Promise<void> {
  await tab(name).locator('.tab-actions .action-label').click();
  await tab(name).first().waitFor({ state: 'hidden' });
}

beforeAll(async () => {
  server = await startServer((_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end(PAGE),
  );
  const odd = {
    provider: 'hosted-api',
    host: server.url,
    model: 'm',
    auth: 'none',
    retry: { maxAttempts: 1 },
  };
  workbench = await Workbench.open({
    viewport: { width: 1800, height: 1000 },
    settings: { 'providerPlayground.connections': { odd } },
  });
  panel = await Panel.open(workbench.page);
});
screenshotFailures(() => [workbench.page]);
afterAll(async () => {
  await workbench?.close();
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
    await focusedLines(page()).waitFor();
    await page().keyboard.type('x');
    await page().getByText('Editor is read-only').first().waitFor();
    expect(await shown()).not.toContain('x{');
    await screenshot(page(), 'wire-2-answer');
  });

  it('restores the run and the opened answer after a reload of the window', async () => {
    await waitUntilKept(page(), 'response.json');
    await page().reload();
    await tab('response.json').waitFor();
    await panel.says(panel.lane(1), 'Rescued');
    await tab('response.json').click();
    await expect.poll(shown).toMatch(/\{\n?\s*"error"/);
    await closeEditor('response.json');
  });

  it('opens a stream as a list of events with their times', async () => {
    await panel.button('Events of attempt 3', panel.inspector).click();
    await tab('response.events').waitFor();
    await expect.poll(shown).toMatch(/# \d+ events, with the time from the start of the attempt/);
    await expect.poll(shown).toMatch(/# 2 · \d+\.\d{3} s \(\+\d+ ms\)/);
    await screenshot(page(), 'wire-3-events');
    await closeEditor('response.events');
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
    await expect.poll(shown).toMatch(/comes as text,\s+not\s+in\s+tool/);
    await expect.poll(shown).toMatch(/- Server: `ollama \d/);
    await screenshot(page(), 'wire-5-report');
    await runCommand(page(), 'View: Revert and Close Editor');
    await tab('Untitled').waitFor({ state: 'hidden' });
  });

  it('says of each sampling parameter whether it was sent or dropped', async () => {
    await panel.inSettings(async () => {
      await panel.chooseConnection('Demo (hosted protocol)');
      await panel.chooseModel('native-call');
      for (const [name, value] of [
        ['Temperature', '0'],
        ['Top K', '40'],
      ] as const) {
        await panel.lane().getByRole('textbox', { name }).fill(value);
        await page().keyboard.press('Tab');
      }
    });
    await panel.ask('And in Bergen?');
    await panel.says(panel.lane(1), 'Native');
    const row = (name: string): Locator => panel.inspector.getByRole('row', { name });
    await panel.says(panel.inspector, '2 set, 1 sent, 1 dropped');
    expect(await row('temperature').innerText()).toMatch(/temperature\s+0\s+lane\s+temperature/);
    expect(await row('topK').innerText()).toContain('dropped, not supported by this server');
    await panel.button('Ask the server for its own defaults', panel.inspector).click();
    await panel.says(panel.inspector, /The server does not report|Server's own/);
    await screenshot(page(), 'wire-5-parameters');
  });

  it('compares the request of a run with that of another run', async () => {
    await panel.button('Compare run with', panel.inspector).focus();
    await page().keyboard.press('Enter');
    await panel.frame.getByRole('menuitem', { name: 'Request', exact: true }).first().waitFor();
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await tab('request').waitFor();
    await page().locator('.monaco-diff-editor .line-insert').first().waitFor();
    await screenshot(page(), 'wire-6-compared');
    await closeEditor('request');
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

  it('has no horizontal overflow in a narrow panel', async () => {
    await setPanelWidth(page(), 400);
    const files = panel.inspector.locator('.wire');
    await files.scrollIntoViewIfNeeded();
    const isOverfull = (): Promise<boolean> =>
      panel.inspector.locator('.pane').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    await expect.poll(isOverfull).toBe(false);
    await screenshot(page(), 'wire-8-narrow');
    await panel.inspector.locator('.parameters').scrollIntoViewIfNeeded();
    await screenshot(page(), 'wire-9-narrow-parameters');
  });
});
