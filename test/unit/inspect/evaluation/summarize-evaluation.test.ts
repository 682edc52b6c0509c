import { describe, expect, test } from 'vitest';
import { EvaluationTally, summarizeEvaluation } from '../../../../src/inspect';
import type { EvaluationPlan } from '../../../../src/inspect';
import type { JudgedSample, SampleCounts, SampleVerdict } from '../../../../src/types';
import { fc, runs } from '../../../support/arbitrary/properties';
import { computedMsSince } from '../../../support/computed-ms';
import {
  caseOf,
  drawn,
  drawnSamples,
  laneOf,
  rowsOf,
  sampleOf,
  tensOf,
} from '../../../support/evaluation/samples';

const ENDED = { isEnded: true };
const RUNNING = { isEnded: false };
const oneLane: EvaluationPlan = { rows: rowsOf(1), lanes: [laneOf('a')], repeat: 10, gates: { case: 0.9 } };
const twoLanes = (rows: number, repeat = 10): EvaluationPlan => ({
  rows: rowsOf(rows),
  lanes: [laneOf('a'), laneOf('b')],
  repeat,
  gates: { case: 1 },
});
const percent = (share: number | undefined): string => `${((share ?? Number.NaN) * 100).toFixed(1)} %`;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** Of one case in the only lane. */
const gateOf = (plan: EvaluationPlan, samples: readonly JudgedSample[], options = RUNNING) =>
  summarizeEvaluation(plan, samples, options).cases[0]?.gate;

