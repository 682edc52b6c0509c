// One call for what every end-to-end test needs: a fresh VS Code with the packed extension, open in a browser.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launch, type Viewport } from '../../support/browser/chromium.mjs';
import { vsix } from '../../support/host/paths.mjs';
import { installVsix, quietSettings, startServer, workbenchUrl } from '../../support/host/server.mjs';
import type { Server, Settings } from '../../support/host/server.mjs';
import { setTheme, type Theme } from './theme';
import { updateSettings } from './settings';
import { filesIn, filesWith } from './written-files';

export interface WorkbenchOptions {
  /** The user's settings, added to the quiet ones. Only read at the start. @default none */
  readonly settings?: Settings;
  /** @default 1440 by 900 */
  readonly viewport?: Viewport;
  /** Packed extensions to install. @default the product's */
  readonly extensions?: readonly string[];
}

/** A running VS Code, its browser and its folders, all of them gone after `close`. */
export class Workbench {
  readonly server: Server;
  /** The server's user data: settings, logs, extensions. */
  readonly dataDir: string;
  /** The open folder. */
  readonly folder: string;
  readonly #scratch: string;
  readonly #viewport: Viewport | undefined;
  #browser: { context: BrowserContext; page: Page };

  private constructor(
    scratch: string,
    server: Server,
    browser: { context: BrowserContext; page: Page },
    viewport?: Viewport,
  ) {
    this.#scratch = scratch;
    this.dataDir = join(scratch, 'data');
    this.folder = join(scratch, 'workspace');
    this.server = server;
    this.#browser = browser;
    this.#viewport = viewport;
  }

  /** Installs, starts and opens the workbench; what a failure leaves half done is removed. */
  static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
    const scratch = mkdtempSync(join(tmpdir(), 'e2e-'));
    mkdirSync(join(scratch, 'workspace'));
    const dataDir = join(scratch, 'data');
    let server: Server | undefined;
    try {
      await installVsix(options.extensions ?? [vsix.extension], dataDir);
      server = await startServer({ dataDir, settings: { ...quietSettings, ...options.settings } });
      const browser = await launch(join(scratch, 'profile'), options.viewport);
      const workbench = new Workbench(scratch, server, browser, options.viewport);
      await workbench.goto();
      return workbench;
    } catch (error) {
      await server?.stop();
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

  /** Closes the browser and opens a new one with the same profile, as a person does the next day. */
  async reopenBrowser(): Promise<void> {
    await this.context.close();
    this.#browser = await launch(join(this.#scratch, 'profile'), this.#viewport);
    await this.goto();
  }

  /** Adds these to the settings of the open folder, which the workbench follows. */
  updateSettings(changes: Settings): void {
    updateSettings(this.folder, changes);
  }

  async setTheme(theme: Theme): Promise<void> {
    await setTheme(this.page, this.folder, theme);
  }

  /** Every file the server has written: settings, logs, state. */
  files(): string[] {
    return filesIn(this.dataDir);
  }

  /** Those of them that hold one of these. */
  filesWith(...texts: readonly string[]): string[] {
    return filesWith(this.dataDir, texts);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.server.stop();
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}
