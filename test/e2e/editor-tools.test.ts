// Really invokes tools that VS Code offers: one of another extension, and one of an MCP server over stdio. The tests depend on
// their order.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, runCommand, screenshot, stopAtFailure, Workbench } from './support';

const NAME = 'tools.playground.json';
const TEXT = '{ "tools": [], "lanes": [{ "id": "a", "connection": "demo", "model": "uses-result" }] }\n';
const MCP_SERVER = fileURLToPath(new URL('support/mcp-server.mjs', import.meta.url));

let workbench: Workbench;
let panel: Panel;

const onDisk = (): string => readFileSync(join(workbench.folder, NAME), 'utf8');
const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');
const rows = (): Locator => workbench.page.locator('.quick-input-list .monaco-list-row');

async function importTool(name: string): Promise<void> {
  const { page } = workbench;
  await panel.frame.getByRole('tab', { name: 'Tools', exact: true }).click();
  await panel.button('Import tools').first().click();
  await rows().filter({ hasText: 'Tools of the editor' }).first().click();
  const ok = page.locator('.quick-input-widget .monaco-button', { hasText: 'OK' }).first();
  // The OK button belongs to the second quick pick: text typed before it is there is lost.
  await ok.waitFor();
  // The list renders only visible rows, and the editor has many tools of its own, so it is filtered.
  await page.locator('.quick-input-widget input[type="text"]').first().fill(name);
  await rows().filter({ hasText: name }).first().click();
  await ok.click();
  await panel.says(panel.frame.locator('.tool-list'), name);
  await page.locator('.notification-toast').getByRole('button', { name: 'Really Invoke Them' }).click();
}

async function runAgent(message: string): Promise<void> {
  await panel.frame.getByRole('tab', { name: 'Chat', exact: true }).click();
  await panel.message.fill(message);
  await panel.button('Run agent').first().click();
}

beforeAll(async () => {
  workbench = await Workbench.open({ settings: { 'chat.disableAIFeatures': false } });
  panel = new Panel(workbench.page);
  writeFileSync(join(workbench.folder, NAME), TEXT);
  const harbour = { type: 'stdio', command: process.execPath, args: [MCP_SERVER] };
  mkdirSync(join(workbench.folder, '.vscode'));
  writeFileSync(
    join(workbench.folder, '.vscode', 'mcp.json'),
    JSON.stringify({ servers: { harbour } }, null, 2),
  );
  await runCommand(workbench.page, 'Go to File...');
  await workbench.page.locator('.quick-input-widget input[type="text"]').first().fill(NAME);
  await rows().filter({ hasText: NAME }).first().click();
  await panel.lane().waitFor();
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('a tool of another extension', () => {
  it('is imported with its schema and a mock that invokes the real tool', async () => {
    await importTool('find_station');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('"invoke": true');
    expect(JSON.parse(onDisk())).toMatchObject({
      tools: [{ name: 'find_station', parameters: { type: 'object', required: ['city'] } }],
    });
    await screenshot(workbench.page, 'editor-tools-1-imported');
  });

  it('is invoked after the person has seen the arguments and confirmed', async () => {
    await runAgent('Which station is there in Oslo?');
    await dialog().waitFor();
    await screenshot(workbench.page, 'editor-tools-2-question');
    const text = await dialog().innerText();
    expect(text).toContain('find_station');
    expect(text).toContain('"city": "Oslo"');
    await dialog().getByRole('button', { name: 'Invoke', exact: true }).click();
    await panel.says(panel.lane(), 'of the editor’s tool');
    await panel.says(panel.lane(), /Oslo-Blindern/);
    await panel.says(panel.lane(), 'after 1 call');
    await screenshot(workbench.page, 'editor-tools-3-invoked');
  });

  it('is not invoked when the person declines; the model gets an error result', async () => {
    await runAgent('Which station is there in Bergen?');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await panel.says(panel.lane(), 'The tool find_station failed: It was not confirmed.');
    await panel.says(panel.lane(), 'refused, an error');
    expect(await panel.lane().getByText('Bergen-Blindern').count()).toBe(0);
  });
});

describe('a tool of an MCP server', () => {
  it('can be imported once the server is started', async () => {
    const { page } = workbench;
    await runCommand(page, 'MCP: List Servers');
    await rows().filter({ hasText: 'harbour' }).first().click();
    await rows().filter({ hasText: 'Start Server' }).first().click();
    await page.locator('.part.panel .view-line', { hasText: 'Discovered' }).waitFor();
    await importTool('count_ships');
    await screenshot(page, 'editor-tools-4-mcp');
  });

  it('is invoked after the person has confirmed', async () => {
    await runAgent('How many ships are there in Oslo?');
    await dialog().waitFor();
    const text = await dialog().innerText();
    expect(text).toContain('count_ships');
    expect(text).toContain('"city": "Oslo"');
    await dialog().getByRole('button', { name: 'Invoke', exact: true }).click();
    await panel.says(panel.lane(), /17 in Oslo/);
    await screenshot(workbench.page, 'editor-tools-5-mcp');
  });
});
