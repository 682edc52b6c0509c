// Gives an end-to-end test a clean VS Code with the packaged extension, open in a browser.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Viewport } from '../../support/browser/chromium.mjs';
import { quietSettings, workbenchUrl } from '../../support/host/server.mjs';
import type { Server, Settings } from '../../support/host/server.mjs';
import { openPage } from './browser';
import { cleanServer } from './clean-slate';
import { setTheme, type Theme } from './theme';
import { updateSettings } from './settings';
import type { SharedHost } from './shared-hosts';
import { filesIn, filesWith } from './written-files';

export interface WorkbenchOptions {
  /** Settings added to the quiet ones of the user; read only at the start. @default none */
  readonly settings?: Settings;
  /** @default 1280 by 800 */
  readonly viewport?: Viewport;
  /** Called before the workbench is loaded, with its page and the folder of the server's user data. @default nothing */
  readonly beforeLoad?: (page: Page, dataDir: string) => Promise<void>;
}

type UsedServer = Pick<Server, 'url' | 'token' | 'log'>;

/** Without what draws frames that no test looks at: the browser of the tests draws on the processor. */
const stillSettings: Settings = {
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
};

/** The first load reads the browser and the workbench, 230 MB, from a disk that others may use. */
const LOAD_TIMEOUT_MS = 100_000;

const DEFAULT_VIEWPORT: Viewport = { width: 1280, height: 800 };

/** The server of this process. */
function sharedHost(): SharedHost {
  const host = inject('sharedHosts')[Number(process.env['VITEST_POOL_ID']) - 1];
  if (!host) throw new Error('no server was started for this process');
  return host;
}

/**
 * Leaves all pages, so that the workbench reports it and the server ends its extension host, which otherwise waits for
 * hours. Closes all but the first.
 */
async function leavePages(first: Page): Promise<void> {
  for (const page of first.context().pages()) {
    await page.goto('about:blank').catch(() => undefined);
    if (page !== first) await page.close();
  }
}

/** A running VS Code with its browser and folders. `close` deletes everything in them. */
export class Workbench {
  readonly server: UsedServer;
  /** Folder of the server's user data: settings, logs, extensions. */
  readonly dataDir: string;
  /** The open folder. */
  readonly folder: string;
  readonly #scratch: string;
  readonly page: Page;

  private constructor(scratch: string, { url, token, dataDir, logFile }: SharedHost, page: Page) {
    this.#scratch = scratch;
    this.server = { url, token, log: () => readFileSync(logFile, 'utf8') };
    this.dataDir = dataDir;
    this.folder = join(scratch, 'workspace');
    this.page = page;
  }

  /** Opens the workbench; on failure everything is cleaned up. */
  static async open({
    settings,
    viewport = DEFAULT_VIEWPORT,
    beforeLoad,
  }: WorkbenchOptions = {}): Promise<Workbench> {
    const scratch = mkdtempSync(join(tmpdir(), 'e2e-'));
    mkdirSync(join(scratch, 'workspace'));
    const host = sharedHost();
    let page: Page | undefined;
    try {
      await cleanServer(host.dataDir, { ...quietSettings, ...stillSettings, ...settings });
      page = await openPage(host.profileDir, host.url, viewport);
      const workbench = new Workbench(scratch, host, page);
      await beforeLoad?.(page, host.dataDir);
      await workbench.#load(page, workbench.folder);
      await workbench.#clearClipboard();
      return workbench;
    } catch (error) {
      if (page) await leavePages(page);
      rmSync(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  /** Opens a second window, with an empty folder of its own. */
  async openWindow(): Promise<Page> {
    const folder = join(this.#scratch, 'second');
    mkdirSync(folder);
    const page = await this.context.newPage();
    await this.#load(page, folder);
    return page;
  }

  async #load(page: Page, folder: string): Promise<void> {
    await page.goto(workbenchUrl(this.server, { folder }));
    await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: LOAD_TIMEOUT_MS });
    // Before the workbench knows the extension, it opens playground files as text.
    const item = page.locator('.activitybar [class*="view-extension-providerPlayground"]');
    await item.first().waitFor({ state: 'attached', timeout: LOAD_TIMEOUT_MS });
    // The workbench creates its service of custom editors once it is idle, and until then opens all files as text.
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve()))');
  }

  /** Merges changes into the settings of the open folder, which the workbench applies. */
  updateSettings(changes: Settings): void {
    updateSettings(this.folder, changes);
  }

  async setTheme(theme: Theme): Promise<void> {
    await setTheme(this.page, this.folder, theme);
  }

  /** Every file that the server has written: settings, logs, state. */
  files(): string[] {
    return filesIn(this.dataDir);
  }

  /** The files among them that contain one of the texts. */
  filesWith(...texts: readonly string[]): string[] {
    return filesWith(this.dataDir, texts);
  }

  async close(): Promise<void> {
    await leavePages(this.page);
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  /** Otherwise a test could find what an earlier file has copied. */
  async #clearClipboard(): Promise<void> {
    await this.context.grantPermissions(['clipboard-write']);
    await this.page.evaluate(`navigator.clipboard.writeText('')`);
    await this.context.clearPermissions();
  }
}
