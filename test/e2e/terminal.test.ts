// An evaluation in a terminal, started from the editor, and what a terminal elsewhere has written, in a real VS Code.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  chooseFile,
  Panel,
  root,
  runCommand,
  screenshot,
  screenshotInThemes,
  setPanelWidth,
  stopAtFailure,
  Workbench,
} from './support';

const NAME = 'reliability.playground.json';

const BLOB = 'ci.jsonl';
const TASK = 'Evaluate the weather';

let workbench: Workbench;

const page = () => workbench.page;
/** Lines of the terminal that is shown. */
const terminal = (text: string | RegExp): Locator =>
  page().locator('.xterm-rows > div').filter({ hasText: text }).first();

/** What a CI keeps: the command line runs in a process that has nothing of the editor. */
function writeBlob(): void {
  const cli = join(root, 'dist', 'cli.js');
  const words = ['eval', NAME, '--repeat', '10', '--min-case', '0', '--min-lane', '0', '--quiet'];
  execFileSync(process.execPath, [cli, ...words, '--blob', BLOB], { cwd: workbench.folder });
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
  writeBlob();
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

  it('the blob of a CI opens in Evaluate, every number with its replies', async () => {
    await page().setViewportSize({ width: 1440, height: 900 });
    await page().keyboard.press('Control+j');
    const panel = new Panel(page());
    await runCommand(page(), 'Provider Playground: Open Evaluation Blob…');
    await chooseFile(page(), join(workbench.folder, BLOB));
    const says = (text: string | RegExp): Promise<void> => panel.frame.getByText(text).first().waitFor();
    await says(/flaky is \d+ points worse than native-call/);
    await screenshotInThemes(page(), workbench.folder, 'terminal blob');
    await panel.frame.getByText('7/10', { exact: true }).first().click();
    await panel.frame
      .getByText(/expected get_weather \{"city":"Oslo"/)
      .first()
      .click();
    await says('No call was made; expected get_weather {"city":"Oslo" (any case)}.');
    await screenshotInThemes(page(), workbench.folder, 'terminal blob sample');
    for (const width of [1044, 400]) {
      await setPanelWidth(page(), width);
      await screenshot(page(), `terminal blob sample ${width}`);
    }
    await page().keyboard.press('Escape');
    await screenshot(page(), 'terminal blob 400');
  });
});
