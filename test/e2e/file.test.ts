// A playground as a file in a real VS Code: opened, run, edited in the text editor beside it, undone, saved, found again.
// The tests follow each other: one sitting.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  focusedLines,
  Panel,
  runCommand,
  screenshot,
  screenshotFailures,
  waitUntilKept,
  Workbench,
} from './support';

const NAME = 'weather.playground.json';
const OTHER = 'other.playground.json';
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

/** What stands in the two sides of the diff in place of each other. */
const diff = async (): Promise<string[]> => {
  const { page } = workbench;
  const sides = ['.original', '.modified'].map((side) =>
    page.locator(`.monaco-diff-editor .editor${side} .view-lines`),
  );
  const texts = await Promise.all(sides.map((side) => side.innerText()));
  return texts.map((text) => /Answer [^"]*/.exec(text.replaceAll('\u00a0', ' '))?.[0] ?? text);
};

async function inExplorer(file: string, action: string): Promise<void> {
  const { page } = workbench;
  await page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: file })
    .first()
    .click({ button: 'right' });
  const menu = page.locator('.context-view.monaco-menu-container');
  // not by a click: the menu takes none for a moment after it has opened
  await menu.locator('.action-label', { hasText: action }).first().hover();
  await page.keyboard.press('Enter');
  await menu.waitFor({ state: 'hidden' });
}

const system = () => panel.frame.getByRole('textbox', { name: 'System prompt' });
const onDisk = (): string => readFileSync(path, 'utf8');
const tab = () => workbench.page.locator('.tab', { hasText: NAME }).first();

/** The editor knows a moment later that a file is saved, and asks before it closes until then. */
const untilClean = (): Promise<void> =>
  workbench.page.locator('.tab.dirty', { hasText: NAME }).first().waitFor({ state: 'hidden' });

async function openFile(): Promise<void> {
  const { page } = workbench;
  await runCommand(page, 'Go to File...');
  const box = page.locator('.quick-input-widget input[type="text"]').first();
  await box.fill(NAME);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: NAME }).first().click();
  await panel.lane().waitFor();
}

