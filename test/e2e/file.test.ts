// Playground files in a real VS Code: opened, run, edited in the panel and as text, undone, saved and compared; and read-only
// by a setting, by file permissions, or for one tab by command.
// The tests depend on their order.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findAxeViolations,
  focusEditor,
  Keyboard,
  Panel,
  runCommand,
  screenshot,
  stopAtFailure,
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

/** The system prompt on the left and on the right side of the diff editor. */
const diff = async (): Promise<string[]> => {
  const { page } = workbench;
  const sides = ['.original', '.modified'].map((side) =>
    page.locator(`.monaco-diff-editor .editor${side} .view-lines`),
  );
  const texts = await Promise.all(sides.map((side) => side.innerText()));
  return texts.map((text) => /Answer [^"]*/.exec(text.replaceAll('\u00a0', ' '))?.[0] ?? text);
};

async function chooseInExplorer(file: string, action: string): Promise<void> {
  const { page } = workbench;
  await page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: file })
    .first()
    .click({ button: 'right' });
  const menu = page.locator('.context-view.monaco-menu-container');
  // Not by a click: the menu ignores clicks for a moment after it has opened.
  await menu.locator('.action-label', { hasText: action }).first().hover();
  await page.keyboard.press('Enter');
  await menu.waitFor({ state: 'hidden' });
}

const system = () => panel.frame.getByRole('textbox', { name: 'System prompt' });
const onDisk = (): string => readFileSync(path, 'utf8');
const tab = () => workbench.page.locator('.tab', { hasText: NAME }).first();

/** Waits until the tab is no longer marked as dirty, a moment after saving: until then the editor asks before it closes. */
const waitUntilSaved = (): Promise<void> =>
  workbench.page.locator('.tab.dirty', { hasText: NAME }).first().waitFor({ state: 'hidden' });

const openFile = (name: string): Promise<void> =>
  panel.replace(() => new Keyboard(workbench.page).openFile(name));

