// Evaluations without the editor, from the editor: in a terminal and as a task whose problems are listed, in a real VS Code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, runCommand, screenshot, stopAtFailure, Workbench } from './support';

const NAME = 'reliability.playground.json';

let workbench: Workbench;

const page = () => workbench.page;
/** Lines of the terminal that is shown. */
const terminal = (text: string | RegExp): Locator =>
  page().locator('.xterm-rows > div').filter({ hasText: text }).first();

/** Chooses a row of the quick pick that is open. */
async function pick(text: string | RegExp): Promise<void> {
  await page().locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
}

beforeAll(async () => {
  workbench = await Workbench.open({
    viewport: { width: 1440, height: 900 },
    // As text in the page, which can be read.
    settings: {
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.defaultProfile.linux': 'bash',
    },
  });
  const text = readFileSync(join(root, 'media', 'examples', NAME), 'utf8').replace(
    '"repeat": 10',
    '"repeat": 1',
  );
  writeFileSync(join(workbench.folder, NAME), text);
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

describe('without the editor', () => {
  it('a playground is evaluated in a terminal, which is given no key for the demo', async () => {
    await page().reload();
    const file = page().locator('.explorer-folders-view .monaco-list-row', { hasText: NAME });
    await file.click({ button: 'right' });
    await page().getByRole('menuitem', { name: 'Evaluate in Terminal' }).click();
    await terminal(/Gates are not met/).waitFor();
    await screenshot(page(), 'terminal done');
    expect(await terminal(/Error:/).count()).toBe(0);
  });

  it('a task evaluates it, and what failed is listed as problems of the file', async () => {
    await runCommand(page(), 'Tasks: Run Task');
    await pick('provider-playground');
    await pick(NAME);
    await terminal(/Gates are not met/).waitFor();
    await runCommand(page(), 'Problems: Focus on Problems View');
    const problem = page().locator('.markers-panel .monaco-list-row', {
      hasText: 'No call was made; expected get_weather',
    });
    await problem.first().waitFor();
    await screenshot(page(), 'terminal problems');
  });
});