beforeAll(async () => {
  // a workbench in a browser saves by itself, so that there would be nothing to compare with what is saved
  workbench = await Workbench.open({ settings: { 'files.autoSave': 'off' } });
  panel = new Panel(workbench.page);
  path = join(workbench.folder, NAME);
  writeFileSync(path, TEXT);
});
screenshotFailures(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('a playground file', () => {
  it('opens in the panel, with what it says and nothing else', async () => {
    await openFile();
    await expect.poll(() => system().inputValue()).toBe('Answer in one sentence.');
    await panel.says(panel.lane(), 'native-call');
    expect(await panel.message.inputValue()).toBe('');
    await screenshot(workbench.page, 'file-1-opened');
  });

  it('runs; what was asked is in the file, what came back is not, and comments stay', async () => {
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(), 'Native');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('What is the weather in Oslo?');
    // While it saves, the editor ignores what others write.
    await untilClean();
    expect(onDisk()).toContain('// asked each morning');
    expect(onDisk()).not.toContain('toolCalls');
    await screenshot(workbench.page, 'file-2-run');
  });

  it('follows the text editor beside it, and says what it cannot read', async () => {
    writeFileSync(path, onDisk().replace('Answer in one sentence.', 'Answer in two words.'));
    await expect.poll(() => system().inputValue()).toBe('Answer in two words.');
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
    await system().fill('Answer as a poem.');
    await system().press('Tab');
    await tab().and(workbench.page.locator('.dirty')).waitFor();
    await runCommand(workbench.page, 'Undo');
    await expect.poll(() => system().inputValue()).toBe('Answer in two words.');
  });

  it('is undone by its key right behind typing, in any field, without a change on top of that', async () => {
    await system().fill('Answer as a poem.');
    await system().press('Tab');
    await tab().and(workbench.page.locator('.dirty')).waitFor();
    for (const box of [system(), panel.message]) {
      const before = await box.inputValue();
      await box.focus();
      await box.press('End');
      await box.pressSequentially(' Soon.');
      await box.press('Control+z');
      await expect.poll(() => box.inputValue()).toBe(before);
    }
    expect(await system().inputValue()).toBe('Answer as a poem.');
    await panel.message.press('Control+z');
    await expect.poll(() => system().inputValue()).toBe('Answer in two words.');
    await untilClean();
  });

  it('is edited, undone and saved in the text editor beside it', async () => {
    const { page } = workbench;
    const { keyboard } = page;
    await runCommand(page, 'Provider Playground: Open Playground as Text');
    await focusedLines(page).getByText('morning').waitFor();
    const lines = page.locator('.editor-instance .view-lines').first();
    const retype = async (): Promise<void> => {
      await keyboard.press('Control+Home');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'End']) await keyboard.press(key);
      for (const _ of ' words.",') await keyboard.press('ArrowLeft');
      await keyboard.press('Control+Shift+ArrowLeft');
      await keyboard.type('seven');
      await expect.poll(() => system().inputValue()).toBe('Answer in seven words.');
    };
    await retype();
    expect(onDisk()).toContain('Answer in two words.');
    await keyboard.press('Control+z');
    await expect.poll(() => system().inputValue()).toBe('Answer in two words.');
    await retype();
    await screenshot(page, 'file-5-beside');
    await keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('Answer in seven words.');
    await untilClean();
    await page.locator('.tab', { hasText: NAME }).nth(1).locator('.tab-actions .action-label').click();
    await lines.waitFor({ state: 'hidden' });
  });

  it('is compared with what is saved, as text', async () => {
    const { page } = workbench;
    await system().fill('Answer as a haiku.');
    await system().press('Tab');
    await tab().and(page.locator('.dirty')).waitFor();
    await runCommand(page, 'File: Compare Active File with Saved');
    await expect.poll(diff).toEqual(['Answer in seven words.', 'Answer as a haiku.']);
    await screenshot(page, 'file-6-compared');
    await page.keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('Answer as a haiku.');
    await untilClean();
    await page.keyboard.press('Control+w');
    await expect.poll(() => system().inputValue()).toBe('Answer as a haiku.');
  });

  it('is compared with another file', async () => {
    const { page } = workbench;
    writeFileSync(join(workbench.folder, OTHER), TEXT.replace('one sentence', 'French'));
    await inExplorer(OTHER, 'Select for Compare');
    await inExplorer(NAME, 'Compare with Selected');
    await expect.poll(diff).toEqual(['Answer in French.', 'Answer as a haiku.']);
    await screenshot(page, 'file-7-compared');
    await page.keyboard.press('Control+w');
    await panel.says(panel.lane(), 'Native');
    expect(readFileSync(join(workbench.folder, OTHER), 'utf8')).toContain('Answer in French.');
  });

  it('is found again after a reload in the middle of a run, with all that was said', async () => {
    await panel.useModel('slow');
    await panel.ask('And tomorrow?');
    await panel.says(panel.lane(), /Waiting for headers/);
    await panel.message.fill('What of Bergen?');
    await panel.message.press('Tab');
    await expect
      .poll(async () => {
        await workbench.page.keyboard.press('Control+s');
        return onDisk();
      })
      .toContain('What of Bergen?');
    // A file that is not saved yet keeps the page from being reloaded.
    await untilClean();
    await waitUntilKept(workbench.page, NAME);
    await workbench.page.reload();
    await panel.says(panel.lane(), 'What is the weather in Oslo?');
    await panel.says(panel.lane(), 'And tomorrow?');
    await panel.says(panel.lane(), 'Interrupted');
    await expect.poll(() => panel.message.inputValue()).toBe('What of Bergen?');
    expect(onDisk()).toContain('// asked each morning');
    await screenshot(workbench.page, 'file-8-reloaded');
  });
});
