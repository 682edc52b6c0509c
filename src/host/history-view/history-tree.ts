// The stored runs as a tree: by playground and day, pinned ones first, and the evaluations of the playground before them. Each
// part is read when it is expanded, and long days are shown in pages.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { StoredEvaluation } from '../../protocol';
import type { RunFilter, StoredRun } from '../../session';
import { isFiltering, isMatch } from '../../session';
import { COMMANDS } from '../contributions';
import { toRunDocumentUri } from '../wire/wire-uri';
import { readRecordingId } from '../recording/recording-id';
import { describeScratch } from '../playground/scratches/describe-scratch';
import {
  countEvaluations,
  outcomeOfEvaluation,
  restOfEvaluation,
  tooltipOfEvaluation,
} from './evaluation-words';
import type { PlaygroundTitles } from './playground-titles';
import type { RunHistory } from './run-history';
import {
  countRuns,
  dayOf,
  nameDay,
  outcomeIcon,
  outcomeOfRun,
  restOfRun,
  restOfSteps,
  tooltipOfRun,
} from './run-words';

/** Number of runs of a day per page. */
const PAGE = 200;
const PINNED = 'pinned';

export type HistoryNode =
  | { kind: 'playground'; sessionId: string }
  /** `day` is a date such as `2026-05-01`, or `pinned`. */
  | { kind: 'day'; sessionId: string; day: string; count: number }
  | { kind: 'run'; sessionId: string; run: StoredRun }
  /** The steps of one agent run on this day, the last one first. */
  | { kind: 'steps'; sessionId: string; day: string; steps: readonly StoredRun[] }
  | { kind: 'evaluations'; sessionId: string; count: number }
  | { kind: 'evaluation'; sessionId: string; evaluation: StoredEvaluation }
  | { kind: 'more'; sessionId: string; day: string; left: number };

interface HistoryTreeParts {
  history: RunHistory;
  titles: PlaygroundTitles;
  filter: () => RunFilter;
  now: () => number;
}

export class HistoryTree {
  readonly #parts: HistoryTreeParts;
  /** Number of runs shown, by session and day. */
  readonly #shown = new Map<string, number>();

  constructor(parts: HistoryTreeParts) {
    this.#parts = parts;
  }

  async children(node?: HistoryNode): Promise<HistoryNode[]> {
    if (!node) return this.#playgrounds();
    if (node.kind === 'playground') return this.#groups(node.sessionId);
    if (node.kind === 'evaluations') return this.#evaluations(node.sessionId);
    if (node.kind === 'steps') return toRunNodes(node.sessionId, node.steps);
    return node.kind === 'day' ? this.#runs(node) : [];
  }

  async item(node: HistoryNode): Promise<vscode.TreeItem> {
    const item = await this.#toItem(node);
    // A screen reader would read the tooltip, which is longer.
    const { label = '', description = '' } = item as { label?: string; description?: string };
    item.accessibilityInformation = { label: `${label} ${description}`.trim() };
    return item;
  }

  /** All runs and evaluations of a node that match the filter. */
  async storedIn(node: HistoryNode): Promise<HistoryNode[]> {
    if (node.kind === 'run' || node.kind === 'evaluation') return [node];
    if (node.kind === 'evaluations') return this.#evaluations(node.sessionId);
    if (node.kind === 'steps') return toRunNodes(node.sessionId, node.steps);
    const runs = await this.#matching(node.sessionId);
    const own = node.kind === 'playground' ? runs : runs.filter((run) => groupOf(run) === node.day);
    const evaluations = node.kind === 'playground' ? await this.#evaluations(node.sessionId) : [];
    return [...toRunNodes(node.sessionId, own), ...evaluations];
  }

  /** Shows the next page of a day. */
  showMore({ sessionId, day }: { sessionId: string; day: string }): void {
    const key = keyOf(sessionId, day);
    this.#shown.set(key, (this.#shown.get(key) ?? PAGE) + PAGE);
  }

  async #playgrounds(): Promise<HistoryNode[]> {
    const { history, filter } = this.#parts;
    const isPart = isFiltering(filter());
    const nodes: HistoryNode[] = [];
    for (const { sessionId } of await history.sessions()) {
      const isEmpty = isPart
        ? (await this.#matching(sessionId)).length === 0
        : await history.isKnownEmpty(sessionId);
      if (!isEmpty) nodes.push({ kind: 'playground', sessionId });
    }
    return nodes;
  }

