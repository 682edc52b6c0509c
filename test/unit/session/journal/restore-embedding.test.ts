import { describe, expect, it } from 'vitest';
import { restoreEmbedding } from '../../../../src/session/journal/restore-embedding';

const outcome = {
  runId: 'run',
  connectionId: 'demo',
  connectionLabel: 'Demo',
  model: 'e',
  durationMs: 3,
  attempts: 1,
  result: { vectors: [{ dimension: 1, norm: 1, head: [1] }], similarity: [[1]], findings: [] },
};
const restore = (line: object): unknown =>
  restoreEmbedding({ lines: [{ kind: 'embedding', labels: ['one'], ...line }] } as never);

describe('restoreEmbedding', () => {
  it('returns the outcome of the last embedding', () => {
    expect(restore({ outcome })).toEqual({ labels: ['one'], outcome });
  });

  it.each<[string, object]>([
    ['no model', { ...outcome, model: undefined }],
    ['text as its duration', { ...outcome, durationMs: '3' }],
    ['a vector without components', { ...outcome, result: { ...outcome.result, vectors: [{}] } }],
    ['a similarity that is not a matrix', { ...outcome, result: { ...outcome.result, similarity: [1] } }],
    ['an error without texts', { ...outcome, error: { code: 'http' } }],
  ])('ignores an outcome with %s', (_, damaged) => {
    expect(restore({ outcome: damaged })).toBeUndefined();
  });

  it('returns an embedding without an end as interrupted', () => {
    const begun = { runId: 'run', connectionId: 'demo', model: 'e' };
    expect(restore({ begun })).toMatchObject({ outcome: { model: 'e', error: { code: 'interrupted' } } });
  });
});
