// Uses the workbench by keyboard alone: presses keys, types, and reads the focused element as a screen reader
// would. Never clicks, fills in or focuses by other means.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { webview } from './workbench-page';

export interface Place {
  /** The innermost region around the focus, such as `Lane 2`; '' outside of the panel or of any region. */
  region: string;
  /** Role and name, such as `textbox "Message"`; '' when nothing has the focus. */
  control: string;
}

/** Nobody would press a key more often to get somewhere. */
const MAX_PRESSES = 20;
const WAIT_MS = 60_000;
const SNAPSHOT_MS = 1_000;
const ROW_TIMEOUT_MS = 1_500;
const FOCUS_TIMEOUT_MS = 10_000;

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Replaces the contents of the focused control. */
  async replace(text: string): Promise<void> {
    await this.press('Control+a');
    await this.type(text);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Waits for the focus: text typed before would go elsewhere. */
  async #openPalette(): Promise<void> {
    await this.press('F1');
    await this.#page
      .locator('.quick-input-widget input[type="text"]:focus')
      .waitFor({ timeout: FOCUS_TIMEOUT_MS });
  }

  /** Opens a file of the folder by name; retried, because a new file may not be listed yet. */
  async openFile(name: string): Promise<void> {
    const row = this.#page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
    const reach = async (): Promise<boolean> => {
      await this.#openPalette();
      await this.press('Control+a');
      await this.#page.keyboard.insertText(name);
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
    const list = this.#page.locator('.quick-input-list');
    const row = list.locator('.monaco-list-row.focused .label-name');
    const reach = async (): Promise<boolean> => {
      await this.#openPalette();
      await list.locator('.monaco-list-row').first().waitFor();
      // In one piece: the editor would search all commands again for each letter.
      await this.#page.keyboard.insertText(title);
      const listed = list.locator('.label-name').filter({ hasText: title }).first();
      const isListed = await listed.waitFor({ timeout: ROW_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
      for (let left = isListed ? MAX_PRESSES : 0; left > 0; left--) {
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

  async where(): Promise<Place> {
    // A document whose frame has the focus has no focused element itself.
    const isInPanel = await this.#page.evaluate<boolean>(
      `document.activeElement?.matches('iframe.webview') === true`,
    );
    if (!isInPanel) return { region: '', control: await sayControl(this.#page.locator('*:focus')) };
    const panel = webview(this.#page);
    const regions = panel.locator(':is([role=region], section[aria-label]):focus-within');
    const names = await regions.evaluateAll((all) => all.map((region) => region.getAttribute('aria-label')));
    return { region: names.at(-1) ?? '', control: await sayControl(panel.locator('*:focus')) };
  }

  /**
   * Presses the key until the control has the focus.
   * @param control Role and name, such as `button "Run"`; the name may be abbreviated to its beginning.
   * @returns the number of presses.
   */
  async goTo(control: string, { by = 'Tab', region = '' } = {}): Promise<number> {
    const passed: string[] = [];
    for (let presses = 0; presses <= MAX_PRESSES; presses++) {
      const place = await this.where();
      if (isAt(place, control, region)) return presses;
      passed.push([place.region, place.control].filter(Boolean).join(': '));
      await this.press(by);
    }
    throw new Error(`${by} does not lead to ${control}, only to:\n${passed.join('\n')}`);
  }

  /** Waits until the product moves the focus to the control. */
  async arrive(control: string, region = ''): Promise<void> {
    const place = async (): Promise<string> => {
      const now = await this.where();
      return isAt(now, control, region) ? 'there' : `${now.region}: ${now.control}`;
    };
    await expect.poll(place, { timeout: WAIT_MS }).toBe('there');
  }
}

const isAt = (place: Place, control: string, region: string): boolean =>
  place.control.startsWith(control.replace(/"$/, '')) && (region === '' || place.region === region);

/** The innermost focused element: composite elements match the selector, too. '' when nothing has the focus. */
async function sayControl(focused: Locator): Promise<string> {
  if ((await focused.count()) === 0) return '';
  // The focus may have moved since then, and the snapshot waits for an element that has it.
  const snapshot = await focused
    .last()
    .ariaSnapshot({ timeout: SNAPSHOT_MS })
    .catch(() => '');
  const [line = ''] = snapshot.split('\n');
  return /^- (?<control>\w+(?: "(?:[^"\\]|\\.)*")?)/.exec(line)?.groups?.['control'] ?? '';
}
