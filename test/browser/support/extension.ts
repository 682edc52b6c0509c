// Runs the extension without an editor, and shows its panels in a plain Chromium: a page of its own for each, with the built
// bundle, behind it the whole extension and its demo server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type * as vscode from 'vscode';
import type {
  ClientFrame,
  EvaluationSnapshot,
  HostEventName,
  HostEvents,
  HostFrame,
} from '../../../src/protocol';
import { activate, deactivate } from '../../../src/extension';
import { panelHtml, type PageOptions } from '../../../src/host/playground/panel-html';
import { launch, type Viewport } from '../../support/browser/chromium.mjs';
import { servePage, themes, type PageServer } from '../../support/browser/panel-server.mjs';
import { FakeSecrets } from '../../support/connections/fake-secrets';
import { root } from '../../support/host/paths.mjs';
import { Panel } from '../../support/panel/panel';
import { commands, opened, Uri, WebviewPanel } from './vscode';

/** What a test says in place of the session. */
export interface SessionScript {
  /** By method: makes the result of a request, which then does not reach the session. */
  answers: Readonly<Record<string, (params: never) => unknown>>;
  evaluation: EvaluationSnapshot;
}

export const themeNames = Object.keys(themes);
/** The default theme, in which each page opens. */
export const firstTheme = String(themeNames[0]);

/** The running extension, and the page that shows what it has opened last. */
export class Extension {
  readonly page: Page;
  readonly #folder: string;
  #size: Viewport;
  #server: PageServer | undefined;
  /** What the page threw and nobody caught, and violations of its content security policy. */
  readonly #errors: string[] = [];
  #script: SessionScript | undefined;

  private constructor(page: Page, folder: string, size: Viewport) {
    this.page = page;
    this.#folder = folder;
    this.#size = size;
    page.on('pageerror', ({ stack, message }) => this.#errors.push(stack ?? message));
    page.on('console', (line) => {
      if (line.text().includes('Content Security Policy')) this.#errors.push(line.text());
    });
  }

  static async start(size: Viewport): Promise<Extension> {
    const folder = mkdtempSync(join(tmpdir(), 'browser-'));
    const { page } = await launch(join(folder, 'profile'), size);
    const memento = { get: () => undefined, update: () => Promise.resolve() };
    const context = {
      secrets: new FakeSecrets(),
      workspaceState: memento,
      globalState: memento,
      globalStorageUri: { fsPath: join(folder, 'global') },
      storageUri: { fsPath: join(folder, 'storage') },
      extensionUri: Uri.file(root),
      subscriptions: [],
      extension: { extensionKind: 2, packageJSON: { version: '0.0.0' } },
    };
    activate(context as unknown as vscode.ExtensionContext);
    return new Extension(page, folder, size);
  }

  /** Runs a command that opens a panel, and shows the panel in the page, in place of the one before. */
  async open(command: string, ...args: readonly unknown[]): Promise<void> {
    await this.#leave();
    await commands.executeCommand(`providerPlayground.${command}`, ...args);
    const panel = opened.at(-1);
    if (!panel) throw new Error(`${command} opens no panel`);
    const server = await this.#serve(
      () => panel.webview.html,
      (frame) => {
        const reply = this.#answer(frame);
        if (reply) this.#post(reply);
        else panel.receive(frame);
      },
    );
    panel.onDidPost((frame) => this.#post(this.#rewrite(frame as HostFrame)));
    await this.page.goto(server.origin);
  }

  /** Shows a page of its own, whose host is played by a test. */
  async openPage(page: PageOptions['page'], answers: SessionScript['answers']): Promise<void> {
    await this.#leave();
    const { webview } = new WebviewPanel();
    const dist = Uri.file(join(root, 'dist'));
    const server = await this.#serve(
      () => panelHtml(webview as unknown as vscode.Webview, dist as unknown as vscode.Uri, { page }),
      (frame) => {
        if (frame.kind === 'cancel') return;
        const { id, method, params } = frame;
        this.#post({ kind: 'reply', id, ok: true, result: answers[method]?.(params as never) ?? null });
      },
    );
    await this.page.goto(server.origin);
  }

  /** Tells the page something that its host would tell. */
  emit<E extends HostEventName>(name: E, data: HostEvents[E]): void {
    this.#post({ kind: 'event', name, data });
  }

  async #serve(html: () => string, receive: (frame: ClientFrame) => void): Promise<PageServer> {
    const server = await servePage({
      dist: join(root, 'dist'),
      html,
      receive: (frame) => receive(frame as ClientFrame),
    });
    this.#server = server;
    return server;
  }

  #post(frame: HostFrame): void {
    this.#server?.post(`${JSON.stringify(frame)}\n`);
  }

  /** From now on the page sees this evaluation, and gets these answers. */
  play(script: SessionScript): void {
    this.#script = script;
    this.emit('session/changed', { lanes: [], evaluation: script.evaluation });
  }

  #answer(frame: ClientFrame): HostFrame | undefined {
    if (frame.kind !== 'request') return undefined;
    const answer = this.#script?.answers[frame.method];
    return answer && { kind: 'reply', id: frame.id, ok: true, result: answer(frame.params as never) };
  }

  #rewrite(frame: HostFrame): HostFrame {
    const { evaluation } = this.#script ?? {};
    if (!evaluation || frame.kind !== 'event' || frame.name !== 'session/changed') return frame;
    return { ...frame, data: { ...(frame.data as object), evaluation } };
  }

  /** Opens a playground: a new one, unless a command opens another. */
  async openPlayground(command = 'openPlayground', ...args: readonly unknown[]): Promise<Panel> {
    await this.open(command, ...args);
    const panel = new Panel(this.page);
    await panel.lane().waitFor();
    return panel;
  }

  /** Changes the size of the panel, in CSS pixels. */
  async resize(size: Partial<Viewport>): Promise<void> {
    this.#size = { ...this.#size, ...size };
    await this.page.setViewportSize(this.#size);
  }

  /** Changes the theme of the page, as the editor does. */
  async setTheme(name: string): Promise<void> {
    const theme = themes[name];
    if (!theme) throw new Error(`there is no theme ${name}`);
    await this.page.locator('html').evaluate((html, { bodyClass, kind, variables }) => {
      const { body } = html.ownerDocument;
      html.removeAttribute('style');
      for (const [variable, value] of Object.entries(variables)) html.style.setProperty(variable, value);
      body.className = bodyClass;
      body.dataset['vscodeThemeKind'] = kind;
    }, theme);
  }

  async #leave(): Promise<void> {
    await this.page.goto('about:blank');
    for (const panel of opened.splice(0)) panel.dispose();
    this.#server?.close();
  }

  /** @throws an error when a page threw or violated its policy. */
  async close(): Promise<void> {
    await this.#leave();
    await this.page.context().close();
    await deactivate();
    rmSync(this.#folder, { recursive: true, force: true });
    if (this.#errors.length > 0) throw new Error(`the page says\n${this.#errors.join('\n')}`);
  }
}
