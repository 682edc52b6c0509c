// An evaluation in a terminal, started from the editor, in a real VS Code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, runCommand, screenshot, screenshotInThemes, stopAtFailure, Workbench } from './support';

const NAME = 'reliability.playground.json';

const TASK = 'Evaluate the weather';

let workbench: Workbench;

const page = () => workbench.page;
/** Lines of the terminal that is shown. */
const terminal = (text: string | RegExp): Locator =>
  page().locator('.xterm-rows > div').filter({ hasText: text }).first();

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
  mkdirSync(join(workbench.folder, '.vscode'), { recursive: true });
  const task = {
    type: 'provider-playground',
    label: TASK,
    file: NAME,
    problemMatcher: '$provider-playground',
  };
  writeFileSync(
    join(workbench.folder, '.vscode', 'tasks.json'),
    JSON.stringify({ version: '2.0.0', tasks: [task] }),
  );
});
stopAtFailure(() => [workbench.page]);
afterAll(() => workbench?.close());

const row = (name: string): Locator =>
  page().locator('.explorer-folders-view .monaco-list-row', { hasText: name });

/** By the keyboard: a menu that has just opened ignores the mouse. */
async function choose(command: string): Promise<void> {
  await row(NAME).click({ button: 'right' });
  await page().getByRole('menuitem', { name: command }).hover();
  await page().keyboard.press('Enter');
}

describe('without the editor', () => {
  it('a playground is evaluated in a terminal, which is given no key for the demo', async () => {
    await page().reload();
    await choose('Evaluate in Terminal');
    await terminal(/Gates are not met/).waitFor();
    await screenshot(page(), 'terminal done');
    expect(await terminal(/Error:/).count()).toBe(0);
  });

  it('its command is copied as a line for any terminal', async () => {
    await workbench.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose('Copy Command for a Terminal');
    const copied = (): Promise<string> => page().evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toMatch(/cli\.js eval reliability\.playground\.json$/);
  });

  it('a task reports what failed as problems at its lines', async () => {
    await runCommand(page(), 'Tasks: Run Task');
    await page().locator('.quick-input-list .monaco-list-row', { hasText: TASK }).first().click();
    // A task shows its terminal, even when it begins late.
    await terminal(/terminated with exit code: 1/).waitFor();
    await page().getByRole('tab', { name: 'Problems' }).click();
    await page()
      .getByRole('treeitem', { name: /lane c: 0 of 1 passed/ })
      .first()
      .waitFor();
    await screenshotInThemes(page(), workbench.folder, 'terminal problems');
  });
});
