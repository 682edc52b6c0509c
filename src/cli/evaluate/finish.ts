// Ends a command that evaluates: compares, reports, and decides on the exit code.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';
import type { Batch, BatchEnd, BlobHead, SampleEntry } from '../../session';
import { SYSTEM_CLOCK } from '../../session';
import { readBlob } from '../blob/read-blob';
import type { ExitCode } from '../command';
import { CommandError } from '../command';
import { madeBy } from '../made-by';
import type { WantedReport } from '../reporters';
import { writeReports } from '../reporters';
import type { Terminal } from '../terminal';
import type { ReportValues } from './options';
import { readShare } from './read-options';
import type { Circumstances } from './report';
import { toReport } from './report';

const DEFAULT_NO_VERDICT = 0.05;

export interface OpenBaseline {
  head: BlobHead;
  of: (path: string) => { startedAt: number; entries: readonly SampleEntry[] } | undefined;
}

/** How the options say that it is decided. @throws CommandError */
export function readDecision(
  values: ReportValues,
): Pick<Circumstances, 'maxNoVerdict' | 'isRegressionFailing'> {
  const failOn = values['fail-on'];
  if (failOn !== undefined && failOn !== 'regression')
    throw new CommandError(t('--fail-on is {0}.', failOn), t('Give {0}.', 'regression'));
  if (failOn !== undefined && values.baseline === undefined)
    throw new CommandError(t('--fail-on regression needs a baseline.'), t('Add --baseline and a blob.'));
  return {
    maxNoVerdict: readShare('max-no-verdict', values['max-no-verdict']) ?? DEFAULT_NO_VERDICT,
    isRegressionFailing: failOn !== undefined,
  };
}

/** @throws CommandError */
export async function openBaseline(
  { baseline }: ReportValues,
  { folder }: Terminal,
): Promise<OpenBaseline | undefined> {
  if (baseline === undefined) return undefined;
  const { head, samples } = await readBlob(folder, baseline);
  const byFile = groupSamples(samples);
  return {
    head,
    of: (path) => {
      const entries = byFile.get(path);
      return entries && { startedAt: head.startedAt, entries };
    },
  };
}

export function groupSamples(
  samples: readonly { file: string; entry: SampleEntry }[],
): Map<string, SampleEntry[]> {
  const groups = new Map<string, SampleEntry[]>();
  for (const { file, entry } of samples) {
    const group = groups.get(file);
    if (group) group.push(entry);
    else groups.set(file, [entry]);
  }
  return groups;
}

export interface FinishParts {
  batches: readonly Batch[];
  end: BatchEnd;
  /** As in `Circumstances`. @default [] */
  missing?: readonly string[];
  early?: readonly string[];
  isBailed?: boolean;
  isInterrupted: boolean;
  decision: ReturnType<typeof readDecision>;
  baseline: OpenBaseline | undefined;
  reporters: readonly WantedReport[];
  terminal: Terminal;
}

/** @throws CommandError when a report cannot be written */
export async function finish(parts: FinishParts): Promise<ExitCode> {
  const { batches, end, isInterrupted, decision, baseline, reporters, terminal } = parts;
  const { missing = [], early = [], isBailed = false } = parts;
  const info = { madeBy: madeBy(), madeAt: new Date(SYSTEM_CLOCK.now()).toISOString() };
  const uncompared = baseline ? findUncompared(batches, baseline) : [];
  const notes = baseline
    ? [...changedModels(batches, baseline.head), ...findPartlyCompared(batches, baseline)]
    : [];
  const shown = decision.isRegressionFailing ? notes : [...notes, ...uncompared];
  for (const note of shown) terminal.talk.write(`${note}\n`);
  const report = await toReport(batches, end, info, {
    missing,
    early,
    isBailed,
    isInterrupted,
    uncompared,
    ...decision,
  });
  const isSaid = await writeReports(reporters, report, terminal);
  // An exit code alone tells nobody why.
  if (!isSaid) for (const reason of report.reasons) terminal.talk.write(`${reason}\n`);
  return report.exit;
}

/** The lanes of which the baseline has no row. */
function findUncompared(batches: readonly Batch[], baseline: OpenBaseline): string[] {
  return batches.flatMap((batch) => {
    const rows = rowsByLane(batch, baseline);
    if (rows.size === 0) return [t('The baseline has no sample of {0}.', batch.path)];
    return batch.lanes
      .filter(({ config: { id } }) => !rows.has(id))
      .map(({ config: { id } }) => t('The baseline has no row of {0}, lane {1}.', batch.path, toLabel(id)));
  });
}

function findPartlyCompared(batches: readonly Batch[], baseline: OpenBaseline): string[] {
  return batches.flatMap((batch) =>
    [...rowsByLane(batch, baseline)].flatMap(([id, count]) =>
      count === batch.rows.length
        ? []
        : [
            t(
              'The baseline has {0} of {1} rows of {2}, lane {3}.',
              count,
              batch.rows.length,
              batch.path,
              toLabel(id),
            ),
          ],
    ),
  );
}

/** How many of the rows of each lane the baseline has, by the id of the lane; without those of which it has none. */
function rowsByLane({ path, lanes, rows }: Batch, { of }: OpenBaseline): Map<string, number> {
  const pairs = new Set(of(path)?.entries.map(({ rowId, laneId }) => JSON.stringify([rowId, laneId])));
  const counts = lanes.map(({ config }): [string, number] => [
    config.id,
    rows.filter(({ id }) => pairs.has(JSON.stringify([id, config.id]))).length,
  ]);
  return new Map(counts.filter(([, count]) => count > 0));
}

/** A lane is compared with the lane of the same id, whatever its model was. */
function changedModels(batches: readonly Batch[], { lanes }: BlobHead): string[] {
  return batches.flatMap(({ path, lanes: now }) =>
    now.flatMap(({ config: { id }, model }) => {
      const before = lanes.find((lane) => lane.file === path && lane.id === id);
      if (!before || before.model === model) return [];
      return [
        t('{0}, lane {1}: {2} now, {3} in the baseline.', path, id, toLabel(model), toLabel(before.model)),
      ];
    }),
  );
}
