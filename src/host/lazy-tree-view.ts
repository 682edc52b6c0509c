// A tree in the side bar. What it shows and does is loaded when it is first looked at or one of its commands is first called.
import * as vscode from 'vscode';

type Action = (target: unknown) => Promise<void>;

/** What is loaded. */
export interface TreeServices<Node> {
  tree: {
    children: (node?: Node) => Node[] | Promise<Node[]>;
    item: (node: Node) => vscode.TreeItem | Promise<vscode.TreeItem>;
  };
  actions: Readonly<Record<string, Action>>;
  setVisible: (isVisible: boolean) => void;
}

/** @param onChange Of this node and what is below it; without one of the whole tree. */
type Load<Node, Services> = (
  onChange: (node?: Node) => void,
  view: vscode.TreeView<Node>,
) => Promise<Services>;

export class LazyTreeView<Node, Services extends TreeServices<Node>> implements vscode.Disposable {
  readonly #load: Load<Node, Services>;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #view: vscode.TreeView<Node>;
  #opened: Promise<Services> | undefined;

  constructor(
    id: string,
    load: Load<Node, Services>,
    options: Pick<vscode.TreeViewOptions<Node>, 'canSelectMany'> = {},
  ) {
    this.#load = load;
    this.#view = vscode.window.createTreeView(id, {
      ...options,
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

  /** @param target An item of the tree, or none. */
  async act(action: keyof Services['actions'], target: unknown): Promise<void> {
    const { actions } = await this.#open();
    await (actions as Services['actions'])[action]?.(target);
  }

  /** Only when it was looked at before. */
  tell(work: (services: Services) => void): void {
    void this.#opened?.then(work);
  }

  dispose(): void {
    this.tell((services) => services.setVisible(false));
    this.#view.dispose();
    this.#changed.dispose();
  }

  #open(): Promise<Services> {
    this.#opened ??= this.#make().catch((error: unknown) => {
      this.#opened = undefined; // so that the next use tries again
      throw error;
    });
    return this.#opened;
  }

  async #make(): Promise<Services> {
    const services = await this.#load((node) => this.#changed.fire(node), this.#view);
    services.setVisible(this.#view.visible);
    return services;
  }
}
