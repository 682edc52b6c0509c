// Blobs that do not belong together: what differs is named.
import { describe, expect, it } from 'vitest';
import { mergeBlobs } from '../../../../src/cli/blob/merge-blobs';
import type { CommandError } from '../../../../src/cli/command';
import type { Blob, BlobHead } from '../../../../src/session';

const FILE = { path: 'a.playground.json', sha256: '1', plan: '1' };

function blob(path: string, head: Partial<BlobHead>): Blob {
  const whole = { kind: 'evaluation' as const, format: 1, version: '1', choice: {}, lanes: [], startedAt: 0 };
  const plan = JSON.stringify(head);
  return { path, head: { ...whole, plan, files: [FILE], ...head }, samples: [] };
}

function why(one: Partial<BlobHead>, other: Partial<BlobHead>): string {
  try {
    mergeBlobs([blob('1.jsonl', one), blob('2.jsonl', other)]);
  } catch (error) {
    return (error as CommandError).why;
  }
  throw new Error('they were merged');
}

describe('mergeBlobs', () => {
  it.each<[string, Partial<BlobHead>, Partial<BlobHead>]>([
    [
      '1.jsonl was made with --repeat 3, 2.jsonl with no --repeat.',
      { choice: { repeat: '3' } },
      { choice: {}, files: [{ ...FILE, plan: '2' }] },
    ],
    [
      '1.jsonl was made with --row a* --row b, 2.jsonl with --row a*.',
      { choice: { row: ['a*', 'b'] } },
      { choice: { row: ['a*'] } },
    ],
    ['a.playground.json is not the same.', {}, { files: [{ ...FILE, sha256: '2', plan: '2' }] }],
    [
      'a.playground.json is the same, and its rows file, its tools or its connections are not.',
      {},
      { files: [{ ...FILE, plan: '2' }] },
    ],
    ['1.jsonl has no b.json.', {}, { files: [FILE, { ...FILE, path: 'b.json' }] }],
  ])('says: %s', (words, one, other) => {
    expect(why(one, other)).toBe(words);
  });

  it('joins blobs of the same plan', () => {
    const head = { plan: 'same', shard: { index: 1, total: 2 } };
    const other = { ...head, shard: { index: 2, total: 2 } };
    const { missing } = mergeBlobs([blob('1.jsonl', head), blob('2.jsonl', other)]);
    expect(missing.join(' ')).not.toContain('missing');
  });
});
