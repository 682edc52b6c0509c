// Joins what shards have evaluated: the same plan, every sample once, and what is missing by name.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import { countOf } from '../../inspect';
import type { SampleEntry } from '../../session';
import { CommandError } from '../command';
import type { BlobHead } from './blob-lines';
import type { Blob } from './read-blob';

export interface Merged {
  head: BlobHead;
  /** By the path of the playground. */
  samples: ReadonlyMap<string, readonly SampleEntry[]>;
  durationMs: number;
  /** Why not everything is there, in sentences. */
  missing: readonly string[];
  /** What is to be known beside that. */
  notes: readonly string[];
}

/** @param blobs At least one. @throws CommandError when they are of different evaluations */
export function mergeBlobs(blobs: readonly Blob[]): Merged {
  const [first, ...others] = blobs;
  if (!first) throw new Error('nothing to merge');
  for (const other of others) checkSame(first, other);
  const { samples, notes } = joinSamples(blobs);
  const startedAt = Math.min(...blobs.map(({ head }) => head.startedAt));
  return {
    head: { ...first.head, startedAt },
    samples,
    durationMs: Math.max(...blobs.map(({ end }) => end?.durationMs ?? 0)),
    missing: [...findMissing(blobs), ...blobs.flatMap(describeEnd)],
    notes,
  };
}

function checkSame(one: Blob, other: Blob): void {
  if (one.head.plan === other.head.plan) return;
  const plans = new Map(one.head.files.map(({ path, plan }) => [path, plan]));
  const changed = other.head.files.filter(({ path, plan }) => plans.get(path) !== plan);
  const gone = one.head.files.filter(({ path }) => other.head.files.every((each) => each.path !== path));
  const names = [...changed, ...gone].map(({ path }) => path).join(', ');
  throw new CommandError(
    t('{0} and {1} are of different evaluations: {2} differs.', one.path, other.path, names || t('the plan')),
    t('Merge blobs of the same commit, made with the same --lane, --row, --tag and --repeat.'),
  );
}

function joinSamples(blobs: readonly Blob[]): Pick<Merged, 'samples' | 'notes'> {
  const byFile = new Map<string, Map<string, SampleEntry>>();
  let differing = 0;
  for (const { samples } of blobs)
    for (const { file, entry } of samples) {
      const ofFile = byFile.get(file) ?? new Map<string, SampleEntry>();
      byFile.set(file, ofFile);
      const known = ofFile.get(entry.key);
      if (known && !isDeepStrictEqual(known, entry)) differing++;
      if (!known || entry.at < known.at) ofFile.set(entry.key, entry);
    }
  const notes =
    differing === 0
      ? []
      : [
          countOf(
            differing,
            t('{0} sample was there twice and differs: the earlier one counts.'),
            t('{0} samples were there twice and differ: the earlier ones count.'),
          ),
        ];
  return { samples: new Map([...byFile].map(([file, entries]) => [file, [...entries.values()]])), notes };
}

function findMissing(blobs: readonly Blob[]): string[] {
  const total = Math.max(...blobs.map(({ head }) => head.shard?.total ?? 1));
  if (blobs.some(({ head }) => !head.shard)) return [];
  const there = new Set(blobs.map(({ head }) => head.shard?.index));
  const missing = Array.from({ length: total }, (_each, index) => index + 1).filter(
    (index) => !there.has(index),
  );
  if (missing.length === 0) return [];
  return [
    countOf(
      missing.length,
      t('Shard {0} of {1} is missing.', missing.join(', '), total),
      t('Shards {0} of {1} are missing.', missing.join(', '), total),
    ),
  ];
}

function describeEnd({ path, head, samples, end }: Blob): string[] {
  const name = head.shard ? t('Shard {0} ({1})', head.shard.index, path) : path;
  if (!end)
    return [
      countOf(
        samples.length,
        t('{0} did not come to its end; the one sample that it finished is used.', name),
        t('{1} did not come to its end; the {0} samples that it finished are used.', '{0}', name),
      ),
    ];
  return end.stopped === undefined ? [] : [t('{0} ended early: {1}.', name, end.stopped)];
}
