// The page of a recording: its list of requests, and the inspector of the one that is selected.
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { webview } from './workbench-page';

export class RecordingPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get frame(): FrameLocator {
    return webview(this.#page);
  }

  get rows(): Locator {
    return this.frame.getByRole('grid', { name: 'Requests' }).locator('tbody tr');
  }

  get inspector(): Locator {
    return this.frame.getByRole('region', { name: 'Inspector' });
  }

  /** Waits for the address of the recording. */
  async address(): Promise<string> {
    const box = this.frame.getByRole('textbox', { name: 'Address for the program' });
    await expect.poll(() => box.inputValue()).toContain('/r/');
    return box.inputValue();
  }

  says(where: Locator, text: string | RegExp): Promise<void> {
    return expect.poll(() => where.innerText()).toMatch(text);
  }

  /** Shows a tab of the inspector for a request. */
  async select(index: number, tab: string): Promise<void> {
    await this.rows.nth(index).click();
    await this.inspector.getByRole('tab', { name: tab }).click();
  }
}
