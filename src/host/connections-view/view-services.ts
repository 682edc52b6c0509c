// Services of the connections view and its commands. Bundled as a chunk that is loaded when the view is first
// shown or one of its commands is first called.
import * as vscode from 'vscode';
import type { ServerProduct } from '../../types';
import type { Connection, ConnectionService } from '../../connections';
import { CONTEXT_KEYS } from '../contributions';
import type { ConnectionActions } from './actions';
import { createActions } from './actions';
import { ConnectionMonitor } from './connection-monitor';
import type { TreeNode } from './connection-tree';
import { ConnectionTree } from './connection-tree';
import type { ViewDependencies } from './view-dependencies';

export class ConnectionViewServices {
  readonly tree: ConnectionTree;
  readonly actions: ConnectionActions;
  /** Products of which a context key says that they were found. */
  #foundBefore: ReadonlySet<ServerProduct> = new Set();
  readonly #monitor: ConnectionMonitor;
  readonly #connections: ConnectionService;
  readonly #onChange: (node?: TreeNode) => void;
  #isVisible = false;
  /** Number of open dialogs, during which the tree must not take the focus. */
  #dialogs = 0;

  constructor(dependencies: ViewDependencies, onChange: (node?: TreeNode) => void) {
    const { connections, clock, explain, chatWindow } = dependencies;
    this.#connections = connections;
    this.#onChange = onChange;
    this.#monitor = new ConnectionMonitor({
      connections,
      clock,
      explain,
      onChange: (id) => {
        if (id !== undefined) return void this.#draw(id);
        if (this.#dialogs === 0) onChange();
        this.#setFoundContext();
      },
    });
    this.tree = new ConnectionTree({ connections, monitor: this.#monitor, chatWindow });
    this.actions = createActions({
      ...dependencies,
      monitor: this.#monitor,
      inDialog: (work) => this.#inDialog(work),
    });
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (!isVisible) return this.#monitor.hide();
    this.#monitor.show();
    void this.#lookUpProvided();
  }

  connectionsChanged(): void {
    void this.#monitor.connectionsChanged();
    if (this.#isVisible) void this.#lookUpProvided();
  }

  /** Lists what modules and other extensions provide now; the other connections do not wait for it. */
  async #lookUpProvided(): Promise<void> {
    const before = this.#connections.list();
    await this.#connections.refresh();
    if (!isSameList(before, this.#connections.list())) await this.#monitor.connectionsChanged();
  }

  async #draw(connectionId: string): Promise<void> {
    await this.tree.itemsDelivered();
    if (this.#dialogs === 0) this.#onChange(this.tree.nodeOf(connectionId));
  }

  /** Runs a dialog without drawing the tree: doing so between two questions takes the focus from the next one. */
  async #inDialog<T>(work: () => Promise<T>): Promise<T> {
    this.#dialogs++;
    try {
      return await work();
    } finally {
      this.#dialogs--;
      this.#onChange();
    }
  }

  /** Sets the context keys for the buttons of the welcome view. */
  #setFoundContext(): void {
    const found = new Map(this.#monitor.found.map((server) => [server.product, server]));
    for (const product of new Set([...this.#foundBefore, ...found.keys()])) {
      const key = `${CONTEXT_KEYS.found}.${product}`;
      const state = found.get(product)?.needsKey ? 'key' : found.has(product);
      void vscode.commands.executeCommand('setContext', key, state);
    }
    this.#foundBefore = new Set(found.keys());
  }
}

const isSameList = (before: readonly Connection[], after: readonly Connection[]): boolean =>
  before.length === after.length && before.every((one, index) => isSame(one, after[index]));

/** The `provided` of a module with a problem is a new object in each list, so it is not compared. */
const isSame = (one: Connection, other: Connection | undefined): boolean =>
  one.id === other?.id &&
  one.problem === other.problem &&
  (one.provided === other.provided || one.problem !== undefined);
