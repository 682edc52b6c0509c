// The one browser of a test process, and its one page. Both stay open from file to file, because a new page would have
// to compile the workbench again.
import type { Page } from 'playwright-core';
import { launch, type Viewport } from '../../support/browser/chromium.mjs';

let opened: Page | undefined;

async function openBrowser(profileDir: string): Promise<Page> {
  const { page } = await launch(profileDir);
  page.once('crash', () => void page.context().close());
  page.once('close', () => (opened = undefined));
  return page;
}

/**
 * Returns the page, without permissions and without anything that earlier files have stored for this origin.
 * @param profileDir The browser's profile, used when the browser is not open yet.
 */
export async function openPage(profileDir: string, origin: string, viewport: Viewport): Promise<Page> {
  const page = (opened ??= await openBrowser(profileDir));
  await page.context().clearPermissions();
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await page.setViewportSize(viewport);
  return page;
}