beforeAll(async () => {
  // VS Code in a browser saves automatically, so no unsaved change could be compared with the saved file.
  workbench = await Workbench.open({ settings: { 'files.autoSave': 'off' } });
  panel = new Panel(workbench.page);
  path = join(workbench.folder, NAME);
  writeFileSync(path, TEXT);
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('a playground file', () => {
  it('opens in the panel with its contents and no default message', async () => {
    await openFile(NAME);
    await expect.poll(() => system().inputValue()).toBe('Answer in one sentence.');
    await panel.says(panel.lane(), 'native-call');
    expect(await panel.message.inputValue()).toBe('');
    await screenshot(workbench.page, 'file-1-opened');
  });

  it('is saved after a run with the question and its comments, and without the reply', async () => {
    await panel.ask('What is the weather in Oslo?');
    await panel.says(panel.lane(), 'Native');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('What is the weather in Oslo?');
    // While it saves, the editor ignores what others write.
    await waitUntilSaved();
    expect(onDisk()).toContain('// asked each morning');
    expect(onDisk()).not.toContain('toolCalls');
    await screenshot(workbench.page, 'file-2-run');
  });

  it('follows changes on disk, and names the line that cannot be parsed', async () => {
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

  it('undoes typing in each field by Ctrl+Z first, and the last edit of the file after that', async () => {
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
    await waitUntilSaved();
  });

  it('is edited, undone and saved in a text editor beside the panel', async () => {
    const { page } = workbench;
    const { keyboard } = page;
    await runCommand(page, 'Provider Playground: Open as Text');
    await focusEditor(page, 'morning');
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
    await waitUntilSaved();
    await page.locator('.tab', { hasText: NAME }).nth(1).locator('.tab-actions .action-label').click();
    await lines.waitFor({ state: 'hidden' });
  });

  it('is compared with its saved version in the text diff editor', async () => {
    const { page } = workbench;
    await system().fill('Answer as a haiku.');
    await system().press('Tab');
    await tab().and(page.locator('.dirty')).waitFor();
    await runCommand(page, 'File: Compare Active File with Saved');
    await expect.poll(diff).toEqual(['Answer in seven words.', 'Answer as a haiku.']);
    await screenshot(page, 'file-6-compared');
    await page.keyboard.press('Control+s');
    await expect.poll(onDisk).toContain('Answer as a haiku.');
    await waitUntilSaved();
    await page.keyboard.press('Control+w');
    await expect.poll(() => system().inputValue()).toBe('Answer as a haiku.');
  });

  it('is compared with another playground file', async () => {
    const { page } = workbench;
    writeFileSync(join(workbench.folder, OTHER), TEXT.replace('one sentence', 'French'));
    await chooseInExplorer(OTHER, 'Select for Compare');
    await chooseInExplorer(NAME, 'Compare with Selected');
    await expect.poll(diff).toEqual(['Answer in French.', 'Answer as a haiku.']);
    await screenshot(page, 'file-7-compared');
    await page.keyboard.press('Control+w');
    await panel.says(panel.lane(), 'Native');
    expect(readFileSync(join(workbench.folder, OTHER), 'utf8')).toContain('Answer in French.');
  });
});

describe('a playground file that is read-only', () => {
  const LOCKED =
    '{ "system": "Answer in one sentence.", "lanes": [{ "id": "a", "model": "native-call" }] }\n';
  const pathOf = (name: string): string => join(workbench.folder, `${name}.playground.json`);
  const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8');
  const banner = () => panel.frame.locator('.banner');

  async function save(name: string, part: string): Promise<void> {
    await workbench.page
      .locator('.tab.dirty', { hasText: `${name}.playground.json` })
      .first()
      .waitFor();
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(() => textOf(name)).toContain(part);
  }

  beforeAll(() => {
    for (const name of ['generated', 'permitted', 'plain']) writeFileSync(pathOf(name), LOCKED);
    chmodSync(pathOf('permitted'), 0o444);
    workbench.updateSettings({
      'files.readonlyInclude': { 'gen*.playground.json': true },
      'files.readonlyFromPermissions': true,
    });
  });

  it('by a pattern of the settings shows a banner, and can be made writable', async () => {
    await openFile('generated.playground.json');
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
    await openFile('permitted.playground.json');
    await panel.says(banner(), 'files.readonlyFromPermissions');
    workbench.updateSettings({ 'files.readonlyFromPermissions': false });
    await banner().waitFor({ state: 'hidden' });
    await expect.poll(() => system().isDisabled()).toBe(false);
  });

  it('by command in one tab still takes edits, says that they do not reach the file, and saves them once made writable', async () => {
    await openFile('plain.playground.json');
    await runCommand(workbench.page, 'File: Set Active Editor Read-only in Session');
    await system().fill('Answer as a haiku.');
    await system().press('Tab');
    await panel.says(banner(), 'your changes here are not written to it');
    expect(await system().inputValue()).toBe('Answer as a haiku.');
    await screenshot(workbench.page, 'read-only-3-tab');
    await panel.button('Make Writable').click();
    await banner().waitFor({ state: 'hidden' });
    await save('plain', 'Answer as a haiku.');
    expect(textOf('plain')).toBe(LOCKED.replace('in one sentence', 'as a haiku'));
  });
});

describe('a playground file with a merge conflict', () => {
  it('is named as such, with readable colours in the theme that the editor starts with', async () => {
    const name = 'conflict.playground.json';
    writeFileSync(join(workbench.folder, name), '{\n<<<<<<< HEAD\n  "system": "a"\n}\n');
    await new Keyboard(workbench.page).openFile(name);
    const banner = panel.frame.locator('.banner.is-error');
    await panel.says(banner, 'The file has a merge conflict');
    expect(await findAxeViolations(banner, 'colours')).toEqual([]);
  });
});
