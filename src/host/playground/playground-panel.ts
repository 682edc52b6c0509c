// One panel: its webview, its runs, and the requests that its webview may make.
import * as vscode from 'vscode';
import type { HostFrame } from '../../protocol';
import { RpcServer } from '../../protocol';
import type { ApiKeys } from '../connections/api-keys';
import type { ConnectionService } from '../connections/connection-service';
import { PLAYGROUND_VIEW_TYPE } from '../contributions';
import { reportError } from '../runs/error-info';
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
      toErrorInfo: (error) => reportError(error, services),
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
      await reportError(error, this.#services);
    }
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#runs.dispose();
    this.#rpc.dispose();
    this.#panel.dispose();
  }

  /** @returns what rejects for a frame that is no JSON. */
  #post(frame: HostFrame): PromiseLike<unknown> | undefined {
    // the panel may be gone after an await; a hidden one drops the message and asks again when it is back
    return this.#isDisposed ? undefined : this.#panel.webview.postMessage(frame);
  }
}
