// An evaluation as the session would report it, made up for tests of the view: three lanes, rows, ten repeats. The numbers add
// up; nothing is sent.
import type {
  EvaluationCaseView,
  EvaluationRowsView,
  EvaluationSampleView,
  EvaluationSnapshot,
  RunEntry,
  ShownRows,
} from '../../../src/protocol';
import type {
  CaseSummary,
  EvaluationLane,
  JudgedSample,
  LaneSummary,
  OutcomeCounts,
  Sentence,
} from '../../../src/types';

const REPEATS = 10;
const LANES: EvaluationLane[] = [
  { id: 'a', label: 'hermes-text', billing: 'unknown', temperature: 0, seed: 7 },
  { id: 'b', label: 'qwen3:8b', billing: 'unknown', seed: 7 },
  { id: 'c', label: 'gpt-4o-mini', billing: 'rates', seed: 7 },
];
const NAMES = ['oslo', 'bergen', 'celsius', 'new-york', 'sao-paulo', 'default-unit', 'tromso', 'two-cities'];
/** Of ten samples, by lane: how many pass, for the rows in their order. */
const PASSED = [
  [10, 10, 6, 9, 8, 8, 10, 1],
  [10, 10, 9, 10, 8, 10, 10, 5],
  [10, 10, 10, 10, 10, 10, 10, 9],
];

const said = (text: string): Sentence => [{ text }];

function outcomesOf(laneIndex: number, passed: number): OutcomeCounts {
  const malformed = Math.min(10 - passed, 3);
  const none = 10 - passed - malformed;
  const isNative = laneIndex > 0;
  return {
    native: isNative ? passed : 0,
    rescued: isNative ? 0 : passed,
    malformed,
    none: laneIndex === 2 ? 0 : none,
    answer: 0,
    noVerdict: laneIndex === 2 ? none : 0,
  };
}

const rowName = (index: number): string => (index < NAMES.length ? String(NAMES[index]) : `row-${index + 1}`);
const passedOf = (lane: number, row: number): number => PASSED[lane]?.[row % NAMES.length] ?? 0;

export interface Script {
  rows?: number;
  state?: 'before' | 'running' | 'done' | 'stopped' | 'baseline';
}

/** A case with all its samples, or its first ones while the evaluation is not at its end. */
function caseOf(row: number, lane: number, state: Script['state']): CaseSummary & { underWay: number } {
  const laneId = LANES[lane]?.id ?? '';
  const all = passedOf(lane, row);
  const isEnded = state === 'done' || state === 'baseline';
  const failed = isEnded ? REPEATS - all : Math.min(REPEATS - all, 2);
  const passed = isEnded ? all : Math.min(all, 3);
  const outcomes = isEnded
    ? outcomesOf(lane, all)
    : { ...outcomesOf(lane, passed), malformed: failed, none: 0, noVerdict: 0 };
  return {
    rowId: `r${row}`,
    laneId,
    planned: REPEATS,
    passed,
    failed,
    noVerdict: 0,
    notRun: REPEATS - passed - failed,
    outcomes,
    interval: { low: 0.31, high: 0.83 },
    gate: all < 9 ? 'lost' : isEnded ? 'met' : 'open',
    isFlaky: all > 0 && all < REPEATS,
    agreement: { largest: 0.6, pairs: 0.42 },
    underWay: state === 'running' && row === 4 && lane === 1 ? 1 : 0,
    ...(state === 'baseline' && {
      before: { passed: Math.max(all - 3, 0), failed: REPEATS - Math.max(all - 3, 0) },
      ...(all === 9 && { flip: 'fixed' as const }),
    }),
  };
}

