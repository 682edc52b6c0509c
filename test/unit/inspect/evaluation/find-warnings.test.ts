import { describe, expect, test } from 'vitest';
import { summarizeEvaluation } from '../../../../src/inspect';
import type { EvaluationPlan } from '../../../../src/inspect';
import type { EvaluationLane, JudgedSample } from '../../../../src/types';
import { caseOf, laneOf, rowsOf, sampleOf, tensOf } from '../../../support/evaluation/samples';

const planOf = (lanes: readonly EvaluationLane[], more: Partial<EvaluationPlan> = {}): EvaluationPlan => ({
  rows: rowsOf(2),
  lanes,
  repeat: 10,
  gates: { case: 0.9 },
  ...more,
});
const warningsOf = (plan: EvaluationPlan, samples: readonly JudgedSample[], isEnded = true) =>
  summarizeEvaluation(plan, samples, { isEnded }).warnings;
/** Ten samples of the first row of lane a, changed one by one. */
const changed = (change: (index: number) => Partial<JudgedSample>): JudgedSample[] =>
  Array.from({ length: 10 }, (_, index) => {
    const key = { laneId: 'a', rowId: 'row-1', repeat: index + 1 };
    return sampleOf({ ...key, ...change(index) });
  });
const hot = laneOf('a', { temperature: 1 });
const cold = laneOf('a', { temperature: 0 });

describe('findLaneWarnings', () => {
  test('finds identical replies where sampling is meant to be repeatable', () => {
    const same = changed(() => ({ replyHash: 'x' }));
    const warning = { kind: 'identical', laneId: 'a', rowIds: ['row-1'], replies: 10 };
    expect(warningsOf(planOf([cold]), same)).toEqual([warning]);
    const seeded = warningsOf(planOf([laneOf('a', { seed: 7 })]), same);
    expect(seeded.map(({ kind }) => kind)).toEqual(['identical', 'seed']);
    expect(warningsOf(planOf([hot]), same)).toEqual([]);
    expect(warningsOf(planOf([laneOf('a')]), same)).toEqual([]);
    const nearly = changed((index) => ({ replyHash: index === 4 ? 'y' : 'x' }));
    expect(warningsOf(planOf([cold]), nearly)).toEqual([]);
    expect(warningsOf(planOf([cold]), same.slice(0, 1))).toEqual([]);
  });

  test('finds samples of which nothing is expected, where anything is expected at all', () => {
    const samples = changed((index) => ({ hasExpectations: index >= 4 }));
    const warning = { kind: 'no-expectation', laneId: 'a', samples: 4, of: 10 };
    expect(warningsOf(planOf([hot]), samples)).toEqual([warning]);
    expect(warningsOf(planOf([hot], { gates: undefined }), samples)).toEqual([]);
  });

  test('leaves the number of identical replies out when it differs', () => {
    const samples = [
      ...changed(() => ({ replyHash: 'x' })),
      ...[1, 2].map((repeat) => sampleOf({ laneId: 'a', rowId: 'row-2', repeat, replyHash: 'z' })),
    ];
    expect(warningsOf(planOf([cold]), samples)).toEqual([
      { kind: 'identical', laneId: 'a', rowIds: ['row-1', 'row-2'], replies: undefined },
    ]);
  });

  test('finds replies whose header names a cache', () => {
    const samples = changed((index) =>
      index > 5 ? { cache: 'cf-aig-cache-status: HIT', replyHash: 'x' } : {},
    );
    expect(warningsOf(planOf([hot]), samples)).toEqual([
      { kind: 'cache', laneId: 'a', samples: 4, header: 'cf-aig-cache-status: HIT' },
    ]);
  });

  test('finds equal replies that came in less than a tenth of the median time', () => {
    const times = (index: number, fast: number) => ({ timeMs: index > 6 ? fast : 1000 });
    const likely = changed((index) => ({ replyHash: index % 2 ? 'x' : 'y', ...times(index, 99) }));
    expect(warningsOf(planOf([hot]), likely)).toEqual([{ kind: 'cache', laneId: 'a', samples: 3 }]);
    const slow = changed((index) => ({ replyHash: index % 2 ? 'x' : 'y', ...times(index, 100) }));
    expect(warningsOf(planOf([hot]), slow)).toEqual([]);
    const different = changed((index) => ({ replyHash: `${index}`, ...times(index, 99) }));
    expect(warningsOf(planOf([hot]), different)).toEqual([]);
  });

  test('finds equal replies without any token', () => {
    const samples = changed((index) => {
      const tokens = index === 0 ? 10 : 0;
      return { replyHash: index < 2 ? 'x' : `${index}`, promptTokens: tokens, completionTokens: tokens };
    });
    expect(warningsOf(planOf([hot]), samples)).toEqual([{ kind: 'cache', laneId: 'a', samples: 1 }]);
  });

  test('finds a model that changes', () => {
    const samples = changed((index) => ({ model: index < 5 ? 'gpt-5-a' : 'gpt-5-b' }));
    expect(warningsOf(planOf([hot]), samples)).toEqual([
      { kind: 'model', laneId: 'a', models: ['gpt-5-a', 'gpt-5-b'] },
    ]);
    expect(
      warningsOf(
        planOf([hot]),
        changed(() => ({ model: 'gpt-5-a' })),
      ),
    ).toEqual([]);
  });

  test('finds more than 5 % of samples without a verdict, or sent again', () => {
    const plan = planOf([hot], { rows: rowsOf(2) });
    expect(warningsOf(plan, [...caseOf('a', 'row-1', [9, 0, 1]), ...caseOf('a', 'row-2', [10])])).toEqual([]);
    expect(warningsOf(plan, [...caseOf('a', 'row-1', [8, 0, 2]), ...caseOf('a', 'row-2', [10])])).toEqual([
      { kind: 'no-verdict', laneId: 'a', samples: 2, of: 20 },
    ]);
    expect(
      warningsOf(
        plan,
        changed((index) => ({ requeued: index === 0 ? 2 : 0 })),
      ),
    ).toEqual([{ kind: 'requeued', laneId: 'a', samples: 1, of: 10 }]);
  });
});

