// Pictures of a page for people to look at, and what a page shows when a test fails.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, onTestFailed } from 'vitest';
import { localDir } from '../host/paths.mjs';

/**
 * Whether tests take pictures for people to look at. `npm test` does without them: each costs as much time as several
 * steps of a test, and none of them decides whether a test passes.
 */
export const TAKES_PICTURES = process.env['E2E_PICTURES'] !== 'off';

export async function savePicture(page: Page, name: string): Promise<void> {
  const folder = join(localDir, 'shots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Saves a picture of the window as `.host/shots/<name>.png`, unless pictures are switched off. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (TAKES_PICTURES) await savePicture(page, name);
}

/** In characters, of each frame. */
const MAX_PRINTED = 1500;
const READ_TIMEOUT_MS = 2000;

/** The text that a person sees in the window and in its webviews. */
async function readVisibleText(page: Page): Promise<string> {
  const readings = page.frames().map((frame) =>
    frame
      .locator('body')
      .innerText({ timeout: READ_TIMEOUT_MS })
      .catch(() => ''),
  );
  const texts = (await Promise.all(readings)).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return texts
    .filter((text) => text !== '')
    .map((text) => text.slice(0, MAX_PRINTED))
    .join('\n');
}

/**
 * Makes the first failed test of the file save a picture of the window and print its text, because these say more than a
 * timeout, and skips the tests after it: they start from what it has left, and would each wait for a minute before they
 * fail as well.
 * @param pages The windows; called when the test has failed.
 */
export function stopAtFailure(pages: () => readonly Page[]): void {
  let failed: string | undefined;
  beforeEach(({ skip, task }) => {
    if (failed !== undefined) skip(`because "${failed}" failed`);
    onTestFailed(async () => {
      failed = task.name;
      for (const [index, page] of pages().entries()) {
        await savePicture(page, `failed ${task.name.slice(0, 60)}${index > 0 ? ` ${index + 1}` : ''}`);
        process.stderr.write(`The window of "${task.name}" says:\n${await readVisibleText(page)}\n`);
      }
    });
  });
}