function laneOf(lane: number, rows: number, state: Script['state']): LaneSummary {
  const cases = Array.from({ length: rows }, (_each, row) => caseOf(row, lane, state));
  const sum = (pick: (each: CaseSummary) => number): number =>
    cases.reduce((total, each) => total + pick(each), 0);
  const passed = sum((each) => each.passed);
  const failed = sum((each) => each.failed);
  const rate = passed / Math.max(passed + failed, 1);
  const isEnded = state === 'done' || state === 'baseline';
  const kinds = ['native', 'rescued', 'malformed', 'none', 'answer', 'noVerdict'] as const;
  const outcomes = Object.fromEntries(kinds.map((kind) => [kind, sum((each) => each.outcomes[kind])]));
  return {
    laneId: LANES[lane]?.id ?? '',
    planned: rows * REPEATS,
    passed,
    failed,
    noVerdict: 0,
    notRun: sum((each) => each.notRun),
    outcomes: outcomes as OutcomeCounts,
    rate,
    interval: { low: Math.max(rate - 0.14, 0), high: Math.min(rate + 0.09, 1) },
    passPower: isEnded ? [3, 5].map((k) => ({ k, all: rate ** k, one: 1, rows })) : [],
    gate: isEnded ? (rate >= 0.95 ? 'met' : 'lost') : 'open',
    lostCases: cases.filter(({ gate }) => gate === 'lost').length,
    validArguments: { valid: passed, of: passed + failed },
    medianMs: 1100 + lane * 2000,
    p90Ms: 2000 + lane * 3000,
    firstMs: 2400,
    tokens: { total: 151_300 - lane * 10_000, samples: passed + failed },
    ...(lane === 2 && { costUsd: { total: 0.27, samples: passed + failed } }),
  };
}

