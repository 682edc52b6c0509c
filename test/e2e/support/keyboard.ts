// The workbench by keyboard alone: presses, types, and asks the page where the keyboard is, in the words of a screen reader.
// Clicks nothing, fills nothing in, and moves the focus by no other way than a key.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { webview } from './workbench-page';

export interface Place {
  /** The innermost region around it, such as `Lane 2`; '' outside of the panel and of every region. */
  region: string;
  /** Role and name, such as `textbox "Message"`; '' where nothing has the keyboard. */
  control: string;
}

/** More presses to get somewhere are more than a person puts up with. */
const MOST_PRESSES = 20;
const WAIT_MS = 60_000;
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

  /** In place of what stands in the control. */
  async replace(text: string): Promise<void> {
    await this.press('Control+a');
    await this.type(text);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** What is typed before the palette has the keyboard goes elsewhere. */
  async #openPalette(): Promise<void> {
    await this.press('F1');
    await this.#page
      .locator('.quick-input-widget input[type="text"]:focus')
      .waitFor({ timeout: FOCUS_TIMEOUT_MS });
  }

  /** Opens a file of the folder by its name; one that was just written may not be listed yet. */
  async openFile(name: string): Promise<void> {
    const row = this.#page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
    const reach = async (): Promise<boolean> => {
      await this.#openPalette();
      await this.replace(name);
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

  /** Runs a command of the palette: its row is looked for by typing, and reached with the arrows. */
  async command(title: string): Promise<void> {
    const list = this.#page.locator('.quick-input-list');
    const row = list.locator('.monaco-list-row.focused .label-name');
    const reach = async (): Promise<boolean> => {
      await this.#openPalette();
      await list.locator('.monaco-list-row').first().waitFor();
      await this.type(title);
      const listed = list.locator('.label-name').filter({ hasText: title }).first();
      const isListed = await listed.waitFor({ timeout: ROW_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
      for (let left = isListed ? MOST_PRESSES : 0; left > 0; left--) {
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
    // a document that has the keyboard in a frame has no element in focus itself
    const isInPanel = await this.#page.evaluate<boolean>(
      `document.activeElement?.matches('iframe.webview') === true`,
    );
    if (!isInPanel) return { region: '', control: await sayControl(this.#page.locator('*:focus')) };
    const panel = webview(this.#page);
    const regions = panel.locator(':is([role=region], section[aria-label]):focus-within');
    const region = (await regions.count()) > 0 ? await regions.last().getAttribute('aria-label') : '';
    return { region: region ?? '', control: await sayControl(panel.locator('*:focus')) };
  }

  /**
   * Presses the key until the keyboard is there.
   * @param control Role and name, such as `button "Run"`; the name may be the beginning of one.
   * @returns how often it was pressed
   */
  async goTo(control: string, { by = 'Tab', region = '' } = {}): Promise<number> {
    const passed: string[] = [];
    for (let presses = 0; presses <= MOST_PRESSES; presses++) {
      const place = await this.where();
      if (isAt(place, control, region)) return presses;
      passed.push([place.region, place.control].filter(Boolean).join(': '));
      await this.press(by);
    }
    throw new Error(`${by} does not lead to ${control}, only to:\n${passed.join('\n')}`);
  }

  /** Waits until the keyboard is brought there. */
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

/** The innermost of those that have the keyboard: elements that are made of others have it with one of them. */
async function sayControl(focused: Locator): Promise<string> {
  if ((await focused.count()) === 0) return '';
  const [line = ''] = (await focused.last().ariaSnapshot()).split('\n');
  return /^- (?<control>\w+(?: "(?:[^"\\]|\\.)*")?)/.exec(line)?.groups?.['control'] ?? '';
}