describe('summarizeEvaluation', () => {
  describe('of the evaluation that is drawn', () => {
    const summary = summarizeEvaluation(drawn, drawnSamples, ENDED);

    test('counts its samples', () => {
      expect(summary).toMatchObject({ planned: 600, passed: 494, failed: 101, noVerdict: 5, notRun: 0 });
      expect(summary).toMatchObject({ isEnded: true, hasExpectations: true, gate: 'lost' });
      expect(summary.cases).toHaveLength(60);
      expect(summary.cases.slice(0, 4).map(({ rowId, laneId }) => `${rowId} ${laneId}`)).toEqual([
        'row-1 hermes-text',
        'row-1 qwen3:8b',
        'row-1 gpt-4o-mini',
        'row-2 hermes-text',
      ]);
    });

    test.each([
      [0, '69.5 %', '53.3 %', '82.0 %', 'lost', '49.2 %', '40.4 %'],
      [1, '81.5 %', '71.3 %', '88.7 %', 'lost', '59.0 %', '46.1 %'],
      [2, '98.5 %', '94.0 %', '99.6 %', 'met', '95.8 %', '93.6 %'],
    ])('has the rate, interval, gate and pass^k of lane %i', (index, rate, low, high, gate, three, five) => {
      const lane = summary.lanes[index];
      expect(percent(lane?.rate)).toBe(rate);
      expect([percent(lane?.interval?.low), percent(lane?.interval?.high)]).toEqual([low, high]);
      expect(lane?.gate).toBe(gate);
      expect(lane?.passPower.map(({ k }) => k)).toEqual([3, 5, 10]);
      expect(lane?.passPower.slice(0, 2).map(({ all }) => percent(all))).toEqual([three, five]);
    });

    test('compares the lanes with the first one', () => {
      const [qwen, gpt] = summary.comparisons;
      expect(qwen).toMatchObject({ laneId: 'qwen3:8b', otherId: 'hermes-text', rows: 20, test: 'sign-flip' });
      expect(qwen).toMatchObject({ isDecided: false, neededRows: 37 });
      expect(qwen?.difference).toBeCloseTo(0.12, 10);
      expect(qwen?.p).toBeCloseTo(0.0638, 4);
      expect(gpt).toMatchObject({ laneId: 'gpt-4o-mini', rows: 20, isDecided: true });
      expect(gpt?.difference).toBeCloseTo(0.29, 10);
      expect(gpt?.p).toBeCloseTo(2 * (gpt?.rawP ?? 0), 12);
      expect(gpt).not.toHaveProperty('neededRows');
    });

    test('compares with another reference lane when one is chosen', () => {
      const other = summarizeEvaluation({ ...drawn, referenceId: 'gpt-4o-mini' }, drawnSamples, ENDED);
      expect(other.comparisons.map(({ laneId, otherId }) => `${laneId} ${otherId}`)).toEqual([
        'hermes-text gpt-4o-mini',
        'qwen3:8b gpt-4o-mini',
      ]);
      expect(other.comparisons[0]?.difference).toBeCloseTo(-0.29, 10);
    });
  });

  describe('counts', () => {
    const verdict = fc.constantFrom<SampleVerdict>('passed', 'failed', 'no-verdict', 'not-run');
    const sample = fc
      .record({
        laneId: fc.constantFrom('a', 'b', 'c', 'unknown'),
        rowId: fc.constantFrom('row-1', 'row-2', 'row-3', 'unknown'),
        repeat: fc.integer({ min: 1, max: 6 }),
        verdict,
        calls: fc.constantFrom('', 'one', 'two'),
        replyHash: fc.constantFrom('x', 'y'),
        timeMs: fc.integer({ min: 1, max: 1000 }),
        promptTokens: fc.integer({ min: 0, max: 9 }),
        completionTokens: fc.integer({ min: 0, max: 9 }),
        model: fc.constantFrom('m', 'n'),
      })
      .map(sampleOf);
    const samples = fc.uniqueArray(sample, {
      selector: ({ laneId, rowId, repeat }) => `${laneId} ${rowId} ${repeat}`,
      maxLength: 60,
    });
    const plan: EvaluationPlan = {
      rows: [{ id: 'row-1' }, { id: 'row-2', repeat: 3 }, { id: 'row-3' }],
      lanes: [laneOf('a', { temperature: 0 }), laneOf('b', { seed: 7 }), laneOf('c')],
      repeat: 4,
      gates: { case: 0.9, lane: 0.9 },
    };
    const isSum = ({ planned, passed, failed, noVerdict, notRun }: SampleCounts): boolean =>
      planned === passed + failed + noVerdict + notRun && Math.min(passed, failed, noVerdict, notRun) >= 0;

    test('add up, wherever the evaluation was stopped', () => {
      fc.assert(
        fc.property(samples, fc.boolean(), (some, isEnded) => {
          const summary = summarizeEvaluation(plan, some, { isEnded });
          expect([summary, ...summary.lanes, ...summary.cases].every(isSum)).toBe(true);
          for (const key of ['planned', 'passed', 'failed', 'noVerdict', 'notRun'] as const) {
            expect(sum(summary.lanes.map((lane) => lane[key]))).toBe(summary[key]);
            expect(sum(summary.cases.map((one) => one[key]))).toBe(summary[key]);
          }
          for (const { outcomes, passed, failed, noVerdict } of [...summary.lanes, ...summary.cases])
            expect(sum(Object.values(outcomes))).toBe(passed + failed + noVerdict);
        }),
        { numRuns: runs(1000) },
      );
    });

    test('are the same in any order, and when summaries were made in between', () => {
      fc.assert(
        fc.property(samples, fc.integer({ min: 0, max: 60 }), (some, cut) => {
          const tally = new EvaluationTally(plan);
          for (const one of some.slice(cut)) tally.add(one);
          tally.summary(RUNNING);
          for (const one of some.slice(0, cut)) tally.add(one);
          tally.summary(RUNNING);
          expect(tally.summary(ENDED)).toEqual(summarizeEvaluation(plan, some, ENDED));
          expect(tally.summary(RUNNING)).toEqual(summarizeEvaluation(plan, some, RUNNING));
        }),
        { numRuns: runs(1000) },
      );
    });

    test('include repeats beyond those that were planned', () => {
      const summary = summarizeEvaluation(oneLane, caseOf('a', 'row-1', [7, 5]), ENDED);
      expect(summary).toMatchObject({ planned: 12, passed: 7, failed: 5, notRun: 0 });
    });

    test('take the later one of two samples with the same key, as it was sent again', () => {
      const tally = new EvaluationTally({ ...oneLane, repeat: 1 });
      tally.add(sampleOf({ laneId: 'a', rowId: 'row-1', repeat: 1, verdict: 'no-verdict' }));
      expect(tally.summary(RUNNING)).toMatchObject({ planned: 1, noVerdict: 1, passed: 0, isEnded: false });
      tally.add(sampleOf({ laneId: 'a', rowId: 'row-1', repeat: 1, requeued: 1 }));
      expect(tally.summary(RUNNING)).toMatchObject({ planned: 1, noVerdict: 0, passed: 1, isEnded: true });
    });

    test('keep the summary of a case that got no sample', () => {
      const tally = new EvaluationTally(twoLanes(2));
      for (const one of tensOf('a', [3, 4])) tally.add(one);
      const before = tally.summary(RUNNING);
      tally.add(sampleOf({ laneId: 'b', rowId: 'row-1', repeat: 1 }));
      const after = tally.summary(RUNNING);
      expect(after.cases.map((one, index) => one === before.cases[index])).toEqual([true, false, true, true]);
      expect(after.lanes[0]).toBe(before.lanes[0]);
      expect(tally.summary(RUNNING)).toBe(after);
      expect(tally.case({ rowId: 'row-1', laneId: 'b' }, RUNNING)).toBe(after.cases[1]);
      expect(tally.case({ rowId: 'row-9', laneId: 'b' }, RUNNING)).toBeUndefined();
    });
  });

  describe('the gate of a case', () => {
    test('is lost as soon as it can no longer be met', () => {
      expect(gateOf(oneLane, caseOf('a', 'row-1', [0, 1]))).toBe('open');
      expect(gateOf(oneLane, caseOf('a', 'row-1', [0, 2]))).toBe('lost');
      expect(gateOf({ ...oneLane, gates: { case: 1 } }, caseOf('a', 'row-1', [0, 1]))).toBe('lost');
    });

    test('is met only at the end', () => {
      expect(gateOf(oneLane, caseOf('a', 'row-1', [9]))).toBe('open');
      expect(gateOf(oneLane, caseOf('a', 'row-1', [9, 1]))).toBe('met');
      // A sample without a verdict is sent again.
      expect(gateOf(oneLane, caseOf('a', 'row-1', [9, 0, 1]))).toBe('open');
    });

    test('is judged on what there is after a stop', () => {
      expect(gateOf(oneLane, caseOf('a', 'row-1', [1]), ENDED)).toBe('met');
      expect(gateOf(oneLane, caseOf('a', 'row-1', [1, 1]), ENDED)).toBe('lost');
      expect(gateOf(oneLane, caseOf('a', 'row-1', [9, 0, 1]), ENDED)).toBe('met');
      expect(gateOf(oneLane, caseOf('a', 'row-1', [0, 0, 3]), ENDED)).toBe('open');
      expect(gateOf(oneLane, [], ENDED)).toBe('open');
    });

    test('is not changed by samples that are still to come', () => {
      const one = fc.constantFrom<SampleVerdict>('passed', 'failed', 'no-verdict');
      fc.assert(
        fc.property(fc.array(one, { minLength: 10, maxLength: 10 }), fc.nat({ max: 10 }), (verdicts, cut) => {
          const samples = verdicts.map((verdict, index) =>
            sampleOf({ laneId: 'a', rowId: 'row-1', repeat: index + 1, verdict }),
          );
          const before = gateOf(oneLane, samples.slice(0, cut));
          const after = gateOf(oneLane, samples, ENDED);
          if (before !== 'open') expect(after).toBe(before);
        }),
        { numRuns: runs(500) },
      );
    });
  });

  describe('the gate of a lane', () => {
    const plan = { ...oneLane, rows: rowsOf(2), gates: { case: 0, lane: 0.75 } };
    const laneGate = (samples: readonly JudgedSample[], options = RUNNING) =>
      summarizeEvaluation(plan, samples, options).lanes[0]?.gate;

    test('is on the mean of the cases, and lost as soon as it can no longer be met', () => {
      expect(laneGate(caseOf('a', 'row-1', [5, 5]))).toBe('open');
      expect(laneGate(caseOf('a', 'row-1', [4, 6]))).toBe('lost');
      expect(laneGate(tensOf('a', [10, 5]))).toBe('met');
      expect(laneGate(tensOf('a', [10, 4]))).toBe('lost');
    });

    test('is judged on what there is after a stop', () => {
      expect(laneGate(caseOf('a', 'row-1', [3, 1]), ENDED)).toBe('met');
      expect(laneGate(caseOf('a', 'row-1', [2, 1]), ENDED)).toBe('lost');
      expect(laneGate([], ENDED)).toBe('open');
    });

    test('is absent when there is none', () => {
      expect(summarizeEvaluation(oneLane, [], ENDED).lanes[0]).not.toHaveProperty('gate');
    });

    test('equals a mean that rounding makes smaller', () => {
      const rows = rowsOf(10);
      const all = tensOf('a', [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]);
      const summary = summarizeEvaluation({ ...plan, rows, gates: { case: 0, lane: 0.7 } }, all, ENDED);
      expect(summary.lanes[0]?.gate).toBe('met');
    });
  });

  test('gives the whole evaluation a gate: lost if one is lost, met if all are met', () => {
    const gate = (samples: readonly JudgedSample[], options = RUNNING) =>
      summarizeEvaluation(twoLanes(1, 2), samples, options).gate;
    expect(gate(caseOf('a', 'row-1', [0, 1]))).toBe('lost');
    expect(gate(caseOf('a', 'row-1', [2]))).toBe('open');
    expect(gate([...caseOf('a', 'row-1', [2]), ...caseOf('b', 'row-1', [2])])).toBe('met');
    expect(gate(caseOf('a', 'row-1', [2]), ENDED)).toBe('open');
  });

  test('bounds the rate by what the missing verdicts may be: 90 % between 82 % and 91 %', () => {
    const summary = summarizeEvaluation({ ...oneLane, repeat: 22 }, caseOf('a', 'row-1', [18, 2, 2]), ENDED);
    const { rate, bounds } = summary.lanes[0] ?? {};
    expect([rate, bounds?.low, bounds?.high].map(percent)).toEqual(['90.0 %', '81.8 %', '90.9 %']);
    expect(summarizeEvaluation(oneLane, tensOf('a', [9]), ENDED).lanes[0]).not.toHaveProperty('bounds');
  });

  test('has an interval of a lane from five rows on, of a case from one sample on', () => {
    const four = summarizeEvaluation(twoLanes(4), tensOf('a', [10, 9, 7, 4]), ENDED);
    expect(four.lanes[0]?.rate).toBeCloseTo(0.75, 12);
    expect(four.lanes[0]).not.toHaveProperty('interval');
    expect(four.cases[0]?.interval?.low).toBeCloseTo(0.7225, 4);
    expect(four.cases[1]).not.toHaveProperty('interval');
    const five = summarizeEvaluation(twoLanes(5), tensOf('a', [10, 9, 7, 4, 10]), ENDED);
    expect(five.lanes[0]?.interval).toBeDefined();
    expect(five.lanes[1]).not.toHaveProperty('rate');
  });

  test('has pass^k of 3, 5 and the number of repeats, over the rows with enough samples', () => {
    const powersOf = (repeat: number, samples: readonly JudgedSample[]) =>
      summarizeEvaluation({ ...twoLanes(2), repeat }, samples, ENDED).lanes[0]?.passPower;
    expect(powersOf(1, caseOf('a', 'row-1', [1]))).toEqual([]);
    expect(powersOf(2, caseOf('a', 'row-1', [2]))).toEqual([{ k: 2, all: 1, one: 1, rows: 1 }]);
    const [three, four] = powersOf(4, [...caseOf('a', 'row-1', [2, 2]), ...caseOf('a', 'row-2', [3])]) ?? [];
    expect(three).toEqual({ k: 3, all: 0.5, one: 1, rows: 2 });
    expect(four).toEqual({ k: 4, all: 0, one: 1, rows: 1 });
    const powersNow = (samples: readonly JudgedSample[]) =>
      summarizeEvaluation(twoLanes(1, 3), samples, RUNNING).lanes[0]?.passPower;
    expect(powersNow(caseOf('a', 'row-1', [2]))).toEqual([]);
    expect(powersNow(caseOf('a', 'row-1', [3]))).toEqual([{ k: 3, all: 1, one: 1, rows: 1 }]);
  });

  test('keeps the time of the first sample apart, by repeat and row, and counts only replies', () => {
    const timed = (rowId: string, repeat: number, timeMs: number, verdict: SampleVerdict = 'passed') =>
      sampleOf({ laneId: 'a', rowId, repeat, timeMs, verdict });
    const plan = twoLanes(2, 2);
    const first = timed('row-1', 1, 9000);
    const rest = [timed('row-2', 1, 100), timed('row-1', 2, 200), timed('row-2', 2, 400, 'failed')];
    const { lanes } = summarizeEvaluation(plan, [...rest, first], ENDED);
    expect(lanes[0]).toMatchObject({ firstMs: 9000, medianMs: 200, p90Ms: 400 });
    expect(lanes[1]).not.toHaveProperty('firstMs');
    const lost = [first, timed('row-1', 2, 5, 'no-verdict')];
    expect(summarizeEvaluation(plan, lost, ENDED).lanes[0]).not.toHaveProperty('medianMs');
    const even = [first, timed('row-2', 1, 100), timed('row-1', 2, 200)];
    expect(summarizeEvaluation(plan, even, ENDED).lanes[0]).toMatchObject({ medianMs: 150, p90Ms: 200 });
  });

  test('sums tokens and cost over the samples for which they are known', () => {
    const [one, two] = [1, 2].map((repeat) => ({ laneId: 'a', rowId: 'row-1', repeat }));
    const samples = [
      sampleOf({
        ...(one ?? { laneId: '', rowId: '', repeat: 0 }),
        promptTokens: 5,
        completionTokens: 2,
        costUsd: 0.5,
      }),
      sampleOf({ ...(two ?? { laneId: '', rowId: '', repeat: 0 }), promptTokens: 5 }),
    ];
    const [lane, other] = summarizeEvaluation(twoLanes(1), samples, ENDED).lanes;
    expect(lane?.tokens).toEqual({ total: 7, samples: 1 });
    expect(lane?.costUsd).toEqual({ total: 0.5, samples: 1 });
    expect(other?.tokens).toBeUndefined();
  });

  test('counts outcomes, valid arguments, agreement and what is flaky', () => {
    const sample = (repeat: number, more: Partial<JudgedSample>) =>
      sampleOf({ laneId: 'a', rowId: 'row-1', repeat, calls: 'one', hasValidArguments: true, ...more });
    const samples = [
      ...Array.from({ length: 7 }, (_, index) => sample(index + 1, {})),
      sample(8, { calls: 'two', outcome: 'rescued' }),
      sample(9, { calls: 'two', hasValidArguments: false, verdict: 'failed', outcome: 'malformed' }),
      sampleOf({ laneId: 'a', rowId: 'row-1', repeat: 10, outcome: 'none', calls: '' }),
    ];
    const { lanes, cases } = summarizeEvaluation(oneLane, samples, ENDED);
    expect(lanes[0]?.outcomes).toEqual({
      native: 7,
      rescued: 1,
      malformed: 1,
      none: 1,
      answer: 0,
      noVerdict: 0,
    });
    expect(lanes[0]?.validArguments).toEqual({ valid: 8, of: 9 });
    expect(cases[0]?.isFlaky).toBe(true);
    expect(cases[0]?.agreement?.largest).toBe(0.7);
    expect(cases[0]?.agreement?.pairs).toBeCloseTo(0.4889, 4);
  });

  test('has counts but no rates, gates and comparisons without expectations', () => {
    const plan = { ...twoLanes(6), gates: undefined, baseline: tensOf('a', [1]) };
    const samples = [...tensOf('a', [10, 10, 10, 10, 10, 10]), ...tensOf('b', [10, 10, 10, 10, 10, 10])];
    const summary = summarizeEvaluation(plan, samples, ENDED);
    expect(summary).toMatchObject({ hasExpectations: false, passed: 120, comparisons: [] });
    expect(summary).not.toHaveProperty('gate');
    expect(summary).not.toHaveProperty('flips');
    for (const key of ['rate', 'interval', 'bounds', 'gate'])
      expect(summary.lanes[0]).not.toHaveProperty(key);
    expect(summary.lanes[0]?.passPower).toEqual([]);
    expect(summary.cases[0]).not.toHaveProperty('interval');
    expect(summary.cases[0]?.gate).toBe('open');
  });

  test('stays fast for 100,000 samples of 5,000 rows', () => {
    const plan = {
      ...drawn,
      rows: rowsOf(5000),
      lanes: ['a', 'b', 'c', 'd'].map((id) => laneOf(id)),
      repeat: 5,
    };
    const samples = plan.lanes.flatMap(({ id }, lane) =>
      plan.rows.flatMap((row, index) =>
        caseOf(id, row.id, [(index * (lane + 3)) % 6, 5 - ((index * (lane + 3)) % 6)]),
      ),
    );
    samples.forEach((sample, index) => (sample.timeMs = (index * 7919) % 10_007));
    expect(samples).toHaveLength(100_000);
    const startedAt = process.cpuUsage();
    const tally = new EvaluationTally(plan);
    for (const sample of samples) tally.add(sample);
    expect(tally.summary(ENDED)).toMatchObject({ planned: 100_000, notRun: 0 });
    expect(computedMsSince(startedAt)).toBeLessThan(10_000);
  });
});
