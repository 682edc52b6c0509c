import { describe, expect, test } from 'vitest';
import { summarizeEvaluation } from '../../../../src/inspect';
import type { EvaluationPlan } from '../../../../src/inspect';
import type { JudgedSample } from '../../../../src/types';
import {
  caseOf,
  drawn,
  drawnBaseline,
  drawnSamples,
  laneOf,
  rowsOf,
  tensOf,
} from '../../../support/evaluation/samples';

const ENDED = { isEnded: true };
const planOf = (rows: number, repeat = 10, lanes = ['a', 'b']): EvaluationPlan => ({
  rows: rowsOf(rows),
  lanes: lanes.map((id) => laneOf(id)),
  repeat,
  gates: { case: 0.9 },
});
const A = [10, 9, 10, 8, 10, 7, 10, 9, 10, 6];
const B = [9, 9, 10, 5, 8, 7, 6, 9, 10, 4];
/** The second lane beside the first. */
const compare = (plan: EvaluationPlan, samples: readonly JudgedSample[]) =>
  summarizeEvaluation(plan, samples, ENDED).comparisons[0];

describe('compareLanes', () => {
  test('compares rows in pairs: +12 points, p = 0.0625, about 12 rows would decide', () => {
    const comparison = compare(planOf(10), [...tensOf('a', B), ...tensOf('b', A)]);
    expect(comparison).toMatchObject({
      rows: 10,
      test: 'sign-flip',
      p: 0.0625,
      isDecided: false,
      neededRows: 12,
    });
    expect(comparison?.difference).toBeCloseTo(0.12, 12);
  });

  test('waits for the end', () => {
    const samples = [...tensOf('a', B), ...tensOf('b', A)];
    expect(summarizeEvaluation(planOf(10, 11), samples, { isEnded: false }).comparisons).toEqual([]);
    expect(summarizeEvaluation(planOf(10, 10), samples, { isEnded: false }).comparisons).toHaveLength(1);
  });

  test('never decides by five rows, and says that six could', () => {
    const comparison = compare(planOf(5), [
      ...tensOf('a', [0, 0, 0, 0, 0]),
      ...tensOf('b', [10, 10, 10, 10, 10]),
    ]);
    expect(comparison).toMatchObject({ p: 0.0625, isDecided: false, neededRows: 6 });
  });

  test('names no number of rows without a difference', () => {
    const comparison = compare(planOf(2), [...tensOf('a', [5, 7]), ...tensOf('b', [7, 5])]);
    expect(comparison).toMatchObject({ p: 1, isDecided: false, difference: 0 });
    expect(comparison).not.toHaveProperty('neededRows');
  });

  test('never names a number of rows that was there and did not decide', () => {
    // By the formula 6 rows would do; with the p adjusted for two lanes they did not.
    const plan = planOf(6, 10, ['a', 'b', 'c']);
    const zero = [0, 0, 0, 0, 0, 0];
    const all = [10, 10, 10, 10, 10, 10];
    const comparison = compare(plan, [...tensOf('a', zero), ...tensOf('b', all), ...tensOf('c', all)]);
    expect(comparison).toMatchObject({ rawP: 0.03125, p: 0.0625, isDecided: false, neededRows: 7 });
  });

  test('compares after a stop only the repeats that both lanes have', () => {
    const rows = rowsOf(6);
    const samples = rows.flatMap(({ id }) => [
      // The first repeat passes in both; later ones, which lane b has not, fail.
      ...caseOf('a', id, [1, 3]),
      ...caseOf('b', id, [1]),
    ]);
    expect(compare(planOf(6), samples)).toMatchObject({ rows: 6, difference: 0, p: 1 });
  });

  test('finds fewer than six common rows too few after a stop', () => {
    const both = (count: number) =>
      rowsOf(count).flatMap(({ id }) => [...caseOf('a', id, [0, 1]), ...caseOf('b', id, [1])]);
    const comparison = compare(planOf(20), [...both(5), ...caseOf('a', 'row-6', [1])]);
    expect(comparison).toEqual({ laneId: 'b', otherId: 'a', rows: 5, difference: 1, isDecided: false });
    expect(compare(planOf(20), both(6))).toMatchObject({ rows: 6, p: 0.03125, isDecided: true });
    expect(compare(planOf(20), caseOf('a', 'row-1', [1]))).toEqual({
      laneId: 'b',
      otherId: 'a',
      rows: 0,
      isDecided: false,
    });
  });

  test('leaves out rows without a verdict in one of the lanes', () => {
    const samples = [...tensOf('a', B), ...tensOf('b', A.slice(1)).filter(({ rowId }) => rowId !== 'row-2')];
    expect(compare(planOf(10), samples)).toMatchObject({ rows: 8 });
  });

  test.each([
    [9, 5, 0.1409, false],
    [10, 6, 0.0867, false],
    [10, 5, 0.0325, true],
  ])("uses Fisher's test for one row: %i and %i of 10", (one, other, p, isDecided) => {
    const comparison = compare(planOf(1), [...tensOf('a', [other]), ...tensOf('b', [one])]);
    expect(comparison).toMatchObject({ rows: 1, test: 'fisher', isDecided });
    expect(comparison?.p).toBeCloseTo(p, 4);
    expect(comparison).not.toHaveProperty('neededRows');
    if (isDecided) expect(comparison).not.toHaveProperty('neededSamples');
    else expect(comparison?.neededSamples).toBeGreaterThan(10);
  });

  test('has the interval of the difference for one row', () => {
    const { interval } = compare(planOf(1), [...tensOf('a', [5]), ...tensOf('b', [9])]) ?? {};
    expect(interval?.low).toBeCloseTo(-0.0024, 4);
    expect(interval?.high).toBeCloseTo(0.6759, 4);
  });

  test('adjusts each p for the number of lanes that are compared', () => {
    const plan = planOf(8, 10, ['a', 'b', 'c', 'd']);
    const lanes = [
      [5, 5, 5, 5, 5, 5, 5, 5],
      [10, 10, 10, 10, 10, 10, 10, 10],
      [10, 10, 10, 10, 10, 10, 10, 4],
      [5, 5, 5, 5, 5, 5, 5, 5],
    ];
    const samples = lanes.flatMap((passed, index) => tensOf('abcd'.charAt(index), passed));
    const { comparisons } = summarizeEvaluation(plan, samples, ENDED);
    // 2 and 4 of 256 ways.
    expect(comparisons.map(({ rawP }) => rawP)).toEqual([2 / 256, 4 / 256, 1]);
    expect(comparisons.map(({ p }) => p)).toEqual([6 / 256, 8 / 256, 1]);
  });

  test('compares nothing with a reference lane that is not there', () => {
    const plan = { ...planOf(10), referenceId: 'gone' };
    expect(summarizeEvaluation(plan, tensOf('a', A), ENDED).comparisons).toEqual([]);
  });
});

