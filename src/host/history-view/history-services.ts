// Services of the history view and its commands. Bundled as a chunk that is loaded when the view is first shown or
// one of its commands is first called.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunFilter } from '../../session';
import { isFiltering, isMatch, NO_FILTER } from '../../session';
import { CONTEXT_KEYS } from '../contributions';
import type { HistoryDependencies } from './action-services';
import type { HistoryActions } from './actions';
import { createActions } from './actions';
import type { HistoryNode } from './history-tree';
import { HistoryTree } from './history-tree';
import { PlaygroundTitles } from './playground-titles';
import { RunHistory } from './run-history';
import { countRuns, describeFilter } from './run-words';

/** Debounce in milliseconds, so that runs that end shortly after each other redraw the tree only once. */
const REFRESH_DELAY_MS = 500;

type View = Pick<vscode.TreeView<HistoryNode>, 'selection' | 'message' | 'reveal'>;

export class HistoryServices {
  readonly tree: HistoryTree;
  readonly actions: HistoryActions;
  readonly #dependencies: HistoryDependencies;
  readonly #history: RunHistory;
  readonly #titles: PlaygroundTitles;
  readonly #onChange: (node?: HistoryNode) => void;
  readonly #view: View;
  #filter: RunFilter = NO_FILTER;
  #isVisible = false;
  /** Whether something has changed since the tree was drawn. */
  #isOld = false;
  #isRefreshPlanned = false;
  /** Number of open dialogs, during which the tree must not take the focus. */
  #dialogs = 0;

  constructor(dependencies: HistoryDependencies, onChange: (node?: HistoryNode) => void, view: View) {
    const { pool, scratches, clock } = dependencies;
    this.#dependencies = dependencies;
    this.#onChange = onChange;
    this.#view = view;
    this.#history = new RunHistory(() => pool.store());
    this.#titles = new PlaygroundTitles(scratches);
    this.tree = new HistoryTree({
      history: this.#history,
      titles: this.#titles,
      filter: () => this.#filter,
      now: () => clock.now(),
    });
    this.actions = createActions({
      ...dependencies,
      history: this.#history,
      tree: this.tree,
      selection: () => view.selection,
      filter: () => this.#filter,
      setFilter: (filter) => this.#setFilter(filter),
      reveal: async (node) => view.reveal(node, { select: true, focus: true, expand: true }),
      redraw: onChange,
      refresh: () => this.refresh(),
      inDialog: (work) => this.#inDialog(work),
    });
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isOld) void this.refresh();
  }

  runsChanged(): void {
    this.#isOld = true;
    if (this.#isRefreshPlanned) return;
    this.#isRefreshPlanned = true;
    this.#dependencies.clock.after(REFRESH_DELAY_MS, () => {
      this.#isRefreshPlanned = false;
      if (this.#isVisible && this.#dialogs === 0) void this.refresh();
    });
  }

  /** Reads everything that has changed, including changes by other windows. */
  async refresh(): Promise<void> {
    this.#isOld = false;
    this.#history.changed();
    this.#titles.changed();
    this.#onChange();
    await this.#showFilter();
  }

  async #setFilter(filter: RunFilter): Promise<void> {
    this.#filter = filter;
    await vscode.commands.executeCommand('setContext', CONTEXT_KEYS.historyFiltered, isFiltering(filter));
    this.#onChange();
    await this.#showFilter();
  }

  /** Shows the filter above the tree, so that nobody mistakes a part for the whole. */
  async #showFilter(): Promise<void> {
    const filter = this.#filter;
    if (!isFiltering(filter)) {
      this.#view.message = '';
      return;
    }
    let [found, all] = [0, 0];
    for (const { sessionId } of await this.#history.sessions()) {
      const runs = await this.#history.runs(sessionId);
      all += runs.length;
      found += runs.filter((run) => isMatch(run, filter)).length;
    }
    // The filter may have been changed while the runs were counted.
    if (filter !== this.#filter) return;
    this.#view.message = t('Filter: {0}. {1} of {2}.', describeFilter(filter), found, countRuns(all));
  }

  async #inDialog<T>(work: () => Promise<T>): Promise<T> {
    this.#dialogs++;
    try {
      return await work();
    } finally {
      this.#dialogs--;
      if (this.#isOld) this.runsChanged();
    }
  }
}
