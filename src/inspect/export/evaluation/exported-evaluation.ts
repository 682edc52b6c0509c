// The data of an exported evaluation: what was asked, and what was counted of it. JSON-safe and already redacted. Types only.
import type { EvaluationLane, EvaluationRow, EvaluationSummary, Gates, JudgedSample } from '../../../types';

export interface ExportedEvaluation {
  /** Of the playground. */
  title: string;
  /** In ISO 8601. */
  startedAt: string;
  /** Absent while it runs. */
  durationMs?: number | undefined;
  /** Why it ended before all samples were judged. */
  stopped?: string | undefined;
  mode: 'chat' | 'agent';
  /** Number of samples of each case that has no number of its own. */
  repeat: number;
  /** Absent without expectations. */
  gates?: Gates | undefined;
  /** The lane that the others are compared with. */
  referenceId?: string | undefined;
  /** Start of the evaluation that it is compared with, in ISO 8601. */
  baselineAt?: string | undefined;
  lanes: readonly ExportedLane[];
  /** In the order of the summary. */
  rows: readonly EvaluationRow[];
  summary: EvaluationSummary;
  /** One for each repeat of a case. Of those that passed nothing is read, so they may be left out. */
  samples: Iterable<JudgedSample>;
}

export interface ExportedLane extends EvaluationLane {
  /** Label of the connection. */
  connection: string;
  /** '' when the connection chooses it. */
  model: string;
  /** By the names of the playground's file. */
  settings: Readonly<Record<string, unknown>>;
}
