// Drives VS Code's workbench like a person: palette, theme, panel size, pictures. Independent of the product's
// views.
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { savePicture, TAKES_PICTURES } from '../../support/panel/pictures';
import { setTheme, themes } from './theme';

/**
 * First timeout in milliseconds. It grows, because a list that is not loaded yet is not refreshed, and a busy
 * machine is slow.
 */
const ROW_TIMEOUT_MS = 500;
const MAX_ROW_TIMEOUT_MS = 4000;
const CLICK_TIMEOUT_MS = 15_000;
const FOCUS_TIMEOUT_MS = 3000;

/** The row of the palette whose label is exactly this title. */
function paletteRow(page: Page, title: string): Locator {
  const whole = new RegExp(`^${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`);
  const label = page.locator('.label-name', { hasText: whole });
  return page.locator('.quick-input-list .monaco-list-row').filter({ has: label }).first();
}

/**
 * Runs a command by its title in the palette (`Provider Playground: Open Playground`).
 * @param timeoutMs @default one minute
 * @throws when the palette does not list it within `timeoutMs`.
 */
export async function runCommand(page: Page, title: string, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  const box = page.locator('.quick-input-widget input[type="text"]').first();
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: timeoutMs });
  // The list is not refreshed when an extension registers late, so it is reopened until the row is there.
  for (let timeout = ROW_TIMEOUT_MS; ; timeout = Math.min(2 * timeout, MAX_ROW_TIMEOUT_MS)) {
    try {
      await page.keyboard.press('F1');
      await box.waitFor({ state: 'visible', timeout });
      await box.fill(`>${title}`, { timeout });
      const row = paletteRow(page, title);
      await row.waitFor({ timeout });
      // Enter runs the row that is selected, which may be that of another command.
      if (await row.and(page.locator('.focused')).isVisible()) await page.keyboard.press('Enter');
      else await row.click({ timeout: CLICK_TIMEOUT_MS });
      return;
    } catch (error) {
      if (Date.now() > end) throw new Error(`the palette has no command ${title}`, { cause: error });
      // If no list is open, Escape would act on whatever else is open.
      if (await box.isVisible()) await page.keyboard.press('Escape');
    }
  }
}

/** Chooses the row of an open quick pick that has the text, by keyboard: a list that is drawn anew takes no click. */
export async function chooseQuickPick(page: Page, text: string): Promise<void> {
  const pick = page.locator('.quick-input-widget');
  await pick.locator('.monaco-list-row', { hasText: text }).first().waitFor();
  await pick.locator('input[type=text]').first().fill(text);
  await pick.locator('.monaco-list-row.focused', { hasText: text }).waitFor();
  await page.keyboard.press('Enter');
}

/**
 * Answers the file dialog that is about to open with the path of a file, until it takes it. The dialog writes its own
 * folder into the box once it has read it, over what was typed before, and ignores an answer while it looks the typed
 * path up.
 */
export async function chooseFile(page: Page, path: string): Promise<void> {
  const dialog = page.locator('.quick-input-widget');
  const box = dialog.locator('input[type="text"]').first();
  const ok = dialog.getByRole('button', { name: 'OK' });
  // The palette's box, which is the same element, has no button and no path.
  await ok.waitFor();
  await expect.poll(() => box.inputValue()).toMatch(/^\//);
  const isTaken = async (): Promise<boolean> => {
    const timeout = CLICK_TIMEOUT_MS;
    if (!(await ok.isVisible())) return true;
    try {
      if ((await box.inputValue({ timeout })) !== path) await box.fill(path, { timeout });
      await ok.click({ timeout });
    } catch {
      // It closed meanwhile.
    }
    return !(await ok.isVisible());
  };
  await expect.poll(isTaken).toBe(true);
}

/** Lines of the focused text editor. */
const focusedLines = (page: Page): Locator => page.locator('.monaco-editor.focused .view-lines');

/**
 * Waits for a text editor with this text and makes sure that it has the focus: text typed before would go elsewhere. The
 * workbench focuses an editor that it opens, but on a busy machine the webview beside it may take the focus back.
 * @returns the lines of the editor.
 */
export async function focusEditor(page: Page, text: string): Promise<Locator> {
  const lines = focusedLines(page).filter({ hasText: text });
  await page.locator('.monaco-editor .view-lines').filter({ hasText: text }).first().waitFor();
  const isFocused = async (): Promise<boolean> => {
    const focused = await lines.waitFor({ timeout: FOCUS_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    if (!focused) await page.locator('.monaco-editor .view-lines').filter({ hasText: text }).first().click();
    return focused;
  };
  await expect.poll(isFocused).toBe(true);
  return lines;
}

/** The document of the only visible webview, inside its two nested frames. */
export function webview(page: Page): FrameLocator {
  const outer = page.locator('iframe.webview.ready').filter({ visible: true });
  return outer.contentFrame().locator('iframe#active-frame').contentFrame();
}

/** The text of the Markdown previews that are open, or an empty one. */
export async function renderedMarkdown(page: Page): Promise<string> {
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .evaluate<string>("document.querySelector('.markdown-body')?.innerText ?? ''")
        // A frame may be closed meanwhile.
        .catch(() => ''),
    ),
  );
  return texts.join('\n');
}

/** The only visible webview from outside: its size is that of the panel. */
export function webviewFrame(page: Page): Locator {
  return page.locator('iframe.webview.ready').filter({ visible: true });
}

/** Sets the panel's width in CSS pixels by resizing the window; closes the side bar. */
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

/** Saves a picture of the window in every theme, unless pictures are switched off. Ends in the first of them, the default. */
export async function screenshotInThemes(page: Page, folder: string, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  for (const theme of themes) {
    await setTheme(page, folder, theme);
    await savePicture(page, `${name} ${theme}`);
  }
  await setTheme(page, folder, themes[0]);
}

/** How often the window loses the focus until the text is stored. */
const KEEP_INTERVAL_MS = 200;

/**
 * Waits until the workbench has stored this unsaved text, so that a reload restores it. It cannot store when the page
 * is left, but does so whenever the window loses the focus, which Playwright hides from a page.
 */
export async function waitUntilKept(page: Page, text: string): Promise<void> {
  // Not waitForFunction, which would take the promise itself for a truthy result.
  const isKept = (): Promise<boolean> =>
    page.evaluate<boolean>(
      `(async () => {
        document.hasFocus = () => false;
        dispatchEvent(new Event('blur'));
        delete document.hasFocus;
        dispatchEvent(new Event('focus'));
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
  await expect.poll(isKept, { timeout: 100_000, interval: KEEP_INTERVAL_MS }).toBe(true);
}