export function scriptEvaluation({ rows = 20, state = 'done' }: Script = {}): EvaluationSnapshot {
  const samples = LANES.length * rows * REPEATS;
  const lanes = LANES.map((_lane, index) => laneOf(index, rows, state));
  const total = (pick: (lane: LaneSummary) => number): number =>
    lanes.reduce((sum, lane) => sum + pick(lane), 0);
  const isEnded = state === 'done' || state === 'baseline';
  const done = total((lane) => lane.passed + lane.failed);
  const kept = (filter: ShownRows): number => rowsOf(filter, rows, state).length;
  return {
    version: 1,
    problems: [],
    plan: {
      rows,
      repeats: REPEATS,
      samples,
      stored: state === 'before' ? 0 : done,
      left: state === 'before' ? samples : samples - done,
      mostRequests: samples,
      promptTokens: 412_310,
      completionTokens: 60_020,
      costUsd: { a: null, b: null, c: 0.27 },
      durationMs: 1_190_000,
      needsConfirmation: true,
    },
    ...(state === 'running' && {
      progress: {
        since: Date.now(),
        isStopping: false,
        done,
        planned: samples,
        underWay: [
          {
            rowId: 'r4',
            laneId: 'b',
            repeat: 5,
            since: Date.now() - 4000,
            phase: 'waiting-for-headers' as const,
          },
          { rowId: 'r0', laneId: 'c', repeat: 4, since: Date.now() - 1000 },
        ],
        waiting: [{ laneId: 'c', reason: '429, `Retry-After: 20`', untilMs: Date.now() + 12_000 }],
        leftMs: 1_020_000,
      },
    }),
    ...(state !== 'before' && {
      result: {
        id: 'e1',
        startedAt: 1_764_000_000_000,
        durationMs: 1_190_000,
        ...(state === 'stopped' && { stopped: { reason: 'person' as const, text: 'Stopped.' } }),
        requests: done,
        tokens: 466_120,
        costUsd: 0.27,
        summary: {
          hasExpectations: true,
          isEnded,
          gate: isEnded ? ('lost' as const) : ('open' as const),
          planned: samples,
          passed: total((lane) => lane.passed),
          failed: total((lane) => lane.failed),
          noVerdict: 0,
          notRun: total((lane) => lane.notRun),
          lanes,
          ...(state === 'baseline' && {
            flips: lanes.map(({ laneId, rate = 0 }) => ({
              laneId,
              rateBefore: Math.max(rate - 0.2, 0),
              bothPass: 1,
              fixed: [],
              broken: [],
              bothFail: 1,
              lostVerdict: [],
            })),
          }),
        },
        departures: [],
        comparisons: isEnded
          ? ['b', 'c'].map((laneId, index) => ({
              comparison: {
                laneId,
                otherId: 'a',
                rows,
                difference: 0.12,
                p: 0.06,
                rawP: 0.06,
                isDecided: index === 1,
              },
              sentence: [
                { text: LANES[index + 1]?.label ?? '', mark: 'strong' as const },
                { text: ' is 12 points better than hermes-text (20 rows, p = 0.06): ' },
                { text: index === 1 ? 'decided' : 'not decided', mark: 'strong' as const },
                { text: '.' },
              ],
              test: 'Exact sign-flip test on the rows that both have, p = 0.06.',
            }))
          : [],
        flips:
          state === 'baseline'
            ? lanes.map(({ laneId }) => said(`${laneId} is 9 points better than before.`))
            : [],
        warnings: isEnded
          ? [
              {
                warning: { kind: 'identical', laneId: 'a', rowIds: ['r0', 'r1'], replies: REPEATS },
                severity: 'warning',
                sentence: said(
                  'hermes-text: all 10 replies are identical in 2 rows (temperature 0); repeats show nothing there.',
                ),
              },
              {
                warning: { kind: 'seed', laneIds: ['a', 'b', 'c'], seed: 7 },
                severity: 'warning',
                sentence: said('Seed 7 is set in 3 lanes, so repeats may not differ.'),
              },
              {
                warning: { kind: 'cache', laneId: 'c', samples: 4, header: 'cf-aig-cache-status: HIT' },
                severity: 'info',
                sentence: [
                  { text: 'gpt-4o-mini: 4 replies came from a cache (' },
                  { text: 'cf-aig-cache-status: HIT', mark: 'code' },
                  { text: ') and are no new samples.' },
                ],
              },
            ]
          : [],
        rows: {
          all: rows,
          failing: kept('failing'),
          flaky: kept('flaky'),
          'lanes-disagree': kept('lanes-disagree'),
          'no-verdict': 0,
          fixed: kept('fixed'),
          broken: 0,
        },
        isOutdated: false,
        gateChance: 'With these rates this gate is green in 17 % of runs.',
        newestFailures: [
          {
            rowId: 'r7',
            laneId: 'a',
            repeat: 7,
            message: '1 of 2 expected calls is missing: get_weather {"city":"Paris"}.',
          },
          { rowId: 'r2', laneId: 'a', repeat: 4, message: 'unit is "Celsius"; expected "celsius".' },
        ],
      },
    }),
    lanes: LANES,
    gates: { case: 0.9, lane: 0.95 },
    referenceId: 'a',
    variables: ['city', 'unit'],
    rows: Array.from({ length: Math.min(rows, 1000) }, (_each, row) => ({
      id: `r${row}`,
      name: rowName(row),
    })),
    rowCount: rows,
    ...(state === 'baseline' && {
      baseline: { id: 'e0', startedAt: 1_763_900_000_000, passed: 450, planned: samples },
    }),
    stored: [
      ...(state === 'before'
        ? []
        : [{ id: 'e1', startedAt: 1_764_267_000_000, passed: 0, planned: samples }]),
      { id: 'e0', startedAt: 1_763_900_000_000, passed: 450, planned: samples },
    ],
  };
}

/** Indices of the rows that a filter keeps. */
function rowsOf(filter: ShownRows, rows: number, state: Script['state']): number[] {
  return Array.from({ length: rows }, (_each, row) => row).filter((row) => {
    const cases = LANES.map((_lane, lane) => caseOf(row, lane, state));
    if (filter === 'failing') return cases.some(({ gate }) => gate === 'lost');
    if (filter === 'flaky') return cases.some(({ isFlaky }) => isFlaky);
    if (filter === 'fixed' || filter === 'broken') return cases.some(({ flip }) => flip === filter);
    if (filter === 'no-verdict') return false;
    return filter === 'all' || new Set(cases.map(({ gate }) => gate)).size > 1;
  });
}

