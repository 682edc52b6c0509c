// Gives an end-to-end test a clean VS Code with the packaged extension, open in a browser.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { inject } from 'vitest';
import { launch, type Viewport } from '../../support/browser/chromium.mjs';
import { vsix } from '../../support/host/paths.mjs';
import { installVsix, quietSettings, startServer, workbenchUrl } from '../../support/host/server.mjs';
import type { Server, Settings } from '../../support/host/server.mjs';
import { cleanServer } from './clean-slate';
import { setTheme, type Theme } from './theme';
import { updateSettings } from './settings';
import { filesIn, filesWith } from './written-files';

export interface WorkbenchOptions {
  /** Settings added to the quiet ones of the user; read only at the start. @default none */
  readonly settings?: Settings;
  /** @default 1440 by 900 */
  readonly viewport?: Viewport;
  /**
   * Packaged extensions in addition to the product's. A test with such extensions gets a server of its own.
   * @default none
   */
  readonly extensions?: readonly string[];
}

interface Browser {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** A server, with a function that ends its use. */
interface Host {
  readonly server: Pick<Server, 'url' | 'token' | 'log'>;
  readonly dataDir: string;
  readonly profileDir: string;
  leave(): Promise<void>;
}

/** Cleans the shared server and uses it. */
async function useSharedHost(settings: Settings): Promise<Host> {
  const { url, token, dataDir, profileDir, logFile } = inject('sharedHost');
  await cleanServer(dataDir, settings);
  const log = (): string => readFileSync(logFile, 'utf8');
  return { server: { url, token, log }, dataDir, profileDir, leave: async () => undefined };
}

async function startOwnHost(
  scratch: string,
  extensions: readonly string[],
  settings: Settings,
): Promise<Host> {
  const [dataDir, profileDir] = [join(scratch, 'data'), join(scratch, 'profile')];
  await installVsix([vsix.extension, ...extensions], dataDir);
  const server = await startServer({ dataDir, settings });
  return { server, dataDir, profileDir, leave: () => server.stop() };
}

/**
 * Leaves the page first, so that the workbench reports it and the server ends its extension host; otherwise that
 * waits for hours.
 */
async function closeBrowser({ context, page }: Browser): Promise<void> {
  await page.goto('about:blank').catch(() => undefined);
  await context.close();
}

/** A running VS Code with its browser and folders. `close` deletes everything in them. */
export class Workbench {
  readonly server: Host['server'];
  /** Folder of the server's user data: settings, logs, extensions. */
  readonly dataDir: string;
  /** The open folder. */
  readonly folder: string;
  readonly #scratch: string;
  readonly #host: Host;
  readonly #viewport: Viewport | undefined;
  #browser: Browser;

  private constructor(scratch: string, host: Host, browser: Browser, viewport?: Viewport) {
    this.#scratch = scratch;
    this.#host = host;
    this.server = host.server;
    this.dataDir = host.dataDir;
    this.folder = join(scratch, 'workspace');
    this.#browser = browser;
    this.#viewport = viewport;
  }

  /** Opens the workbench; on failure everything is cleaned up. */
  static async open({ extensions, settings, viewport }: WorkbenchOptions = {}): Promise<Workbench> {
    const scratch = mkdtempSync(join(tmpdir(), 'e2e-'));
    mkdirSync(join(scratch, 'workspace'));
    const all = { ...quietSettings, ...settings };
    let host: Host | undefined;
    let browser: Browser | undefined;
    try {
      host = await (extensions ? startOwnHost(scratch, extensions, all) : useSharedHost(all));
      browser = await launch(host.profileDir, viewport);
      const workbench = new Workbench(scratch, host, browser, viewport);
      await workbench.#forget();
      await workbench.goto();
      return workbench;
    } catch (error) {
      if (browser) await closeBrowser(browser);
      await host?.leave();
      rmSync(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  get page(): Page {
    return this.#browser.page;
  }

  get context(): BrowserContext {
    return this.#browser.context;
  }

  /** Opens the folder in the current page. */
  async goto(): Promise<void> {
    await this.page.goto(workbenchUrl(this.server, { folder: this.folder }));
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
  }

  /** Closes the browser and opens a new one with the same profile, as a user does the next day. */
  async reopenBrowser(): Promise<void> {
    await closeBrowser(this.#browser);
    this.#browser = await launch(this.#host.profileDir, this.#viewport);
    await this.goto();
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
    await closeBrowser(this.#browser);
    await this.#host.leave();
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  /** Deletes everything that the browser has stored of earlier users, except compiled code. */
  async #forget(): Promise<void> {
    const session = await this.context.newCDPSession(this.page);
    const { origin } = new URL(this.server.url);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await session.detach();
  }
}
