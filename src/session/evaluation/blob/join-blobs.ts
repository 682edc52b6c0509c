// Joins what shards have evaluated: every sample once, and what is missing by name.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import { countOf } from '../../../inspect';
import type { SampleEntry } from '../sample-entry';
import type { BlobHead } from './blob-lines';
import type { Blob } from './read-blob';

export interface JoinedBlobs {
  head: BlobHead;
  /** By the path of the playground. */
  samples: ReadonlyMap<string, readonly SampleEntry[]>;
  durationMs: number;
  /** Why not everything is there, in sentences. */
  missing: readonly string[];
  /** What is to be known beside that. */
  notes: readonly string[];
}

/** @param first One of the blobs. @param others Those of the same plan. */
export function joinBlobs(first: Blob, others: readonly Blob[]): JoinedBlobs {
  const blobs = [first, ...others];
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

function joinSamples(blobs: readonly Blob[]): Pick<JoinedBlobs, 'samples' | 'notes'> {
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
