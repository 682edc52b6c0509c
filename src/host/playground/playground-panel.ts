// One panel: its webview, its runs, and the requests that its webview may make.
import * as vscode from 'vscode';
import type { HostFrame } from '../../protocol';
import { RpcServer } from '../../protocol';
import type { ApiKeys } from '../connections/api-keys';
import { ConnectionProblem } from '../connections/connection-problem';
import type { ConnectionService } from '../connections/connection-service';
import { PLAYGROUND_VIEW_TYPE } from '../contributions';
import { loadedEngine } from '../load-engine';
import { toErrorInfo } from '../runs/error-info';
import { RunService } from '../runs/run-service';
import { createHandlers } from './handlers';
import { panelHtml } from './panel-html';
import { makeSnapshot } from './snapshot';

export interface PanelServices {
  connections: ConnectionService;
  keys: ApiKeys;
  log: vscode.LogOutputChannel;
  extensionUri: vscode.Uri;
  /** Whether the extension runs on another machine than the window. */
  isRemote: boolean;
}

export class PlaygroundPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #services: PanelServices;
  readonly #runs: RunService;
  readonly #rpc: RpcServer;
  #isDisposed = false;

  static create(services: PanelServices): PlaygroundPanel {
    const panel = vscode.window.createWebviewPanel(
      PLAYGROUND_VIEW_TYPE,
      'Provider Playground',
      vscode.ViewColumn.Active,
    );
    return new PlaygroundPanel(panel, services);
  }

  /** @param panel New, or one that VS Code restores after a reload. */
  constructor(panel: vscode.WebviewPanel, services: PanelServices) {
    this.#panel = panel;
    this.#services = services;
    const { connections, log, extensionUri } = services;
    this.#runs = new RunService(connections, log, {
      onProgress: (progress) => this.#rpc.emit('run/progress', progress),
      onStep: (step) => this.#rpc.emit('agent/step', step),
    });
    this.#rpc = new RpcServer({
      post: (frame) => this.#post(frame),
      handlers: createHandlers({ ...services, runs: this.#runs }),
      toErrorInfo: async (error) => {
        // only what is not an answer of a server or a setting: its message was made here
        if (!(await isExpected(error))) log.error(error instanceof Error ? error : String(error));
        return toErrorInfo(error);
      },
      onProblem: (problem) => log.warn(`panel: ${problem}`),
    });
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    panel.webview.onDidReceiveMessage((message: unknown) => this.#rpc.receive(message));
    panel.onDidDispose(() => this.dispose());
    panel.webview.html = panelHtml(panel.webview, dist);
  }

  get isInFront(): boolean {
    return this.#panel.active;
  }

  onDidDispose(listener: () => void): void {
    this.#panel.onDidDispose(listener);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Sends the panel everything anew: after a change of settings or keys. */
  async refresh(): Promise<void> {
    try {
      this.#rpc.emit('playground/snapshot', await makeSnapshot(this.#services));
    } catch (error) {
      this.#services.log.error(error instanceof Error ? error : String(error));
    }
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#runs.dispose();
    this.#rpc.dispose();
    this.#panel.dispose();
  }

  #post(frame: HostFrame): void {
    // the panel may be gone after an await; a hidden one drops the message and asks again when it is back
    if (!this.#isDisposed) void this.#panel.webview.postMessage(frame);
  }
}

/** What is an answer to the person, in contrast to a fault of the extension. */
async function isExpected(error: unknown): Promise<boolean> {
  if (error instanceof ConnectionProblem) return true;
  const engine = await loadedEngine()?.catch(() => undefined);
  return engine !== undefined && error instanceof engine.ProviderError;
}
