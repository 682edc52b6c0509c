// Drives VS Code's workbench the way a person does: palette, theme, width of the panel, pictures. Knows no view of the product.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { localDir } from '../../support/host/paths.mjs';

/** At first; a list that is not there yet is not refreshed either, and on a busy machine it takes longer. */
const ROW_TIMEOUT_MS = 500;
const MAX_ROW_TIMEOUT_MS = 4000;
const CLICK_TIMEOUT_MS = 15_000;

/** A row of the palette's list whose label is exactly this. */
function paletteRow(page: Page, title: string): Locator {
  const whole = new RegExp(`^${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`);
  const label = page.locator('.label-name', { hasText: whole });
  return page.locator('.quick-input-list .monaco-list-row').filter({ has: label }).first();
}

/**
 * Runs a command by its title in the palette (`Provider Playground: Open Playground`).
 * @throws when it is not in the palette within `timeoutMs`, a minute by default
 */
export async function runCommand(page: Page, title: string, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  const box = page.locator('.quick-input-widget input[type="text"]').first();
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: timeoutMs });
  // the list is not refreshed when an extension registers late: it is opened again until the row is there
  for (let timeout = ROW_TIMEOUT_MS; ; timeout = Math.min(2 * timeout, MAX_ROW_TIMEOUT_MS)) {
    try {
      await page.keyboard.press('F1');
      await box.waitFor({ state: 'visible', timeout });
      await box.fill(`>${title}`, { timeout });
      // Enter would run whichever row is first; a click that came too late would run it twice
      await paletteRow(page, title).click({ timeout, trial: true });
      await paletteRow(page, title).click({ timeout: CLICK_TIMEOUT_MS });
      return;
    } catch (error) {
      if (Date.now() > end) throw new Error(`the palette has no command ${title}`, { cause: error });
      // where no list has opened, the key would mean something to what is open
      if (await box.isVisible()) await page.keyboard.press('Escape');
    }
  }
}

/** The lines of the text editor that has the keyboard: what is typed before it has goes elsewhere. */
export const focusedLines = (page: Page): Locator => page.locator('.monaco-editor.focused .view-lines');

/** The document of the one visible webview, inside its two frames. */
export function webview(page: Page): FrameLocator {
  const outer = page.locator('iframe.webview.ready').filter({ visible: true });
  return outer.contentFrame().locator('iframe#active-frame').contentFrame();
}

/** The one visible webview from outside: its size is the panel's. */
export function webviewFrame(page: Page): Locator {
  return page.locator('iframe.webview.ready').filter({ visible: true });
}

/** Makes the panel this wide, in CSS pixels, by the width of the window; the side bar closes. */
export async function setPanelWidth(page: Page, width: number): Promise<void> {
  if (await page.locator('.part.sidebar').isVisible()) {
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  }
  await setPanelSide(page, 'width', width);
}

export const setPanelHeight = (page: Page, height: number): Promise<void> =>
  setPanelSide(page, 'height', height);

async function setPanelSide(page: Page, side: 'width' | 'height', pixels: number): Promise<void> {
  const viewport = page.viewportSize();
  const box = await webviewFrame(page).boundingBox();
  if (!viewport || !box) throw new Error('there is no panel to measure');
  await page.setViewportSize({ ...viewport, [side]: viewport[side] + Math.round(pixels - box[side]) });
  await page.waitForFunction(
    `Math.abs(document.querySelector('iframe.webview.ready')?.getBoundingClientRect().${side} - ${pixels}) < 2`,
  );
}

/** Saves a picture of the window as `.host/shots/<name>.png` and says where. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const folder = join(localDir, 'shots');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/**
 * Waits until the workbench has kept this text of what is open, which a reload brings back: in a browser it writes once a
 * minute, and cannot when the page is left.
 */
export async function waitUntilKept(page: Page, text: string): Promise<void> {
  // not waitForFunction: to that a promise is as good as what it stands for
  const isKept = (): Promise<boolean> =>
    page.evaluate<boolean>(
      `(async () => {
        const done = (request) => new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        for (const { name } of await indexedDB.databases()) {
          if (!name.startsWith('vscode-web-state-db')) continue;
          const db = await done(indexedDB.open(name));
          for (const store of db.objectStoreNames) {
            const editors = await done(db.transaction(store).objectStore(store).get('memento/workbench.parts.editor'));
            if (String(editors).includes(${JSON.stringify(text)})) return db.close() ?? true;
          }
          db.close();
        }
        return false;
      })()`,
    );
  await expect.poll(isKept, { timeout: 100_000 }).toBe(true);
}
