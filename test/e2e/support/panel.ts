// Opens the panel in VS Code.
import type { Page } from 'playwright-core';
import { Panel as AnyPanel } from '../../support/panel/panel';
import { runCommand, webview } from './workbench-page';

export class Panel extends AnyPanel {
  readonly page: Page;

  constructor(page: Page) {
    super(webview(page));
    this.page = page;
  }

  static async open(page: Page): Promise<Panel> {
    const panel = new Panel(page);
    await panel.replace(() => runCommand(page, 'Provider Playground: Open Playground'));
    return panel;
  }

  /**
   * Does what opens another panel, and waits for it; the one before may be visible for a moment longer.
   * @param shown What it shows. @default its first lane
   */
  async replace(open: () => Promise<void>, shown = this.lane()): Promise<void> {
    const visible = this.page.locator('iframe.webview').filter({ visible: true });
    const names = await visible.evaluateAll((frames) => frames.map((frame) => frame.getAttribute('name')));
    await open();
    for (const name of names)
      await visible.and(this.page.locator(`[name="${name}"]`)).waitFor({ state: 'hidden' });
    await shown.waitFor();
  }
}