  /** Pinned ones first. A filter is of runs: with one, there are none. */
  async #evaluations(sessionId: string): Promise<HistoryNode[]> {
    const { history, filter } = this.#parts;
    if (isFiltering(filter())) return [];
    return (await history.evaluations(sessionId))
      .toSorted((one, other) => Number(other.isPinned ?? false) - Number(one.isPinned ?? false))
      .map((evaluation) => ({ kind: 'evaluation', sessionId, evaluation }));
  }

  async #groups(sessionId: string): Promise<HistoryNode[]> {
    const { length: count } = await this.#evaluations(sessionId);
    const counts = new Map<string, number>([[PINNED, 0]]);
    for (const run of await this.#matching(sessionId)) {
      counts.set(groupOf(run), (counts.get(groupOf(run)) ?? 0) + 1);
    }
    const days = [...counts].filter(([, runs]) => runs > 0);
    return [
      ...(count > 0 ? [{ kind: 'evaluations' as const, sessionId, count }] : []),
      ...days.map(([day, runs]): HistoryNode => ({ kind: 'day', sessionId, day, count: runs })),
    ];
  }

  async #runs({ sessionId, day }: HistoryNode & { kind: 'day' }): Promise<HistoryNode[]> {
    const runs = (await this.#matching(sessionId)).filter((run) => groupOf(run) === day);
    const shown = this.#shown.get(keyOf(sessionId, day)) ?? PAGE;
    const left = runs.length - shown;
    return [
      ...groupSteps(runs.slice(0, shown)).flatMap((steps): HistoryNode[] =>
        steps.length > 1 ? [{ kind: 'steps', sessionId, day, steps }] : toRunNodes(sessionId, steps),
      ),
      ...(left > 0 ? [{ kind: 'more' as const, sessionId, day, left }] : []),
    ];
  }

  async #matching(sessionId: string): Promise<readonly StoredRun[]> {
    const { history, filter } = this.#parts;
    const wanted = filter();
    return (await history.runs(sessionId)).filter((run) => isMatch(run, wanted));
  }

  async #toItem(node: HistoryNode): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'playground':
        return this.#playgroundItem(node.sessionId);
      case 'day':
        return this.#dayItem(node);
      case 'run':
        return toRunItem(node);
      case 'steps':
        return toStepsItem(node);
      case 'evaluations':
        return toGroupItem(node);
      case 'evaluation':
        return toEvaluationItem(node);
      case 'more':
        return toMoreItem(node);
    }
  }

  async #playgroundItem(sessionId: string): Promise<vscode.TreeItem> {
    const { history, now, titles } = this.#parts;
    const { title, place, lanes = [] } = await titles.of(sessionId);
    const session = (await history.sessions()).find((one) => one.sessionId === sessionId);
    const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = sessionId;
    const changed = session && new Date(session.modifiedAt).toLocaleString();
    item.description = place ?? (session ? describeScratch({ ...session, lanes }, now()) : '');
    item.tooltip = [title, place, changed].filter(Boolean).join('\n');
    item.iconPath = new vscode.ThemeIcon(place === undefined ? 'note' : 'file');
    item.contextValue = readRecordingId(sessionId) ? 'playground-recording' : 'playground';
    return item;
  }

  #dayItem({ sessionId, day, count }: HistoryNode & { kind: 'day' }): vscode.TreeItem {
    const isPinned = day === PINNED;
    const now = this.#parts.now();
    const label = isPinned ? t('Pinned') : nameDay(day, now);
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(label, isPinned || day === dayOf(now) ? Expanded : Collapsed);
    item.id = keyOf(sessionId, day);
    item.description = countRuns(count);
    item.iconPath = new vscode.ThemeIcon(isPinned ? 'pinned' : 'calendar');
    item.contextValue = 'day';
    return item;
  }
}

const keyOf = (sessionId: string, day: string): string => `${day} ${sessionId}`;

const groupOf = ({ at, isPinned }: StoredRun): string => (isPinned ? PINNED : dayOf(at));

const toRunNodes = (sessionId: string, runs: readonly StoredRun[]): HistoryNode[] =>
  runs.map((run) => ({ kind: 'run', sessionId, run }));

/** @returns the runs in their order, with the steps of an agent run together where its last step is */
function groupSteps(runs: readonly StoredRun[]): StoredRun[][] {
  const groups = new Map<string, StoredRun[]>();
  for (const run of runs) {
    const id = run.agentRunId ?? run.runId;
    groups.set(id, [...(groups.get(id) ?? []), run]);
  }
  return [...groups.values()];
}

function toStepsItem({ sessionId, day, steps }: HistoryNode & { kind: 'steps' }): vscode.TreeItem {
  const [last] = steps;
  const item = new vscode.TreeItem(last ? outcomeOfRun(last) : '', vscode.TreeItemCollapsibleState.Collapsed);
  if (!last) return item;
  item.id = `${last.agentRunId} ${keyOf(sessionId, day)}`;
  item.description = restOfSteps(steps, last);
  item.tooltip = tooltipOfRun(last);
  item.iconPath = outcomeIcon(last.verdict.kind);
  item.contextValue = 'steps';
  return item;
}

function toRunItem(node: HistoryNode & { kind: 'run' }): vscode.TreeItem {
  const { sessionId, run } = node;
  const item = new vscode.TreeItem(outcomeOfRun(run));
  item.id = `${run.runId} ${sessionId}`;
  item.description = restOfRun(run);
  item.tooltip = tooltipOfRun(run);
  item.iconPath = outcomeIcon(run.verdict.kind);
  item.contextValue = run.isPinned ? 'run-pinned' : 'run';
  // The editor's own open command keeps the focus in the tree where it should.
  const uri = toRunDocumentUri(sessionId, run);
  item.command = { command: 'vscode.open', title: t('Open'), arguments: [uri] };
  return item;
}

function toGroupItem({ sessionId, count }: HistoryNode & { kind: 'evaluations' }): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Evaluations'), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = ['evaluations', sessionId].join(' ');
  item.description = countEvaluations(count);
  item.contextValue = 'evaluations';
  return item;
}

function toEvaluationItem(node: HistoryNode & { kind: 'evaluation' }): vscode.TreeItem {
  const { sessionId, evaluation } = node;
  const item = new vscode.TreeItem(outcomeOfEvaluation(evaluation));
  item.id = `${evaluation.id} ${sessionId}`;
  item.description = restOfEvaluation(evaluation);
  item.tooltip = tooltipOfEvaluation(evaluation);
  item.iconPath = new vscode.ThemeIcon('beaker');
  item.contextValue = evaluation.isPinned === true ? 'evaluation-pinned' : 'evaluation';
  item.command = { command: COMMANDS.openEvaluation, title: t('Open'), arguments: [node] };
  return item;
}

function toMoreItem(node: HistoryNode & { kind: 'more' }): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Show {0} more', Math.min(PAGE, node.left)));
  item.id = `more:${keyOf(node.sessionId, node.day)}`;
  item.description = t('of {0}', node.left);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: COMMANDS.openRun, title: t('Show more'), arguments: [node] };
  return item;
}
