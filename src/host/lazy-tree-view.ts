// A tree view in the side bar whose services are loaded when it is first shown or one of its commands is first
// called.
import * as vscode from 'vscode';
import { Lazy } from './lazy';

type TreeAction = (target: unknown) => Promise<void>;

/** The services that are loaded on demand. */
export interface TreeServices<Node> {
  tree: {
    children: (node?: Node) => Node[] | Promise<Node[]>;
    item: (node: Node) => vscode.TreeItem | Promise<vscode.TreeItem>;
  };
  actions: Readonly<Record<string, TreeAction>>;
  setVisible: (isVisible: boolean) => void;
}

/** @param onChange Redraws the node and its descendants, or the whole tree without a node. */
type Load<Node, Services> = (
  onChange: (node?: Node) => void,
  view: vscode.TreeView<Node>,
) => Promise<Services>;

export class LazyTreeView<Node, Services extends TreeServices<Node>> implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #view: vscode.TreeView<Node>;
  readonly #services: Lazy<Services>;

  constructor(
    id: string,
    load: Load<Node, Services>,
    options: Pick<vscode.TreeViewOptions<Node>, 'canSelectMany'> = {},
  ) {
    this.#services = new Lazy(async () => {
      const services = await load((node) => this.#changed.fire(node), this.#view);
      services.setVisible(this.#view.visible);
      return services;
    });
    this.#view = vscode.window.createTreeView(id, {
      ...options,
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => {
          const children = await (await this.#services.get()).tree.children(node);
          // For the welcome view: while nothing is known, the editor shows it as if the tree were empty.
          if (!node)
            void vscode.commands.executeCommand('setContext', `${id}.isEmpty`, children.length === 0);
          return children;
        },
        // Only nodes of the first level are revealed.
        getParent: () => undefined,
        getTreeItem: async (node) => (await this.#services.get()).tree.item(node),
      },
    });
    this.#view.onDidChangeVisibility(({ visible }) => {
      if (visible || this.#services.isRequested)
        void this.#services.get().then((services) => services.setVisible(visible));
    });
  }

  /** @param target A tree item, or undefined. */
  async act(action: keyof Services['actions'], target: unknown): Promise<void> {
    const { actions } = await this.#services.get();
    await (actions as Services['actions'])[action]?.(target);
  }

  /** Calls `work` only if the services have already been loaded. */
  ifLoaded(work: (services: Services) => void): void {
    void this.#services.loaded().then((services) => services && work(services));
  }

  dispose(): void {
    this.ifLoaded((services) => services.setVisible(false));
    this.#view.dispose();
    this.#changed.dispose();
  }
}
