// The tree view of the connections in VS Code. Sends no requests while it is hidden.
import { CONNECTIONS_VIEW } from '../contributions';
import { LazyTreeView } from '../lazy-tree-view';
import type { ConnectionActions } from './actions';
import type { TreeNode } from './connection-tree';
import type { ViewDependencies, ViewServices } from './view-services';

export type ConnectionAction = keyof ConnectionActions;

export class ConnectionsView extends LazyTreeView<TreeNode, ViewServices> {
  constructor(dependencies: ViewDependencies) {
    super(CONNECTIONS_VIEW, async (onChange) => {
      const { ViewServices: Services } = await import('./view-services');
      return new Services(dependencies, onChange);
    });
  }

  connectionsChanged(): void {
    this.ifLoaded((services) => services.connectionsChanged());
  }
}
