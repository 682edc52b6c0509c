// The actions on stored runs and evaluations, one function for each command. Errors are shown together with the next step.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { facetsOf, NO_FILTER } from '../../session';
import type { HistoryCommand } from '../contributions';
import { CHAT_SESSION_ID, HISTORY_VIEW } from '../contributions';
import { showMessage } from '../dialogs';
import type { ActionServices, EvaluationNode, RunNode, StoredNodes } from './action-services';
import { compareEvaluations, nameEvaluation, openEvaluation, pinEvaluations } from './change-evaluations';
import { deleteStoredNodes, nameRun, pinRuns } from './change-runs';
import type { HistoryNode } from './history-tree';
import { openInNewPlayground, openPlayground, openRun } from './open-runs';
import { pickFilter } from './pick-filter';
import { replayRun } from './replay-run';
import { compareRuns, exportRuns } from './show-runs';

type Work = (services: ActionServices, target: unknown) => Promise<void>;

/** Calls the action with what is selected; if that is nothing, tells the user what to select. */
const withStored =
  (work: (services: ActionServices, stored: StoredNodes) => Promise<void>): Work =>
  async (services, target) => {
    const stored = await storedIn(services, target);
    if (stored.runs.length + stored.evaluations.length === 0) return askToSelect();
    await services.inDialog(() => work(services, stored));
  };

const withRuns = (work: (services: ActionServices, runs: readonly RunNode[]) => Promise<void>): Work =>
  withStored((services, { runs }) => (runs.length > 0 ? work(services, runs) : askToSelect()));

const withEvaluations = (
  work: (services: ActionServices, evaluations: readonly EvaluationNode[]) => Promise<void>,
): Work =>
  withStored((services, { evaluations }) =>
    evaluations.length > 0 ? work(services, evaluations) : askToSelect(),
  );

async function askToSelect(): Promise<void> {
  await vscode.commands.executeCommand(`${HISTORY_VIEW}.focus`);
  void showMessage('information', t('Select a run or an evaluation in the History view first.'));
}

/** Changes what is selected, and shows it as it is then. */
const changing = (work: (services: ActionServices, stored: StoredNodes) => Promise<void>): Work =>
  withStored(async (services, stored) => {
    await work(services, stored);
    await services.refresh();
  });

async function pin(services: ActionServices, stored: StoredNodes, isPinned: boolean): Promise<void> {
  await pinRuns(services, stored.runs, isPinned);
  await pinEvaluations(services, stored.evaluations, isPinned);
}

async function nameFirst(services: ActionServices, { runs, evaluations }: StoredNodes): Promise<void> {
  const [run] = runs;
  const [evaluation] = evaluations;
  if (run) await nameRun(services, run);
  else if (evaluation) await nameEvaluation(services, evaluation);
}

const withRun = (work: (services: ActionServices, run: RunNode) => Promise<void>): Work =>
  withRuns(async (services, [run]) => {
    if (run) await work(services, run);
  });

/** The requests of the editor's chat, as the history stores them. */
async function showChatRuns({ history, setFilter, refresh, reveal }: ActionServices): Promise<void> {
  await vscode.commands.executeCommand(`${HISTORY_VIEW}.focus`);
  await setFilter(NO_FILTER);
  await refresh();
  const isThere = (await history.sessions()).some(({ sessionId }) => sessionId === CHAT_SESSION_ID);
  if (isThere) return reveal({ kind: 'playground', sessionId: CHAT_SESSION_ID });
  const next = t(
    'Offer a connection to it in the Connections view, then choose one of its models in the chat.',
  );
  void showMessage('information', `${t('No request of the chat of VS Code is stored.')} ${next}`);
}

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
  showChatRuns,
  openRunPlayground: async (services, target) => {
    const node = isNode(target) ? target : services.selection()[0];
    await (node ? openPlayground(services, node) : askToSelect());
  },
  openRunInNewPlayground: withRun(openInNewPlayground),
  replayRun: withRun(replayRun),
  compareRuns: withRuns(compareRuns),
  exportRuns: withRuns(exportRuns),
  openEvaluation: withEvaluations(async (services, [evaluation]) => {
    if (evaluation) await openEvaluation(services, evaluation);
  }),
  compareEvaluations: withEvaluations(compareEvaluations),
  pinRun: changing((services, stored) => pin(services, stored, true)),
  unpinRun: changing((services, stored) => pin(services, stored, false)),
  nameRun: async (services, target) => {
    // A playground or a day stands for all of its runs, of which none is meant.
    const node = isNode(target) ? target : services.selection()[0];
    const isOne = node?.kind === 'run' || node?.kind === 'evaluation';
    await (isOne ? changing(nameFirst)(services, node) : askToSelect());
  },
  deleteRuns: changing(deleteStoredNodes),
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
 * What is selected if there is no target or the target is selected; otherwise the target, or what is below it.
 */
async function storedIn({ selection, tree }: ActionServices, target: unknown): Promise<StoredNodes> {
  const selected = selection();
  const nodes = isNode(target) && !selected.some((node) => isSame(node, target)) ? [target] : selected;
  const found = (await Promise.all(nodes.map((node) => tree.storedIn(node)))).flat();
  // A run and its day may both be selected.
  const unique = [...new Map(found.map((node) => [idOf(node), node])).values()];
  return {
    runs: unique.filter((node) => node.kind === 'run'),
    evaluations: unique.filter((node) => node.kind === 'evaluation'),
  };
}

const isNode = (target: unknown): target is HistoryNode =>
  typeof target === 'object' &&
  target !== null &&
  'kind' in target &&
  'sessionId' in target &&
  typeof target.sessionId === 'string';

const isSame = (one: HistoryNode, other: HistoryNode): boolean => idOf(one) === idOf(other);

function idOf(node: HistoryNode): string {
  const { kind, sessionId } = node;
  if (kind === 'run') return [kind, sessionId, node.run.runId].join(' ');
  if (kind === 'evaluation') return [kind, sessionId, node.evaluation.id].join(' ');
  if (kind === 'steps') return [kind, sessionId, node.day, node.steps[0]?.agentRunId].join(' ');
  return [kind, sessionId, 'day' in node ? node.day : ''].join(' ');
}

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
