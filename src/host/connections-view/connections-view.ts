// The view of the connections as VS Code knows it. What it shows and does is loaded when it is first looked at; nothing is
// asked of any server while it is hidden.
import * as vscode from 'vscode';
import { CONNECTIONS_VIEW } from '../contributions';
import type { ConnectionActions } from './actions';
import type { TreeNode } from './connection-tree';
import type { ViewDependencies, ViewServices } from './view-services';

export type ConnectionAction = keyof ConnectionActions;

export class ConnectionsView implements vscode.Disposable {
  readonly #dependencies: ViewDependencies;
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #view: vscode.TreeView<TreeNode>;
  #opened: Promise<ViewServices> | undefined;

  constructor(dependencies: ViewDependencies) {
    this.#dependencies = dependencies;
    this.#view = vscode.window.createTreeView(CONNECTIONS_VIEW, {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (await this.#open()).tree.children(node),
        getTreeItem: async (node) => (await this.#open()).tree.item(node),
      },
    });
    this.#view.onDidChangeVisibility(({ visible }) => {
      if (visible || this.#opened) void this.#open().then((services) => services.setVisible(visible));
    });
  }

  /** @param target An item of the tree, or none: then it is asked for. */
  async act(action: ConnectionAction, target: unknown): Promise<void> {
    await (await this.#open()).actions[action](target);
  }

  connectionsChanged(): void {
    void this.#opened?.then((services) => services.connectionsChanged());
  }

  dispose(): void {
    void this.#opened?.then((services) => services.setVisible(false));
    this.#view.dispose();
    this.#changed.dispose();
  }

  #open(): Promise<ViewServices> {
    this.#opened ??= this.#load().catch((error: unknown) => {
      this.#opened = undefined; // so that the next use tries again
      throw error;
    });
    return this.#opened;
  }

  async #load(): Promise<ViewServices> {
    const { ViewServices: Services } = await import('./view-services');
    const services = new Services(this.#dependencies, (node) => this.#changed.fire(node));
    services.setVisible(this.#view.visible);
    return services;
  }
}
