// What the history view is given, and what its actions are given.
import type { ErrorInfo } from '../../protocol';
import type { Clock, RunFilter } from '../../session';
import type { PlaygroundPanels } from '../playground/playground-panels';
import type { Scratches } from '../playground/scratches/scratches';
import type { SessionPool } from '../playground/session-pool';
import type { Recordings } from '../recording/recordings';
import type { PlaygroundWire } from '../wire/playground-wire';
import type { HistoryNode, HistoryTree } from './history-tree';
import type { RunHistory } from './run-history';

export interface HistoryDependencies {
  pool: Pick<SessionPool, 'store' | 'find' | 'stepServices' | 'wanted'>;
  scratches: Pick<Scratches, 'list' | 'open' | 'create'>;
  panels: Pick<PlaygroundPanels, 'openScratch'>;
  wire: Pick<PlaygroundWire, 'services'>;
  recordings: Pick<Recordings, 'show' | 'remove'>;
  clock: Clock;
  /** Describes an error for the user; the result contains no secret. */
  explain: (error: unknown) => Promise<ErrorInfo>;
}

export type RunNode = HistoryNode & { kind: 'run' };
export type EvaluationNode = HistoryNode & { kind: 'evaluation' };

/** What a command works on. */
export interface StoredNodes {
  runs: readonly RunNode[];
  evaluations: readonly EvaluationNode[];
}

export interface ActionServices extends HistoryDependencies {
  history: RunHistory;
  tree: HistoryTree;
  selection: () => readonly HistoryNode[];
  filter: () => RunFilter;
  setFilter: (filter: RunFilter) => Promise<void>;
  /** Shows a node of the first level, opened. */
  reveal: (node: HistoryNode) => Promise<void>;
  redraw: (node?: HistoryNode) => void;
  refresh: () => Promise<void>;
  /** Runs a dialog during which the tree is not drawn again. */
  inDialog: <T>(work: () => Promise<T>) => Promise<T>;
}
