// Uses the panel by keyboard alone: presses keys, types, and reads the focused element as a screen reader would. Never clicks,
// fills in or focuses by other means.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PanelDocument } from './panel';

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

export class Keyboard {
  readonly page: Page;
  readonly panel: PanelDocument;

  /** @param panel The document in which the focus is looked for. */
  constructor(page: Page, panel: PanelDocument) {
    this.page = page;
    this.panel = panel;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces the contents of the focused control. */
  async replace(text: string): Promise<void> {
    await this.press('Control+a');
    await this.type(text);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async where(): Promise<Place> {
    const regions = this.panel.locator(':is([role=region], section[aria-label]):focus-within');
    const names = await regions.evaluateAll((all) => all.map((region) => region.getAttribute('aria-label')));
    return { region: names.at(-1) ?? '', control: await sayControl(this.panel.locator('*:focus')) };
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
export async function sayControl(focused: Locator): Promise<string> {
  if ((await focused.count()) === 0) return '';
  // The focus may have moved since then, and the snapshot waits for an element that has it.
  const snapshot = await focused
    .last()
    .ariaSnapshot({ timeout: SNAPSHOT_MS })
    .catch(() => '');
  const [line = ''] = snapshot.split('\n');
  return /^- (?<control>\w+(?: "(?:[^"\\]|\\.)*")?)/.exec(line)?.groups?.['control'] ?? '';
}
