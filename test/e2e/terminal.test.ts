// An evaluation in a terminal, started from the editor, in a real VS Code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, screenshot, stopAtFailure, Workbench } from './support';

const NAME = 'reliability.playground.json';

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
});
