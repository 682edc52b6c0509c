import { describe, expect, test } from 'vitest';
import type { EvaluationPlan } from '../../../../src/inspect';
import { describeDepartures, summarizeEvaluation } from '../../../../src/inspect';
import type { CallDeparture, JudgedSample, SampleVerdict } from '../../../../src/types';
import { laneOf } from '../../../support/evaluation/samples';

const ROWS = [1, 2, 3, 4].map((turn) => ({ id: `turn-${turn}`, name: `Turn ${turn}` }));
const plan: EvaluationPlan = {
  rows: ROWS,
  lanes: [laneOf('a')],
  repeat: 1,
  gates: { case: 1 },
  areTurns: true,
};

const sample = (
  turn: number,
  verdict: SampleVerdict,
  departure?: CallDeparture,
  repeat = 1,
): JudgedSample => ({ rowId: `turn-${turn}`, laneId: 'a', repeat, verdict, ...(departure && { departure }) });
const other: CallDeparture = { kind: 'other-tool', expected: 'read_file', made: 'list_files' };

const sentencesOf = (samples: readonly JudgedSample[], change: Partial<EvaluationPlan> = {}): string[] => {
  const { departures = [] } = summarizeEvaluation({ ...plan, ...change }, samples, { isEnded: true });
  return departures.map((one) =>
    describeDepartures(one, plan.lanes)
      .map(({ text }) => text)
      .join(''),
  );
};

describe('findDepartures', () => {
  test('says at which turn a lane leaves the recorded way, how, and how often', () => {
    const samples = [
      sample(4, 'failed', { kind: 'no-call', expected: 'read_file', made: '' }),
      sample(2, 'failed', other),
      sample(1, 'passed'),
      sample(3, 'passed'),
    ];
    expect(sentencesOf(samples)).toEqual([
      'a leaves the recorded way at Turn 2: another tool (list_files instead of read_file). ' +
        '2 of 4 turns are as recorded; 1 × no call, 1 × another tool.',
    ]);
  });

  test.each([
    [{ kind: 'no-call', expected: 'f', made: '' }, 'no call (f was recorded)'],
    [{ kind: 'call', expected: '', made: 'f' }, 'a call (f) where none was made'],
    [{ kind: 'other-count', expected: '', made: 'f' }, 'a further call (f)'],
    [{ kind: 'other-count', expected: 'f', made: '' }, 'a call less (f)'],
    [{ kind: 'other-arguments', expected: 'f', made: 'f' }, 'other arguments of f'],
    [undefined, 'another expectation'],
  ] as const)('words %j', (departure, words) => {
    expect(sentencesOf([sample(1, 'failed', departure)])[0]).toContain(`at Turn 1: ${words}. 0 of 1 turns`);
  });

  test('counts a turn as recorded only when all of its samples are', () => {
    const samples = [sample(1, 'passed'), sample(1, 'failed', other, 2), sample(2, 'passed')];
    expect(sentencesOf(samples)[0]).toContain('at Turn 1 in 1 of 2 samples: another tool');
  });

  test('says so when a lane keeps to it; turns without a verdict do not count', () => {
    expect(sentencesOf([sample(1, 'passed'), sample(2, 'no-verdict')])).toEqual([
      'a keeps to the recorded way: 1 of 1 turns are as recorded.',
    ]);
    expect(sentencesOf([sample(2, 'no-verdict')])).toEqual([]);
  });

  test('says nothing where the rows are no turns', () => {
    expect(sentencesOf([sample(1, 'failed', other)], { areTurns: false })).toEqual([]);
  });
});
