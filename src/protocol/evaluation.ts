// What the Evaluate view shows: the plan of an evaluation, what is under way, and what came of it. Complete each time, but
// for the rows of the table and the samples behind a cell, which are read as they are looked at.
import type {
  CallProgress,
  CaseSummary,
  EvaluationLane,
  EvaluationSummary,
  EvaluationWarning,
  Gates,
  JudgedExpectation,
  JudgedSample,
  LaneComparison,
  SampleKind,
  Sentence,
} from '../types';
import type { LaneEntry } from './lanes';

/** What keeps an evaluation from starting. */
export interface EvaluationProblem {
  /** A sentence. */
  message: string;
  /** In the rows file if `isInRows`, else in the document; starts at 1. */
  line?: number | undefined;
  isInRows?: boolean | undefined;
  /** Nothing is wrong: here it cannot be otherwise. */
  isNote?: boolean | undefined;
}

/** What an evaluation would send and cost. Amounts that nobody can know are absent. */
export interface EvaluationPlan {
  rows: number;
  /** Of each row; rows may have a number of their own, so `samples` may be more or less than the product. */
  repeats: number;
  /** Repeats of every row that were added since. @default 0 */
  addedRepeats?: number | undefined;
  /** With those that were added. */
  samples: number;
  /** Samples that are stored already under the same settings, and are not sent again. */
  stored: number;
  /** Samples that a start would send, those of repeats that were added included. */
  left: number;
  /** Of an agent, up to this many. */
  mostRequests: number;
  /** How many of these count against a quota of the person's account; absent: none. */
  quotaRequests?: number | undefined;
  promptTokens?: number | undefined;
  completionTokens?: number | undefined;
  /** By lane; null: the connection has no rates. */
  costUsd: Readonly<Record<string, number | null>>;
  durationMs?: number | undefined;
  /** Whether the start is to be confirmed: it is large, or its cost is unknown. */
  needsConfirmation: boolean;
}

/** A sample that is being run. */
export interface SampleUnderWay {
  rowId: string;
  laneId: string;
  repeat: number;
  /** Milliseconds since the epoch. */
  since: number;
  /** Absent while it waits for other requests. */
  phase?: CallProgress['phase'] | undefined;
}

/** An evaluation under way. */
export interface EvaluationProgress {
  /** Milliseconds since the epoch. */
  since: number;
  isStopping: boolean;
  /** Numbers of samples. */
  done: number;
  planned: number;
  /** At most 100. */
  underWay: readonly SampleUnderWay[];
  /** What lanes wait for, such as a server that asked for a pause until a time. */
  waiting: readonly { laneId: string; reason: string; untilMs?: number | undefined }[];
  /** Milliseconds that it will take; absent before three samples. */
  leftMs?: number | undefined;
}

/** One way to narrow the rows of the table. */
export const SHOWN_ROWS = [
  'all',
  'failing',
  'flaky',
  'lanes-disagree',
  'no-verdict',
  'fixed',
  'broken',
] as const;
export type ShownRows = (typeof SHOWN_ROWS)[number];

/** What samples are counted by: how their reply came out, and their verdict. */
export const SAMPLE_KINDS = [
  'native',
  'rescued',
  'malformed',
  'none',
  'answer',
  'noVerdict',
  'passed',
  'failed',
  'no-verdict',
  'not-run',
] as const satisfies readonly SampleKind[];

/** `html` opens in the browser. */
export const EVALUATION_FORMS = ['markdown', 'html', 'json', 'csv'] as const;
export type EvaluationForm = (typeof EVALUATION_FORMS)[number];

/** A comparison as a person reads it. */
export interface DescribedComparison {
  comparison: LaneComparison;
  sentence: Sentence;
  /** Which test was made, for a tooltip; '' without one. */
  test: string;
}

/** A warning as a person reads it. */
export interface DescribedWarning {
  warning: EvaluationWarning;
  severity: 'warning' | 'info';
  sentence: Sentence;
}