describe('findFlips', () => {
  test('compares each lane of the evaluation that is drawn with its baseline', () => {
    const { flips, cases } = summarizeEvaluation({ ...drawn, baseline: drawnBaseline }, drawnSamples, ENDED);
    const [hermes, qwen, gpt] = flips ?? [];
    expect(hermes).toMatchObject({ bothPass: 6, bothFail: 10, broken: ['row-5'], lostVerdict: [] });
    expect(hermes?.fixed).toEqual(['row-7', 'row-10', 'row-16']);
    expect(hermes?.rateBefore).toBeCloseTo(0.605, 12);
    expect(hermes?.comparison?.difference).toBeCloseTo(0.09, 12);
    expect(hermes?.comparison?.rawP).toBeCloseTo(0.049, 3);
    // Adjusted for three lanes, it is no longer decided.
    expect(hermes?.comparison?.p).toBeCloseTo(0.148, 3);
    expect(hermes?.comparison).toMatchObject({ otherId: 'hermes-text', isDecided: false });
    expect(qwen).toMatchObject({ fixed: ['row-13'], broken: ['row-5', 'row-15', 'row-18'] });
    expect(qwen?.comparison?.rawP).toBeCloseTo(0.627, 3);
    expect(gpt).toMatchObject({ fixed: [], broken: [], comparison: { difference: 0, p: 1 } });
    const tromso = cases.find(({ rowId, laneId }) => rowId === 'row-7' && laneId === 'hermes-text');
    expect(tromso).toMatchObject({ before: { passed: 5, failed: 5 }, flip: 'fixed' });
    expect(cases[0]).not.toHaveProperty('flip');
  });

  test('names rows that had a verdict and have none now', () => {
    const baseline = [...tensOf('a', [10, 4])];
    const samples = [...caseOf('a', 'row-1', [0, 0, 10]), ...caseOf('a', 'row-2', [0, 0, 3])];
    const { flips } = summarizeEvaluation({ ...planOf(3), baseline }, samples, ENDED);
    expect(flips?.[0]).toMatchObject({ lostVerdict: ['row-1', 'row-2'], fixed: [], broken: [] });
    expect(flips?.[0]?.comparison).toMatchObject({ rows: 0 });
    expect(flips?.[1]).toMatchObject({ laneId: 'b', lostVerdict: [], rateBefore: undefined });
  });

  test('compares all repeats, also with a baseline that has fewer', () => {
    const rows = rowsOf(2);
    const baseline = rows.flatMap(({ id }) => caseOf('a', id, [1, 1]));
    const { flips } = summarizeEvaluation(
      { ...planOf(2, 10, ['a']), baseline },
      tensOf('a', [10, 10]),
      ENDED,
    );
    expect(flips?.[0]?.comparison).toMatchObject({ rows: 2, difference: 0.5, p: 0.5, neededRows: 6 });
  });

  test('knows a broken row while the evaluation still runs, a fixed one when all its samples are there', () => {
    const baseline = tensOf('a', [10, 0]);
    const samples = [...caseOf('a', 'row-1', [0, 2]), ...caseOf('a', 'row-2', [9])];
    const plan = { ...planOf(2, 10, ['a']), baseline };
    const flipsOf = (some: readonly JudgedSample[]) =>
      summarizeEvaluation(plan, some, { isEnded: false }).flips?.[0];
    expect(flipsOf(samples)).toMatchObject({ broken: ['row-1'], fixed: [] });
    expect(flipsOf(samples)).not.toHaveProperty('comparison');
    expect(flipsOf(tensOf('a', [0, 9]))).toMatchObject({ broken: ['row-1'], fixed: ['row-2'] });
  });
});
