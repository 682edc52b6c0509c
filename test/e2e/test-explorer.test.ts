// Evaluations in the Test Explorer of a real VS Code: found without a playground being opened, run, explained by their messages,
// judged again as the file is edited, and stepped through in the panel. The tests depend on their order.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, root, runCommand, screenshot, screenshotInThemes, stopAtFailure, Workbench } from './support';

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

/** The example, with few samples. */
function smallExample(): string {
  const text = readFileSync(join(root, 'media', 'examples', NAME), 'utf8');
  return text
    .replace('"repeat": 10', '"repeat": 2')
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
  writeFileSync(join(workbench.folder, NAME), smallExample());
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

  it('run, and say of each row how it came out', async () => {
    await press(row(/^reliability/), 'Run Test');
    await row(/^reliability.*Failed/).waitFor();
    await row(/^native-call.*Passed/).waitFor();
    await screenshotInThemes(page(), workbench.folder, 'tests done');
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

  it('are judged again as the file is edited', async () => {
    edit((text) => text.replace('"completionTokens": 26', '"completionTokens": 1'));
    await row(/^native-call.*Failed/).waitFor();
    edit((text) => text.replace('"completionTokens": 1', '"completionTokens": 26'));
    await row(/^native-call.*Passed/).waitFor();
  });

  it('are stepped through in the panel', async () => {
    await press(row(/^rome/).first(), 'Debug Test');
    await frame().getByText('What is the weather in Rome?').first().waitFor();
    await frame()
      .getByText(/Paused/)
      .first()
      .waitFor();
    await screenshot(page(), 'tests steps');
    expect(await frame().getByText('What is the weather in Oslo?').count()).toBe(0);
  });
});
