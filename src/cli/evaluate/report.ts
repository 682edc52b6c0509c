// What is reported of an evaluation of playgrounds, for every reporter, and how it ends. Pure but for what it is given.
import { t } from '@vscode/l10n';
import { posix } from 'node:path';
import type { CaseMessages, ExportedEvaluation, ExportInfo, MessageGroup } from '../../inspect';
import { formatShare, groupMessages } from '../../inspect';
import type { Batch, BatchEnd } from '../../session';
import type { CaseSummary, JudgedSample } from '../../types';
import type { ExitCode } from '../command';
import { EXIT } from '../command';

export interface Report {
  info: ExportInfo;
  exit: ExitCode;
  /** Why the gates cannot be judged or are not met, in sentences; empty when all is well. */
  reasons: readonly string[];
  /** Those of them for which the gates cannot be judged. */
  undecided: readonly string[];
  files: readonly FileReport[];
}

export interface FileReport {
  path: string;
  exported: ExportedEvaluation;
  /** What was wrong with the samples of each case. */
  messages: CaseMessages;
  /** Row by row and lane by lane. */
  failures: readonly CaseFailure[];
}

/** A case of which a sample failed; it may meet its gate nevertheless. */
export interface CaseFailure {
  summary: CaseSummary;
  /** Of samples that did not pass, the most frequent first. */
  messages: readonly MessageGroup[];
  /** Those that failed, in the order of their repeats. */
  samples: readonly JudgedSample[];
  /** Where it is expected, or where the row stands; the line starts at 1. */
  file: string;
  line: number;
}

/** Why an evaluation is not decided, beside its gates. */
export interface Circumstances {
  isInterrupted: boolean;
  /** Shards that are missing or not whole, in sentences: whatever the others say, it is not decided. */
  missing: readonly string[];
  /** Why it ended early, in sentences. */
  early: readonly string[];
  /** Whether it ended because enough rows had failed, which is a decision. */
  isBailed: boolean;
  maxNoVerdict: number;
  isRegressionFailing: boolean;
  /** What cannot be compared with the baseline, in sentences. */
  uncompared: readonly string[];
}

export async function toReport(
  batches: readonly Batch[],
  end: BatchEnd,
  info: ExportInfo,
  circumstances: Circumstances,
): Promise<Report> {
  const files: FileReport[] = [];
  for (const batch of batches) {
    const exported = batch.exported(end);
    const messages = groupMessages(exported.samples);
    const failures: CaseFailure[] = [];
    for (const one of exported.summary.cases)
      if (one.failed > 0 && exported.gates) failures.push(await toFailure(batch, one, messages(one)));
    files.push({ path: batch.path, exported, messages, failures });
  }
  return { info, files, ...decide(files, circumstances) };
}

/** Nothing is met where nothing is expected. */
export const describeDone = (files: readonly FileReport[]): string =>
  files.some(({ exported }) => exported.gates)
    ? t('Gates met.')
    : t('Nothing is expected, so there are no gates.');

/** Its place is the first expectation that its first failed sample does not meet; the row for one that the row has itself. */
async function toFailure(
  batch: Batch,
  summary: CaseSummary,
  messages: readonly MessageGroup[],
): Promise<CaseFailure> {
  const { path, places, rows } = batch;
  const { rowId, laneId } = summary;
  const samples = batch.samplesOf(rowId, laneId).filter(({ verdict }) => verdict === 'failed');
  const judged = await batch.expectationsOf(rowId, laneId, samples[0]?.repeat ?? 1);
  const index = judged.find(({ verdict }) => verdict === 'failed')?.index ?? 0;
  const line = places.expectations[index];
  if (line !== undefined) return { summary, messages, samples, file: places.expectFile ?? path, line };
  const row = rows.find(({ id }) => id === rowId);
  const file = places.rowsFile === undefined ? path : posix.join(posix.dirname(path), places.rowsFile);
  return { summary, messages, samples, file, line: row?.line ?? 1 };
}

/**
 * Where much is missing, it could still turn the result, so that it is not decided, whatever the rest says. Single rows without a
 * verdict do not save a gate that is lost beside them.
 */
function decide(
  files: readonly FileReport[],
  { isInterrupted, missing, early, isBailed, maxNoVerdict, isRegressionFailing, uncompared }: Circumstances,
): Pick<Report, 'exit' | 'reasons' | 'undecided'> {
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
  const asWhole = [
    ...missing,
    ...(isBailed ? [] : early),
    ...(share > maxNoVerdict
      ? [
          t(
            '{0} of the samples have no verdict; at most {1} may.',
            formatShare(share),
            formatShare(maxNoVerdict),
          ),
        ]
      : []),
  ];
  const inParts = [
    ...(isBailed ? early : []),
    ...(isRegressionFailing ? uncompared : []),
    ...(open.length > 0 ? [t('Some rows have no verdict in {0}.', open.join(', '))] : []),
  ];
  const undecided = [...asWhole, ...inParts];
  return {
    exit: isInterrupted ? EXIT.interrupted : toExit(asWhole, unmet, inParts),
    reasons: [...unmet, ...undecided],
    undecided,
  };
}

function toExit(
  undecided: readonly string[],
  unmet: readonly string[],
  undecidedInParts: readonly string[],
): ExitCode {
  if (undecided.length > 0) return EXIT.undecided;
  if (unmet.length > 0) return EXIT.unmet;
  return undecidedInParts.length > 0 ? EXIT.undecided : EXIT.done;
}

const isWorse = ({ exported }: FileReport): boolean =>
  (exported.summary.flips ?? []).some(
    ({ comparison }) => comparison?.isDecided === true && (comparison.difference ?? 0) < 0,
  );
