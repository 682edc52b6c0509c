// The actions on stored runs, one function for each command. Errors are shown together with the next step.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { facetsOf, NO_FILTER } from '../../session';
import type { HistoryCommand } from '../contributions';
import { HISTORY_VIEW } from '../contributions';
import { showMessage } from '../dialogs';
import { deleteRuns, nameRun, pinRuns } from './change-runs';
import type { ActionServices, RunNode } from './action-services';
import type { HistoryNode } from './history-tree';
import { openInNewPlayground, openPlayground, openRun } from './open-runs';
import { pickFilter } from './pick-filter';
import { replayRun } from './replay-run';
import { compareRuns, exportRuns } from './show-runs';

type Work = (services: ActionServices, target: unknown) => Promise<void>;

/** Calls the action with the selected runs; if there are none, tells the user how to select some. */
const withRuns =
  (work: (services: ActionServices, runs: readonly RunNode[]) => Promise<void>): Work =>
  async (services, target) => {
    const runs = await runsOf(services, target);
    if (runs.length > 0) return services.inDialog(() => work(services, runs));
    await askToSelect();
  };

async function askToSelect(): Promise<void> {
  await vscode.commands.executeCommand(`${HISTORY_VIEW}.focus`);
  void showMessage('information', t('Select a run in the History view first.'));
}

const withRun = (work: (services: ActionServices, run: RunNode) => Promise<void>): Work =>
  withRuns(async (services, [run]) => {
    if (run) await work(services, run);
  });

const ACTIONS: Readonly<Record<HistoryCommand, Work>> = {
  refreshHistory: ({ refresh }) => refresh(),
  filterHistory: filter,
  clearHistoryFilter: ({ setFilter }) => setFilter(NO_FILTER),
  openRun: async (services, target) => {
    if (isNode(target) && target.kind === 'more') {
      services.tree.showMore(target);
      services.redraw();
      return;
    }
    await withRun(openRun)(services, target);
  },
  openRunPlayground: async (services, target) => {
    const node = isNode(target) ? target : services.selection()[0];
    await (node ? openPlayground(services, node) : askToSelect());
  },
  openRunInNewPlayground: withRun(openInNewPlayground),
  replayRun: withRun(replayRun),
  compareRuns: withRuns(compareRuns),
  exportRuns: withRuns(exportRuns),
  pinRun: withRuns((services, runs) => pinRuns(services, runs, true)),
  unpinRun: withRuns((services, runs) => pinRuns(services, runs, false)),
  nameRun: withRun(nameRun),
  deleteRuns: withRuns(deleteRuns),
};

export type HistoryActions = Readonly<Record<HistoryCommand, (target: unknown) => Promise<void>>>;

export function createActions(services: ActionServices): HistoryActions {
  const withErrorMessage = (work: Work) => async (target: unknown) => {
    try {
      await work(services, target);
    } catch (error) {
      const { title, what, next } = await services.explain(error);
      void showMessage('error', [title, what, next].filter(Boolean).join(' '));
    }
  };
  const entries = Object.entries(ACTIONS).map(([name, work]) => [name, withErrorMessage(work)] as const);
  return Object.fromEntries(entries) as HistoryActions;
}

/**
 * The runs of the selection if there is no target or the target is selected; otherwise the target, or the runs
 * below it.
 */
async function runsOf({ selection, tree }: ActionServices, target: unknown): Promise<readonly RunNode[]> {
  const selected = selection();
  const nodes = isNode(target) && !selected.some((node) => isSame(node, target)) ? [target] : selected;
  const found = (await Promise.all(nodes.map((node) => tree.runsOf(node)))).flat() as RunNode[];
  // A run and its day may both be selected.
  return [...new Map(found.map((node) => [`${node.sessionId} ${node.run.runId}`, node])).values()];
}

const isNode = (target: unknown): target is HistoryNode =>
  typeof target === 'object' &&
  target !== null &&
  'kind' in target &&
  'sessionId' in target &&
  typeof target.sessionId === 'string';

const isSame = (one: HistoryNode, other: HistoryNode): boolean =>
  one.kind === other.kind &&
  one.sessionId === other.sessionId &&
  (one.kind !== 'run' || (other.kind === 'run' && one.run.runId === other.run.runId)) &&
  (one.kind !== 'day' || (other.kind === 'day' && one.day === other.day));

async function filter({ history, filter: current, setFilter, inDialog }: ActionServices): Promise<void> {
  const chosen = await inDialog(async () => {
    const sessions = await history.sessions();
    const runs = await Promise.all(sessions.map(({ sessionId }) => history.runs(sessionId)));
    return pickFilter(facetsOf(runs.flat()), current());
  });
  if (!chosen) return;
  await setFilter(chosen);
  await vscode.commands.executeCommand(`${HISTORY_VIEW}.focus`);
}
