// All panels of the window.
import * as vscode from 'vscode';
import { CONFIGURATION, PLAYGROUND_VIEW_TYPE } from '../contributions';
import type { PanelServices } from './playground-panel';
import { PlaygroundPanel } from './playground-panel';

export class PlaygroundPanels implements vscode.Disposable {
  readonly #services: PanelServices;
  readonly #panels = new Set<PlaygroundPanel>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(services: PanelServices) {
    this.#services = services;
    this.#subscriptions = [
      vscode.window.registerWebviewPanelSerializer(PLAYGROUND_VIEW_TYPE, {
        // what was on the panel is in the webview's own state
        deserializeWebviewPanel: (panel) => {
          this.#add(new PlaygroundPanel(panel, services));
          return Promise.resolve();
        },
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(CONFIGURATION)) this.#refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#refresh()),
      services.connections.onDidChange(() => this.#refresh()),
    ];
  }

  /** Brings a panel back to the front; a second one opens when the first is in front already. */
  open(): void {
    const panels = [...this.#panels];
    const hidden = panels.find(({ isInFront }) => !isInFront);
    if (hidden && panels.every(({ isInFront }) => !isInFront)) hidden.reveal();
    else this.#add(PlaygroundPanel.create(this.#services));
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, ...this.#panels).dispose();
  }

  #add(panel: PlaygroundPanel): void {
    this.#panels.add(panel);
    panel.onDidDispose(() => this.#panels.delete(panel));
  }

  #refresh(): void {
    for (const panel of this.#panels) void panel.refresh();
  }
}
