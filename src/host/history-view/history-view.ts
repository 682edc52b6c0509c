// The tree view of the stored runs in VS Code. Reads nothing while it is hidden.
import { HISTORY_VIEW } from '../contributions';
import { LazyTreeView } from '../lazy-tree-view';
import type { HistoryDependencies } from './action-services';
import type { HistoryServices } from './history-services';
import type { HistoryNode } from './history-tree';

export class HistoryView extends LazyTreeView<HistoryNode, HistoryServices> {
  constructor(dependencies: HistoryDependencies) {
    super(
      HISTORY_VIEW,
      async (onChange, view) => {
        const { HistoryServices: Services } = await import('./history-services');
        return new Services(dependencies, onChange, view);
      },
      { canSelectMany: true },
    );
  }

  /** Must be called when a run has ended or the history was cleared. */
  runsChanged(): void {
    this.ifLoaded((services) => services.runsChanged());
  }
}