export function scriptRows(
  { rows = 20, state = 'done' }: Script,
  { filter, from, count }: { filter: ShownRows; from: number; count: number },
): EvaluationRowsView {
  const kept = rowsOf(filter, rows, state);
  return {
    total: kept.length,
    rows: kept.slice(from, from + count).map((row) => ({
      id: `r${row}`,
      name: rowName(row),
      expects: `get_weather {"city":"${rowName(row)}","unit":"celsius"}`,
      cells: LANES.map((_lane, lane) => caseOf(row, lane, state)),
    })),
  };
}

const indexOf = (id: string): number => LANES.findIndex((lane) => lane.id === id);

function samplesOf({ rowId, laneId }: { rowId: string; laneId: string }): JudgedSample[] {
  const row = Number(rowId.slice(1));
  const failed = REPEATS - passedOf(indexOf(laneId), row);
  return Array.from({ length: REPEATS }, (_each, index) => ({
    rowId,
    laneId,
    repeat: index + 1,
    verdict: index < failed ? ('failed' as const) : ('passed' as const),
    outcome: laneId === 'a' ? ('rescued' as const) : ('native' as const),
    timeMs: 1000 + index * 100,
    ...(index > 0 && { promptTokens: 60, completionTokens: 8 + index }),
    ...(index < failed && { message: 'unit is "Celsius"; expected "celsius".' }),
  }));
}

export function scriptCase(place: { rowId: string; laneId: string }): EvaluationCaseView {
  const row = Number(place.rowId.slice(1));
  return {
    rowName: rowName(row),
    summary: caseOf(row, indexOf(place.laneId), 'done'),
    gates: { case: 0.9, lane: 0.95 },
    variables: [
      { name: 'city', value: '"Oslo"' },
      { name: 'unit', value: '"celsius"' },
    ],
    samples: samplesOf(place),
    calls: [
      { count: 6, calls: 'get_weather {"city":"Oslo","unit":"celsius"}' },
      { count: 2, calls: 'get_weather {"city":"Oslo","unit":"Celsius"}' },
      { count: 2, calls: '' },
    ],
  };
}

/** @param entries The run of the sample, if there is one. */
export function scriptSample(
  place: { rowId: string; laneId: string; repeat: number },
  entries: readonly RunEntry[] = [],
): EvaluationSampleView {
  const sample = samplesOf(place)[place.repeat - 1];
  if (!sample) throw new Error(`no sample ${place.repeat}`);
  const isFailed = sample.verdict === 'failed';
  return {
    sample,
    entries,
    counterpart: isFailed ? REPEATS : 1,
    expectations: [
      {
        index: 0,
        name: 'asks for the right call',
        verdict: isFailed ? 'failed' : 'passed',
        message: isFailed
          ? 'unit is "Celsius"; expected "celsius".'
          : 'get_weather {"city":"Oslo","unit":"celsius"}.',
        details: isFailed ? ['get_weather {"city":"Oslo","unit":"Celsius"}: wrong arguments'] : [],
        expected: 'get_weather {"city":"Oslo","unit":"celsius"}',
        actual: `get_weather {"city":"Oslo","unit":"${isFailed ? 'Celsius' : 'celsius'}"}`,
        ...(isFailed && { accept: { path: ['calls', 0, 'arguments', 'unit'], value: 'Celsius' } }),
      },
      {
        index: 1,
        name: 'stays short',
        verdict: 'no-verdict',
        message: 'The server reported no tokens, so `completionTokens` has no verdict.',
        details: [],
        expected: 'at most 300 completion tokens',
        actual: 'no tokens',
      },
      {
        index: 2,
        name: 'in time',
        verdict: 'passed',
        message: '3.9 s; at most 20 s.',
        details: [],
        expected: 'at most 20 s',
        actual: '3.9 s',
      },
    ],
  };
}