/** What came of an evaluation so far. */
export interface EvaluationResult {
  id: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  /** Whether it was stopped before all samples were judged, and why. */
  stopped?: { reason: 'person' | 'budget' | 'crash' | 'failures'; text: string } | undefined;
  requests: number;
  tokens: number;
  costUsd: number;
  summary: Omit<EvaluationSummary, 'cases' | 'warnings' | 'comparisons' | 'departures'>;
  comparisons: readonly DescribedComparison[];
  /** Where lanes leave the recorded way, one a lane; empty unless the rows are turns of a conversation. */
  departures: readonly Sentence[];
  /** One a lane, in the order of `summary.flips`; empty without a baseline. */
  flips: readonly Sentence[];
  warnings: readonly DescribedWarning[];
  /** Number of rows by filter. */
  rows: Readonly<Record<ShownRows, number>>;
  /** Whether the document would send something else now, so that continuing starts anew. */
  isOutdated: boolean;
  /** The chance that every case meets its gate, in a sentence; absent without judged cases. */
  gateChance?: string | undefined;
  newestFailures: readonly { rowId: string; laneId: string; repeat: number; message: string }[];
}

/** An evaluation in the store. */
export interface StoredEvaluation {
  id: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  passed: number;
  planned: number;
  /** Absent where nothing is expected. */
  failed?: number | undefined;
  /** This and the next two are absent of one that an earlier version stored. */
  notRun?: number | undefined;
  /** Their labels. */
  lanes?: readonly string[] | undefined;
  rows?: number | undefined;
  /** Of each row in each lane; absent where they have different numbers. */
  repeats?: number | undefined;
  /** Given by a person. */
  name?: string | undefined;
  /** Whether newer evaluations do not replace it. @default false */
  isPinned?: boolean | undefined;
}

export interface EvaluationSnapshot {
  version: number;
  problems: readonly EvaluationProblem[];
  /** Absent while there are problems, and before the rows are read. */
  plan?: EvaluationPlan | undefined;
  progress?: EvaluationProgress | undefined;
  result?: EvaluationResult | undefined;
  lanes: readonly EvaluationLane[];
  gates: Gates;
  /** The lane that the others are compared with. */
  referenceId: string;
  /** The names of the variables of the rows, and the rows for the chooser of the chat: at most 1,000. */
  variables: readonly string[];
  rows: readonly { id: string; name: string }[];
  rowCount: number;
  /** The row whose variables fill an ordinary run; absent: none. */
  chosenRowId?: string | undefined;
  baseline?: StoredEvaluation | undefined;
  stored: readonly StoredEvaluation[];
}

/** One line of the table of rows. */
export interface EvaluationRowView {
  id: string;
  name: string;
  /** What is expected of it, short. */
  expects: string;
  /** By lane, in the order of the lanes. */
  cells: readonly (CaseSummary & { underWay: number })[];
}

export interface EvaluationRowsView {
  /** Number of rows that the filter keeps. */
  total: number;
  rows: readonly EvaluationRowView[];
  /** Place of the row that was asked for, among those that the filter keeps; absent when it is not one of them. */
  found?: number | undefined;
}

/** The samples of one cell. */
export interface EvaluationCaseView {
  rowName: string;
  summary: CaseSummary;
  gates: Gates;
  /** The variables of the row, as JSON texts by name; at most 100, each cut at 200 characters. */
  variables: readonly { name: string; value: string }[];
  /** Failing first. */
  samples: readonly JudgedSample[];
  /** Calls that were made and how often, the most frequent first; `calls` is '' for none. */
  calls: readonly { count: number; calls: string }[];
}

/** One sample with what it was judged by. */
export interface EvaluationSampleView {
  sample: JudgedSample;
  /** Of the lane's runs of this sample, in order; of an agent run one a step. */
  entries: readonly LaneEntry[];
  expectations: readonly JudgedExpectation[];
  /** Where the row's own expectations are, which follow those of the document: in the document, or at a line of the rows file. */
  ownExpect?: { path: (string | number)[] } | { line: number } | undefined;
  /** The first sample of the case with the other verdict. */
  counterpart?: number | undefined;
}
