// A playground as a file in a real VS Code: opened, run, edited in the text editor beside it, undone, saved, found again.
// The tests follow each other: one sitting.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { Panel, runCommand, screenshot, Workbench } from './support';

const NAME = 'weather.playground.json';
const TEXT = `{
  // asked each morning
  "version": 1,
  "system": "Answer in one sentence.",
  "tools": [{ "name": "get_weather", "mocks": [{ "result": { "temp_c": -2 } }] }],
  "lanes": [{ "id": "a", "connection": "demo", "model": "native-call" }]
}
`;

let workbench: Workbench;
let panel: Panel;
let path: string;

const onDisk = (): string => readFileSync(path, 'utf8');
const tab = () => workbench.page.locator('.tab', { hasText: NAME }).first();

async function openFile(): Promise<void> {
  const { page } = workbench;
  await runCommand(page, 'Go to File...');
  const box = page.locator('.quick-input-widget input[type="text"]').first();
  await box.fill(NAME);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: NAME }).first().click();
  await panel.lane().waitFor();
}

beforeAll(async () => {
  workbench = await Workbench.open();
  panel = new Panel(workbench.page);
  path = join(workbench.folder, NAME);
  writeFileSync(path, TEXT);
});
beforeEach(({ task }) =>
  onTestFailed(async () => void (await screenshot(workbench.page, `failed ${task.name.slice(0, 60)}`))),
);
afterAll(() => workbench?.close());

describe('a playground file', () => {
  it('opens in the panel, with what it says and nothing else', async () => {
    await openFile();
    const system = panel.frame.getByRole('textbox', { name: 'System prompt' });
    await expect.poll(() => system.inputValue()).toBe('Answer in one sentence.');
    await panel.says(panel.lane(), 'native-call');
    expect(await panel.message.inputValue()).toBe('');
    await screenshot(workbench.page, 'file-1-opened');
  });

  it('runs; what was asked is in the file, what came back is not, and comments stay', async () => {
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(), 'Native');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('What is the weather in Oslo?');
    expect(onDisk()).toContain('// asked each morning');
    expect(onDisk()).not.toContain('toolCalls');
    await screenshot(workbench.page, 'file-2-run');
  });

  it('follows the text editor beside it, and says what it cannot read', async () => {
    writeFileSync(path, onDisk().replace('Answer in one sentence.', 'Answer in two words.'));
    const system = panel.frame.getByRole('textbox', { name: 'System prompt' });
    await expect.poll(() => system.inputValue()).toBe('Answer in two words.');
    const good = onDisk();
    writeFileSync(path, good.replace('"version": 1,', '"version": 1'));
    await panel.says(panel.frame.locator('body'), /[Ll]ine \d/);
    await screenshot(workbench.page, 'file-3-broken');
    writeFileSync(path, good);
    await panel.frame
      .getByText(/[Ll]ine \d/)
      .first()
      .waitFor({ state: 'hidden' });
  });

  it('is changed in the panel and undone as any file is', async () => {
    const system = panel.frame.getByRole('textbox', { name: 'System prompt' });
    await system.fill('Answer as a poem.');
    await system.press('Tab');
    await tab().and(workbench.page.locator('.dirty')).waitFor();
    await runCommand(workbench.page, 'Undo');
    await expect.poll(() => system.inputValue()).toBe('Answer in two words.');
  });

  it('is found again after a reload in the middle of a run, with all that was said', async () => {
    await panel.useModel('slow');
    await panel.ask('And tomorrow?');
    await panel.says(panel.lane(), /Waiting for headers/);
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('And tomorrow?');
    await workbench.page.waitForTimeout(6_000); // a workbench in a browser writes its state every five seconds
    await workbench.page.reload();
    await panel.says(panel.lane(), 'What is the weather in Oslo?');
    await panel.says(panel.lane(), 'Interrupted');
    await screenshot(workbench.page, 'file-4-reloaded');
  });
});
