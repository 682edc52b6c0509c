// The parts of an evaluation: whole, equal in size, and the same on every machine.
import { describe, expect, it } from 'vitest';
import { readShard, unitsOf } from '../../../../src/cli/blob/shards';

const units = (count: number) =>
  Array.from({ length: count }, (_each, index) => ({ path: 'a', rowId: `r${index}` }));
const partsOf = (all: ReturnType<typeof units>, total: number) =>
  Array.from({ length: total }, (_each, index) => unitsOf(all, { index: index + 1, total }));

describe('unitsOf', () => {
  it.each([
    [100, 4],
    [10, 4],
    [8, 3],
    [2, 4],
    [0, 3],
  ])('cuts %i units into %i parts whose sizes differ by at most 1', (count, total) => {
    const parts = partsOf(units(count), total);
    const sizes = parts.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    expect(new Set(parts.flat()).size).toBe(count);
  });

  it('depends on neither the order of rows nor that of files', () => {
    const all = [...units(20), ...units(20).map(({ rowId }) => ({ path: 'b', rowId }))];
    expect(unitsOf(all.toReversed(), { index: 2, total: 3 })).toEqual(unitsOf(all, { index: 2, total: 3 }));
  });

  it('moves few units when one is added', () => {
    const before = partsOf(units(100), 4).map((part) => new Set(part.map(({ rowId }) => rowId)));
    const after = partsOf(units(101), 4);
    const moved = after.flatMap((part, index) =>
      part.filter(({ rowId }) => rowId !== 'r100' && !before[index]?.has(rowId)),
    );
    expect(moved.length).toBeLessThanOrEqual(3);
  });
});

describe('readShard', () => {
  it.each([
    ['2/4', {}, { index: 2, total: 4 }],
    ['auto', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3' }, { index: 1, total: 3 }],
    ['auto', { BUILDKITE_PARALLEL_JOB: '0', BUILDKITE_PARALLEL_JOB_COUNT: '2' }, { index: 1, total: 2 }],
    ['auto/4', { JOB_COMPLETION_INDEX: '3' }, { index: 4, total: 4 }],
    ['auto', { JOB_COMPLETION_INDEX: '0', JOB_COMPLETIONS: '4' }, { index: 1, total: 4 }],
    [
      'auto',
      { SLURM_ARRAY_TASK_ID: '5', SLURM_ARRAY_TASK_MIN: '5', SLURM_ARRAY_TASK_COUNT: '2' },
      { index: 1, total: 2 },
    ],
  ])('reads %s with %j', (value, environment, shard) => {
    expect(readShard(value, environment)).toEqual(shard);
  });

  it.each([
    ['0/4', {}],
    ['5/4', {}],
    ['2', {}],
    ['half', {}],
    ['auto', {}],
    ['auto', { JOB_COMPLETION_INDEX: '0' }],
    ['auto/2', { JOB_COMPLETION_INDEX: '2' }],
  ])('refuses %s with %j', (value, environment) => {
    expect(() => readShard(value, environment)).toThrow(/shard|JOB_COMPLETION_INDEX/);
  });
});
