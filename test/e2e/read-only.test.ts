// Playground files that are read-only in VS Code: by a setting, by file permissions, or for one tab by command. The tests
// depend on their order.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, runCommand, screenshot, screenshotFailures, Workbench } from './support';

const TEXT = '{ "system": "Answer in one sentence.", "lanes": [{ "id": "a", "model": "native-call" }] }\n';

let workbench: Workbench;
let panel: Panel;

const system = () => panel.frame.getByRole('textbox', { name: 'System prompt' });
const pathOf = (name: string): string => join(workbench.folder, `${name}.playground.json`);
const onDisk = (name: string): string => readFileSync(pathOf(name), 'utf8');
const banner = () => panel.frame.locator('.banner');
const dirtyTab = (name: string) =>
  workbench.page.locator('.tab.dirty', { hasText: `${name}.playground.json` }).first();

async function open(name: string): Promise<void> {
  const { page } = workbench;
  await runCommand(page, 'Go to File...');
  await page.locator('.quick-input-widget input[type="text"]').first().fill(`${name}.playground.json`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await panel.lane().waitFor();
}

async function save(name: string, text: string): Promise<void> {
  await dirtyTab(name).waitFor();
  await workbench.page.keyboard.press('Control+s');
  await expect.poll(() => onDisk(name)).toContain(text);
}

beforeAll(async () => {
  workbench = await Workbench.open({ settings: { 'files.autoSave': 'off' } });
  panel = new Panel(workbench.page);
  for (const name of ['generated', 'permitted', 'plain']) writeFileSync(pathOf(name), TEXT);
  chmodSync(pathOf('permitted'), 0o444);
  workbench.updateSettings({
    'files.readonlyInclude': { 'gen*.playground.json': true },
    'files.readonlyFromPermissions': true,
  });
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('a playground file that is read-only', () => {
  it('by a pattern of the settings shows a banner, and can be made writable', async () => {
    await open('generated');
    await panel.says(banner(), 'files.readonlyInclude');
    await expect.poll(() => system().isDisabled()).toBe(true);
    await screenshot(workbench.page, 'read-only-1-setting');
    await panel.button('Make Writable').click();
    await banner().waitFor({ state: 'hidden' });
    await system().fill('Answer as a poem.');
    await system().press('Tab');
    await save('generated', 'Answer as a poem.');
  });

  it('by its permissions shows a banner, until the setting is switched off', async () => {
    await open('permitted');
    await panel.says(banner(), 'files.readonlyFromPermissions');
    workbench.updateSettings({ 'files.readonlyFromPermissions': false });
    await banner().waitFor({ state: 'hidden' });
    await expect.poll(() => system().isDisabled()).toBe(false);
  });

  it('by command in one tab still takes edits, says that they do not reach the file, and saves them once made writable', async () => {
    await open('plain');
    await runCommand(workbench.page, 'File: Set Active Editor Read-only in Session');
    await system().fill('Answer as a haiku.');
    await system().press('Tab');
    await panel.says(banner(), 'your changes here are not written to it');
    expect(await system().inputValue()).toBe('Answer as a haiku.');
    await screenshot(workbench.page, 'read-only-3-tab');
    await panel.button('Make Writable').click();
    await banner().waitFor({ state: 'hidden' });
    await save('plain', 'Answer as a haiku.');
    expect(onDisk('plain')).toBe(TEXT.replace('in one sentence', 'as a haiku'));
  });
});
