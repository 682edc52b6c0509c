// What is reported of an evaluation of playgrounds, for every reporter, and how it ends. Pure but for what it is given.
import { t } from '@vscode/l10n';
import { posix } from 'node:path';
import type { ExportedEvaluation, ExportInfo, MessageGroup } from '../../inspect';
import { formatShare, groupMessages } from '../../inspect';
import type { Batch, BatchEnd } from '../../session';
import type { CaseSummary } from '../../types';
import type { ExitCode } from '../command';
import { EXIT } from '../command';

export interface Report {
  info: ExportInfo;
  exit: ExitCode;
  /** Why the gates cannot be judged or are not met, in sentences; empty when all is well. */
  reasons: readonly string[];
  files: readonly FileReport[];
}

export interface FileReport {
  path: string;
  exported: ExportedEvaluation;
  /** Row by row and lane by lane, those with a lost gate. */
  failures: readonly CaseFailure[];
}

/** A case that lost its gate. */
export interface CaseFailure {
  summary: CaseSummary;
  /** Of samples that did not pass, the most frequent first. */
  messages: readonly MessageGroup[];
  /** Where it is expected, or where the row stands; the line starts at 1. */
  file: string;
  line: number;
}

/** Why an evaluation is not decided, beside its gates. */
export interface Circumstances {
  isInterrupted: boolean;
  /** Why it ended early, and what is missing, in sentences. */
  early: readonly string[];
  maxNoVerdict: number;
  isRegressionFailing: boolean;
}

/** @param ends In the order of the batches. */
export async function toReport(
  batches: readonly Batch[],
  ends: readonly BatchEnd[],
  info: ExportInfo,
  circumstances: Circumstances,
): Promise<Report> {
  const files: FileReport[] = [];
  for (const [index, batch] of batches.entries()) {
    const end = ends[index] ?? { startedAt: 0, durationMs: 0 };
    const exported = batch.exported(end);
    files.push({ path: batch.path, exported, failures: await findFailures(batch, exported) });
  }
  return { info, files, ...decide(files, circumstances) };
}

async function findFailures(batch: Batch, { summary, samples }: ExportedEvaluation): Promise<CaseFailure[]> {
  const lost = summary.cases.filter(({ gate }) => gate === 'lost');
  if (lost.length === 0) return [];
  const messages = groupMessages(samples);
  const failures: CaseFailure[] = [];
  for (const one of lost)
    failures.push({ summary: one, messages: messages(one), ...(await placeOf(batch, one)) });
  return failures;
}

/** The first expectation that the first failed sample does not meet; the row for one that the row has itself. */
async function placeOf(
  batch: Batch,
  { rowId, laneId }: CaseSummary,
): Promise<{ file: string; line: number }> {
  const { path, places, rows } = batch;
  const failed = batch.samplesOf(rowId, laneId).find(({ verdict }) => verdict === 'failed');
  const judged = failed ? await batch.expectationsOf(rowId, laneId, failed.repeat) : [];
  const index = judged.find(({ verdict }) => verdict === 'failed')?.index ?? 0;
  const line = places.expectations[index];
  if (line !== undefined) return { file: path, line };
  const row = rows.find(({ id }) => id === rowId);
  const file = places.rowsFile === undefined ? path : posix.join(posix.dirname(path), places.rowsFile);
  return { file, line: row?.line ?? 1 };
}

function decide(
  files: readonly FileReport[],
  { isInterrupted, early, maxNoVerdict, isRegressionFailing }: Circumstances,
): { exit: ExitCode; reasons: string[] } {
  const summaries = files.map(({ exported }) => exported.summary);
  const lost = files.filter(({ exported }) => exported.summary.gate === 'lost').map(({ path }) => path);
  const worse = isRegressionFailing ? files.filter(isWorse).map(({ path }) => path) : [];
  const unmet = [
    ...(lost.length > 0 ? [t('Gates are not met in {0}.', lost.join(', '))] : []),
    ...(worse.length > 0
      ? [t('Worse than the baseline, and that is decided, in {0}.', worse.join(', '))]
      : []),
  ];
  const sum = (key: 'planned' | 'noVerdict' | 'notRun'): number =>
    summaries.reduce((total, summary) => total + summary[key], 0);
  const share = sum('noVerdict') / Math.max(1, sum('planned') - sum('notRun'));
  const open = files.filter(({ exported }) => exported.summary.gate === 'open').map(({ path }) => path);
  const undecided = [
    ...early,
    ...(share > maxNoVerdict
      ? [
          t(
            '{0} of the samples have no verdict; at most {1} may.',
            formatShare(share),
            formatShare(maxNoVerdict),
          ),
        ]
      : []),
    ...(open.length > 0 ? [t('Some rows have no verdict in {0}.', open.join(', '))] : []),
  ];
  const exit = isInterrupted
    ? EXIT.interrupted
    : unmet.length > 0
      ? EXIT.unmet
      : undecided.length > 0
        ? EXIT.undecided
        : EXIT.done;
  return { exit, reasons: [...unmet, ...undecided] };
}

const isWorse = ({ exported }: FileReport): boolean =>
  (exported.summary.flips ?? []).some(
    ({ comparison }) => comparison?.isDecided === true && (comparison.difference ?? 0) < 0,
  );
