// What a reload of a window keeps and changes, after a key was replaced in a second one. VS Code in a browser reads the stored
// secrets once, when a window is loaded. One reload for all tests, because loading the workbench costs more than they do; the tests
// depend on their order.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Keyboard,
  Panel,
  runCommand,
  screenshot,
  stopAtFailure,
  waitUntilKept,
  webview,
} from '../../e2e/support';
import { connectionRow, FIRST_KEY, KeyedWindows, openKeyed } from '../../e2e/support/keyed-windows';

const NAME = 'weather.playground.json';
const TEXT = `{
  // asked each morning
  "tools": [{ "name": "get_weather", "mocks": [{ "result": { "temp_c": -2 } }] }],
  "lanes": [{ "id": "a", "connection": "demo", "model": "native-call" }]
}
`;
const QUESTION = 'What is the weather in Oslo?';
const LAB_TEXT = '[get_time] {"zone": "CET"} [/get_time]';

let windows: KeyedWindows;
let panel: Panel;

const page = () => windows.workbench.page;
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name }).first();
const labBox = (): Locator => webview(page()).getByRole('textbox', { name: 'Text to read' });
const onDisk = (): string => readFileSync(join(windows.workbench.folder, NAME), 'utf8');
const shown = async (): Promise<string> =>
  (await page().locator('.editor-instance .view-line').allInnerTexts()).join('\n');

async function closeAll(): Promise<void> {
  await runCommand(page(), 'View: Close All Editors');
  await expect.poll(() => page().locator('.tabs-container .tab').count()).toBe(0);
}

/** Runs the question to its end, and leaves another run under way. */
async function run(later: string): Promise<void> {
  await panel.ask(QUESTION);
  await panel.says(panel.lane(), 'Native');
  await panel.useModel('hangs');
  await panel.ask(later);
  await panel.says(panel.lane(), /Waiting for headers/);
}

async function openFile(): Promise<void> {
  writeFileSync(join(windows.workbench.folder, NAME), TEXT);
  await new Keyboard(page()).openFile(NAME);
  await tab(NAME).waitFor();
  await panel.says(panel.lane(), 'native-call');
  await run('And tomorrow?');
  await panel.message.fill('What of Bergen?');
  await panel.message.press('Tab');
  const saved = async (): Promise<string> => {
    await page().keyboard.press('Control+s');
    return onDisk();
  };
  await expect.poll(saved).toContain('What of Bergen?');
  // A file that is not saved yet keeps the page from being reloaded.
  await page().locator('.tab.dirty').first().waitFor({ state: 'hidden' });
}

async function openLab(): Promise<void> {
  await runCommand(page(), 'Provider Playground: Open Format Lab');
  await labBox().fill(LAB_TEXT);
  await webview(page()).locator('.outcome').getByText('Rescued').first().waitFor();
}

/** Opens a playground, and the request of its run in an editor beside it. */
async function openPlayground(): Promise<void> {
  await Panel.open(page());
  await panel.useModel('native-call');
  await run('A question before the reload');
  await panel.lane().getByRole('button', { name: 'get_weather' }).first().click();
  await panel.openTab('Wire');
  await panel.button('Request of attempt 1', panel.inspector).click();
  await tab('request.json').waitFor();
}

beforeAll(async () => {
  windows = await KeyedWindows.open();
  panel = new Panel(page());
  await windows.replaceKey();
});
stopAtFailure(() => [page(), windows.other]);
afterAll(() => windows?.close());

describe('after a reload of the window', () => {
  it('all tabs are there', async () => {
    await closeAll();
    await openFile();
    await openLab();
    await openPlayground();
    const titles = (): Promise<string[]> => page().locator('.tab').allInnerTexts();
    const before = await titles();
    expect(before).toHaveLength(4);
    for (const kept of [QUESTION, 'request.json', 'get_time', NAME]) await waitUntilKept(page(), kept);
    await page().reload();
    await expect.poll(titles).toEqual(before);
  });

  it('a playground has its conversation, and the run under way is marked as interrupted', async () => {
    await panel.says(panel.lane(), 'A question before the reload');
    await panel.says(panel.lane(), 'Interrupted');
    await screenshot(page(), 'windows-2-playground');
  });

  it('an opened request is still there, beside the playground', async () => {
    await expect.poll(shown).toMatch(/"messages"/);
  });

  it('the format lab has its text', async () => {
    await tab('Format Lab').click();
    await expect.poll(() => labBox().inputValue()).toBe(LAB_TEXT);
    await webview(page()).locator('.outcome').getByText('Rescued').first().waitFor();
  });

  it('a file has its conversation, the run under way marked as interrupted, and the message that was not sent', async () => {
    await tab(NAME).click();
    await panel.says(panel.lane(), QUESTION);
    await panel.says(panel.lane(), 'And tomorrow?');
    await panel.says(panel.lane(), 'Interrupted');
    await expect.poll(() => panel.message.inputValue()).toBe('What of Bergen?');
    expect(onDisk()).toContain('// asked each morning');
    await screenshot(page(), 'windows-3-file');
  });

  it('the history lists the runs', async () => {
    await runCommand(page(), 'Provider Playground: Focus on History View');
    await page()
      .getByRole('treeitem', { name: /^What is the weather in Oslo/ })
      .first()
      .waitFor();
    await page()
      .getByRole('treeitem', { name: /^weather/ })
      .first()
      .waitFor();
    await screenshot(page(), 'windows-4-history');
  });

  it('the key that was replaced in the second window is sent', async () => {
    await closeAll();
    const opened = await openKeyed(page());
    const { chats } = windows.server;
    await opened.ask('How are you?');
    await expect.poll(() => windows.server.chats).toBe(chats + 1);
    expect(windows.keysSeen()).not.toContain(`Bearer ${FIRST_KEY}`);
  });

  it('no key is left once it is forgotten in the second window', async () => {
    await runCommand(page(), 'Provider Playground: Focus on Connections View');
    await runCommand(windows.other, 'Provider Playground: Forget All Keys…');
    // Clicked, because the panel behind the dialog may take the focus on a busy machine.
    await windows.other
      .locator('.monaco-dialog-box')
      .getByRole('button', { name: 'Forget All', exact: true })
      .click();
    await connectionRow(page(), /^My API.*needs a key/).waitFor();
    await screenshot(page(), 'windows-5-forgotten');
  });
});
