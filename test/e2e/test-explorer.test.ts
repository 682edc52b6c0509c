// Evaluations in the Test Explorer of a real VS Code: found without a playground being opened, run, explained by their messages,
// judged again as the file is edited, and stepped through in the panel. The tests depend on their order.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  focusEditor,
  Panel,
  root,
  runCommand,
  screenshot,
  screenshotInThemes,
  stopAtFailure,
  Workbench,
} from './support';

const NAME = 'reliability.playground.json';

let workbench: Workbench;

const page = () => workbench.page;
/** Rows of the tree by their accessible name, which has the state. */
const row = (text: string | RegExp): Locator =>
  page()
    .locator('.test-explorer .monaco-list-row')
    .and(page().getByRole('treeitem', { name: text }));
const frame = () => new Panel(page()).frame;

async function expand(label: string): Promise<void> {
  await row(new RegExp(`^${label}`))
    .first()
    .click();
  await page().keyboard.press('ArrowRight');
}

/** Presses a button that a row shows while the mouse is over it. */
async function press(item: Locator, button: string | RegExp): Promise<void> {
  await item.hover();
  await item.getByRole('button', { name: button }).first().click();
}

/** Chooses from the menu that the right mouse button opens; it takes no click just after that. */
async function chooseFromMenu(item: Locator, entry: string): Promise<void> {
  await item.click({ button: 'right' });
  await page().locator('.monaco-menu').getByRole('menuitem', { name: entry }).first().hover();
  await page().keyboard.press('Enter');
  await page().locator('.monaco-menu').waitFor({ state: 'hidden' });
}

const dialog = (): Locator => page().locator('.monaco-dialog-box');

/** The example, with two rows. */
function smallExample(repeat: number): string {
  const text = readFileSync(join(root, 'media', 'examples', NAME), 'utf8');
  return text
    .replace('"repeat": 10', `"repeat": ${repeat}`)
    .replace(/\{ "\$id": "bergen"[^\]]*\}\n/, '{ "$id": "rome", "city": "Rome" }\n');
}

const edit = (change: (text: string) => string): void => {
  const path = join(workbench.folder, NAME);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
};

beforeAll(async () => {
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    // The hover of a row would lie over the next one.
    settings: { 'workbench.hover.delay': 60_000 },
  });
  await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // So many samples that a start asks: VS Code notices a change on the disk some time later.
  writeFileSync(join(workbench.folder, NAME), smallExample(20));
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('evaluations in the Test Explorer', () => {
  it('are listed though no playground was opened', async () => {
    await page().reload();
    await runCommand(page(), 'Testing: Focus on Test Explorer View');
    await row(/^reliability/).waitFor();
    await expand('reliability');
    await expand('native-call');
    await row(/^rome/).first().waitFor();
  });

  it('say what they would send and ask, before they send much', async () => {
    await press(row(/^reliability/), 'Run Test');
    await dialog().getByText('It sends up to 120 requests, which cost nothing.').waitFor();
    await screenshotInThemes(page(), workbench.folder, 'tests estimate');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await row(/^reliability.*Skipped/).waitFor();
    edit((text) => text.replace('"repeat": 20', '"repeat": 2'));
  });

  it('run, and say of each row how it came out', async () => {
    const asks = dialog().getByRole('button', { name: 'Cancel' });
    // Until VS Code has noticed the change on the disk, it asks.
    const run = async (): Promise<string> => {
      await press(row(/^reliability/), 'Run Test');
      const ran = row(/^reliability.*Failed/);
      await ran.or(asks).waitFor();
      if (await ran.isVisible()) return 'ran';
      await asks.click();
      await row(/^reliability.*Skipped/).waitFor();
      return 'asked';
    };
    await expect.poll(run).toBe('ran');
    await row(/^native-call.*Passed/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'tests done');
  });

  it('open what the run came to, in an editor that is not open yet', async () => {
    await runCommand(page(), 'View: Close All Editors');
    await row(/^rome/).first().click();
    await frame().getByRole('tab', { name: 'Evaluate', selected: true }).waitFor();
    await frame()
      .getByText(/^\s*12 samples/)
      .first()
      .waitFor();
  });

  it('explain a failure, and lead to the sample that failed', async () => {
    const message = page().locator('.test-output-peek-tree .monaco-list-row', { hasText: /of 2 samples: / });
    await message.first().waitFor();
    await message.first().click();
    await screenshotInThemes(page(), workbench.folder, 'tests failure');
    await page().getByText('Open Failing Sample', { exact: true }).first().click();
    await frame().getByText('Expectations', { exact: true }).first().waitFor();
    await screenshot(page(), 'tests sample');
  });

  it('show what a row is beside what passes, and copy it as an expectation', async () => {
    const message = page().locator('.test-output-peek-tree .monaco-list-row', {
      hasText: /1 of 2 samples: /,
    });
    await chooseFromMenu(message.first(), 'Compare with Passing Sample');
    await page().locator('.editor-instance .monaco-diff-editor').waitFor();
    await screenshotInThemes(page(), workbench.folder, 'tests compare');
    await chooseFromMenu(message.first(), 'Copy as Expectation');
    await page().getByText('Paste it into').first().waitFor();
    await screenshot(page(), 'tests copied');
    expect(await page().evaluate<string>('navigator.clipboard.readText()')).toMatch(/^\{\s+"calls"/);
  });

  it('are shown in the panel: a row as its case', async () => {
    await row(/^flaky/)
      .first()
      .waitFor();
    await expand('flaky');
    const rome = row(/^rome/).last();
    await chooseFromMenu(rome, 'Show in Playground');
    // The one of the sample that was opened before may be selected still.
    const chosen = frame().getByRole('row', { name: /^rome/ }).locator('td[aria-selected=true]');
    await chosen.waitFor();
    expect(await chosen.getAttribute('aria-colindex')).toBe('5');
    await screenshotInThemes(page(), workbench.folder, 'tests case');
  });

  it('are judged again as the file is edited', async () => {
    edit((text) => text.replace('"completionTokens": 26', '"completionTokens": 1'));
    await row(/^native-call.*Failed/).waitFor();
    edit((text) => text.replace('"completionTokens": 1', '"completionTokens": 26'));
    await row(/^native-call.*Passed/).waitFor();
  });

  it('run again whenever the file is saved, if that is switched on', async () => {
    await press(row(/^reliability/), 'Turn on Continuous Run');
    await runCommand(page(), 'Provider Playground: Open as Text');
    await focusEditor(page(), 'What is the weather');
    await page().keyboard.press('Control+a');
    await page().keyboard.insertText(smallExample(2).replace('What is the weather', 'How is the weather'));
    const shown = page().locator('.test-output-peek-tree');
    const runs = (): Promise<number> => shown.getByText('Evaluate', { exact: true }).count();
    const before = await runs();
    await page().keyboard.press('Control+s');
    await expect.poll(runs, { timeout: 60_000 }).toBeGreaterThan(before);
    // The scripted model answers another question in another way.
    await row(/^reliability.*Passed/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'tests on save');
    await press(row(/^reliability/), 'Turn off Continuous Run');
    await runCommand(page(), 'View: Close All Editors');
  });

  it('are stepped through in the panel', async () => {
    await press(row(/^rome/).first(), 'Debug Test');
    await frame().getByText('How is the weather in Rome?').first().waitFor();
    await frame()
      .getByText(/Paused/)
      .first()
      .waitFor();
    await screenshot(page(), 'tests steps');
    expect(await frame().getByText('What is the weather in Oslo?').count()).toBe(0);
  });
});
