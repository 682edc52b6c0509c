// Reads the playgrounds of a command line as what is to be evaluated, or says everything that keeps them from it.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';
import type { ConnectionView } from '../../protocol';
import type { Batch, BatchChoice, Clock, WrittenBatchChoice } from '../../session';
import { readBatch } from '../../session';
import { CommandError } from '../command';
import type { CommandConnections } from '../connections/open-connections';
import type { PlaygroundFile } from '../files/find-playgrounds';
import { rowsFileBeside, toolsFrom } from '../files/near-files';

export interface BatchesSource {
  files: readonly PlaygroundFile[];
  folder: string;
  choice: BatchChoice;
  views: (path: string) => readonly ConnectionView[];
  clock: Clock;
}

const MAX_PROBLEMS = 20;

/** @returns those that have something to send; none when nothing is chosen. @throws CommandError */
export async function openBatches({ files, folder, choice, views, clock }: BatchesSource): Promise<Batch[]> {
  const toolsOf = toolsFrom(folder);
  const batches: Batch[] = [];
  const problems: string[] = [];
  for (const { path, text } of files) {
    const read = await readBatch({
      path,
      text,
      tools: toolsOf(path),
      rowsFile: rowsFileBeside(path, folder),
      clock,
      connections: views(path),
      choice,
    });
    if (read.batch && read.batch.setting.sampleCount > 0) batches.push(read.batch);
    for (const { line, message, isInRows } of read.problems ?? []) {
      const place =
        line === undefined ? path : isInRows ? t('{0}, line {1} of its rows', path, line) : `${path}:${line}`;
      problems.push(`${place}: ${message}`);
    }
  }
  if (problems.length === 0) return batches;
  const rest = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS);
  if (rest > 0) shown.push(t('and {0} more problems', rest));
  throw new CommandError(shown.join('\n'), t('Correct it, and try again.'), t('Nothing was sent.'));
}

/** @throws CommandError when a lane has no key */
export function checkKeys(
  batches: readonly Pick<Batch, 'lanes'>[],
  { missingKey }: Pick<CommandConnections, 'missingKey'>,
): void {
  const lanes = batches.flatMap((batch) => batch.lanes);
  const missing = lanes.find(({ connection }) => connection.needsKey && !connection.hasKey);
  if (missing) throw missingKey(missing.connection);
}

/** Refuses names that nothing has: what they stand for would be left out without a word. @throws CommandError */
export function refuseUnknown(
  batches: readonly Pick<Batch, 'lanes'>[],
  { lanes = [], unknown }: Pick<WrittenBatchChoice, 'lanes' | 'unknown'>,
): void {
  const has = new Set(batches.flatMap((batch) => batch.lanes.map(({ config }) => config.id)));
  const { rows, tags } = unknown();
  const lost = [
    ...lanes.filter((id) => !has.has(id)).map((id) => t('no lane {0}', toLabel(id))),
    ...rows.map((name) => t('no row {0}', toLabel(name))),
    ...tags.map((name) => t('no row with the tag {0}', toLabel(name))),
  ];
  if (lost.length === 0) return;
  throw new CommandError(
    t('There is {0}.', lost.slice(0, MAX_NAMES).join(', ')),
    t('Correct --lane, --row and --tag; `--list` names every sample.'),
    t('Nothing was sent.'),
  );
}

/** What there is to choose from when nothing was chosen. @throws CommandError */
export function refuseNone(batches: readonly Batch[]): never {
  const names = new Set(batches.flatMap(({ lanes }) => lanes.map(({ config }) => config.id)));
  const rows = batches.flatMap((batch) => batch.rows.map(({ id, name = id }) => name));
  throw new CommandError(
    t('Nothing is chosen: no sample fits --lane, --row and --tag.'),
    t('There are the lanes {0} and the rows {1}.', listNames([...names]), listNames(rows)),
    t('Nothing was sent. With --pass-with-none this is exit code 0.'),
  );
}

const MAX_NAMES = 10;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => toLabel(name, 40));
  const rest = names.length - MAX_NAMES;
  return [...shown, ...(rest > 0 ? [t('and {0} more', rest)] : [])].join(', ');
}
