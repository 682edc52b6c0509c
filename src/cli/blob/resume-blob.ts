// What an evaluation that goes on takes over from a blob. What it does not take is said with the reason, and is never overwritten:
// somebody has waited and paid for it.
import { t } from '@vscode/l10n';
import { resolve } from 'node:path';
import { countOf, toLabel } from '../../inspect';
import { parseJson } from '../../library';
import type { Batch, Blob, BlobSample, Shard } from '../../session';
import { isJudged } from '../../session';
import { CommandError } from '../command';
import { readText } from '../files/near-files';
import { readBlob } from './read-blob';

/** @returns undefined when its process was killed before the first line was whole. @throws CommandError */
export async function readResumed(folder: string, path: string): Promise<Blob | undefined> {
  try {
    return await readBlob(folder, path);
  } catch (error) {
    const text = await readText(resolve(folder, path)).catch(() => undefined);
    if (text !== undefined && isCut(text)) return undefined;
    throw error;
  }
}

const FIRST = '{"kind":"evaluation"';

/** The beginning of a first line, or nothing. */
const isCut = (text: string): boolean =>
  text === '' || (text.startsWith(FIRST) && !text.includes('\n') && parseJson(text) === undefined);

/** @param wanted By --shard. @throws CommandError when the blob holds another part of the evaluation */
export function checkSameShard(
  { path, head }: Blob,
  wanted: Shard | undefined,
  { isTarget }: { isTarget: boolean },
): void {
  const { shard } = head;
  if (!wanted || (!shard && !isTarget)) return;
  if (shard?.index === wanted.index && shard.total === wanted.total) return;
  throw new CommandError(
    t(
      '{0} holds {1}, and --shard names {2}.',
      path,
      shard ? nameShard(shard) : t('the whole evaluation'),
      nameShard(wanted),
    ),
    t('Name the blob of this shard, or leave --shard out to go on with that of the blob.'),
    t('Nothing was sent.'),
  );
}

const nameShard = ({ index, total }: Shard): string => t('shard {0} of {1}', index, total);

export interface Reuse {
  kept: readonly BlobSample[];
  /** What is used and what is not, in sentences. */
  note: string;
  /** How many samples with a verdict are not used. */
  unfit: number;
}

/** @param path Of a blob without a sample; undefined: there is none. */
export const nothingToReuse = (path: string | undefined): Reuse => ({
  kept: [],
  note: path === undefined ? '' : t('{0} has no sample: its process ended before the first one.', path),
  unfit: 0,
});

export function reuseSamples({ path, samples }: Blob, batches: readonly Batch[]): Reuse {
  const byPath = new Map(batches.map((batch) => [batch.path, batch]));
  const kept: BlobSample[] = [];
  const unfit = new Map<string, number>();
  let open = 0;
  for (const sample of samples) {
    const batch = byPath.get(sample.file);
    const why = whyUnfit(sample, batch);
    if (!isJudged(sample.entry, batch?.setting.evaluate.timeoutMs)) open++;
    else if (why === undefined) kept.push(sample);
    else unfit.set(why, (unfit.get(why) ?? 0) + 1);
  }
  const sentences = [
    t('{0}: {1} of its {2} samples are used.', path, kept.length, samples.length),
    ...(open > 0
      ? [countOf(open, t('{0} without a verdict is sent again.'), t('{0} without a verdict are sent again.'))]
      : []),
    ...[...unfit].map(([why, count]) =>
      countOf(count, t('{0} does not fit: {1}.', '{0}', why), t('{0} do not fit: {1}.', '{0}', why)),
    ),
  ];
  const count = [...unfit.values()].reduce((sum, each) => sum + each, 0);
  return { kept, note: sentences.join(' '), unfit: count };
}

/** For the end of a sentence. */
function whyUnfit({ file, entry }: BlobSample, batch: Batch | undefined): string | undefined {
  const { rowId, laneId, repeat } = entry;
  if (!batch) return t('{0} is not evaluated', toLabel(file, 200));
  if (batch.lanes.every(({ config }) => config.id !== laneId)) return t('the lane is not chosen');
  const row = batch.setting.row(rowId);
  if (!row) return t('the row is not chosen');
  if (repeat > batch.setting.repeatsOf(row)) return t('there are fewer repeats now');
  return batch.has(entry)
    ? undefined
    : t('what is sent has changed, such as the message, the tools or the lane');
}

/** @throws CommandError when the blob would be overwritten without samples that it has */
export function checkNothingLost({ unfit }: Reuse, path: string): void {
  if (unfit === 0) return;
  throw new CommandError(
    countOf(
      unfit,
      t('{1} would lose {0} sample that does not fit this evaluation.', '{0}', path),
      t('{1} would lose {0} samples that do not fit this evaluation.', '{0}', path),
    ),
    t('Write to another file with --blob, or begin anew without --resume.'),
    t('Nothing was sent.'),
  );
}
