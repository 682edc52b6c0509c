// The tree view of the connections in VS Code. Sends no requests while it is hidden.
import { CONNECTIONS_VIEW } from '../contributions';
import type { Unopened } from '../connections/window-connections';
import { LazyTreeView } from '../lazy-tree-view';
import type { ConnectionActions } from './actions';
import type { TreeNode } from './connection-tree';
import type { ViewDependencies } from './view-dependencies';
import type { ConnectionViewServices } from './view-services';

export type ConnectionAction = keyof ConnectionActions;

export class ConnectionsView extends LazyTreeView<TreeNode, ConnectionViewServices> {
  constructor(dependencies: Unopened<ViewDependencies>) {
    super(CONNECTIONS_VIEW, async (onChange) => {
      const [{ ConnectionViewServices: Services }, opened] = await Promise.all([
        import('./view-services'),
        dependencies.connections.get(),
      ]);
      return new Services({ ...dependencies, ...opened }, onChange);
    });
  }

  connectionsChanged(): void {
    this.ifLoaded((services) => services.connectionsChanged());
  }
}