describe('findSeeds', () => {
  test('groups the lanes by their seed, when cases are repeated', () => {
    const lanes = [laneOf('a', { seed: 7 }), laneOf('b', { seed: 0 }), laneOf('c'), laneOf('d', { seed: 7 })];
    expect(warningsOf(planOf(lanes), [])).toEqual([
      { kind: 'seed', seed: 7, laneIds: ['a', 'd'] },
      { kind: 'seed', seed: 0, laneIds: ['b'] },
    ]);
    expect(warningsOf(planOf(lanes, { repeat: 1 }), [])).toEqual([]);
    const rows = [{ id: 'row-1' }, { id: 'row-2', repeat: 2 }];
    expect(warningsOf(planOf(lanes, { repeat: 1, rows }), [])).toHaveLength(2);
  });
});

describe('findUncommonRows', () => {
  test('finds at the end that lanes were judged on different rows', () => {
    const plan = planOf([laneOf('a'), laneOf('b')], { rows: rowsOf(4) });
    const samples = [...tensOf('a', [10, 10, 10]), ...tensOf('b', [10, 10])];
    expect(warningsOf(plan, samples)).toEqual([{ kind: 'rows', common: 2, of: 4 }]);
    expect(warningsOf(plan, samples, false)).toEqual([]);
    expect(warningsOf(plan, [...tensOf('a', [10]), ...tensOf('b', [10])])).toEqual([]);
  });
});

describe('findWide', () => {
  const plan = planOf([hot], { rows: rowsOf(10), repeat: 5 });
  /** Five samples of each row. */
  const fives = (passed: readonly number[]): JudgedSample[] =>
    passed.flatMap((count, row) => caseOf('a', `row-${row + 1}`, [count, 5 - count]));

  test('finds at the end how many rows would narrow a rate to 10 points in each direction', () => {
    const samples = fives([5, 5, 5, 4, 5, 3, 5, 5, 1, 5]);
    // The interval is 0.5886 to 0.9635: as much as 12.63 samples tell. 45 would be enough at this rate, with as many rows for each.
    expect(warningsOf(plan, samples)).toEqual([
      {
        kind: 'wide',
        lanes: [{ laneId: 'a', reach: expect.closeTo(0.18742, 4) as number }],
        rows: 10,
        neededRows: 36,
      },
    ]);
    expect(warningsOf(plan, samples.slice(1), false)).toEqual([]);
    expect(warningsOf({ ...plan, gates: undefined }, samples)).toEqual([]);
  });

  test('finds nothing where the interval is narrow, or where there is none', () => {
    const many = planOf([hot], { rows: rowsOf(40) });
    expect(
      warningsOf(
        many,
        tensOf(
          'a',
          Array.from({ length: 40 }, () => 10),
        ),
      ),
    ).toEqual([]);
    expect(warningsOf(plan, fives([5, 0, 5, 0]))).toEqual([]);
  });
});
