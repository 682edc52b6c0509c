// Uses the workbench and the panel in it by keyboard alone.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { Keyboard as PanelKeyboard, sayControl, type Place } from '../../support/panel/keyboard';
import { webview } from './workbench-page';

/** Rows of the palette below the first one that a person would look at. */
const MAX_STEPS = 20;
const WAIT_MS = 60_000;
const ROW_TIMEOUT_MS = 1_500;
const FOCUS_TIMEOUT_MS = 10_000;

export class Keyboard extends PanelKeyboard {
  constructor(page: Page) {
    super(page, webview(page));
  }

  /** Waits for the focus: text typed before would go elsewhere. */
  async #openPalette(): Promise<void> {
    await this.press('F1');
    await this.page
      .locator('.quick-input-widget input[type="text"]:focus')
      .waitFor({ timeout: FOCUS_TIMEOUT_MS });
  }

  /** Opens a file of the folder by name; retried, because a new file may not be listed yet. */
  async openFile(name: string): Promise<void> {
    const row = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
    const reach = async (): Promise<boolean> => {
      await this.#openPalette();
      await this.press('Control+a');
      await this.page.keyboard.insertText(name);
      const isListed = await row.waitFor({ timeout: ROW_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
      if (!isListed) await this.press('Escape');
      return isListed;
    };
    await expect.poll(reach, { timeout: 2 * WAIT_MS }).toBe(true);
    await this.press('Enter');
  }

  /** Runs a command from the palette: finds its row by its title, and reaches it with the arrow keys. */
  async command(title: string): Promise<void> {
    const list = this.page.locator('.quick-input-list');
    const row = list.locator('.monaco-list-row.focused .label-name');
    const reach = async (): Promise<boolean> => {
      await this.#openPalette();
      await list.locator('.monaco-list-row').first().waitFor();
      // In one piece: the editor would search all commands again for each letter.
      await this.page.keyboard.insertText(title);
      const listed = list.locator('.label-name').filter({ hasText: title }).first();
      const isListed = await listed.waitFor({ timeout: ROW_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
      for (let left = isListed ? MAX_STEPS : 0; left > 0; left--) {
        if ((await row.allInnerTexts()).includes(title)) return true;
        await this.press('ArrowDown');
      }
      await this.press('Escape');
      return false;
    };
    await expect.poll(reach, { timeout: 2 * WAIT_MS }).toBe(true);
    await this.press('Enter');
    await list.waitFor({ state: 'hidden' });
  }

  override async where(): Promise<Place> {
    // A document whose frame has the focus has no focused element itself.
    const isInPanel = await this.page.evaluate<boolean>(
      `document.activeElement?.matches('iframe.webview') === true`,
    );
    return isInPanel
      ? super.where()
      : { region: '', control: await sayControl(this.page.locator('*:focus')) };
  }
}
