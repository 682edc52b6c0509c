// Summarizes the cases of one lane: rate, gate, times, tokens and cost. Pure; knows no other lane.
import type {
  EvaluationLane,
  GateState,
  Gates,
  Interval,
  LaneSummary,
  OutcomeCounts,
  SampleCounts,
} from '../../types';
import { clusteredInterval, meanOf } from '../statistics/intervals';
import { chanceThatAllPass, chanceThatOnePasses } from '../statistics/repeats';
import type { CaseFigures, KnownSum } from './case-figures';
import { noOutcomes, openSamples } from './count-case';
import type { CountedCase } from './count-case';

/** With fewer rows the interval of their mean says nothing; only the cases have intervals. */
const MIN_ROWS = 5;

const OUTCOMES = Object.keys(noOutcomes()) as (keyof OutcomeCounts)[];

export function summarizeLane(
  cases: readonly CountedCase[],
  setting: { lane: EvaluationLane; repeat: number; gates: Gates | undefined; isEnded: boolean },
): LaneSummary {
  const counts = addCounts(cases.map(({ summary }) => summary));
  const outcomes = noOutcomes();
  const validArguments = { valid: 0, of: 0 };
  const tokens: KnownSum = { total: 0, samples: 0 };
  const costUsd: KnownSum = { total: 0, samples: 0 };
  let lostCases = 0;
  for (const { summary, figures } of cases) {
    for (const outcome of OUTCOMES) outcomes[outcome] += summary.outcomes[outcome];
    validArguments.valid += figures.validArguments.valid;
    validArguments.of += figures.validArguments.of;
    tokens.total += figures.tokens.total;
    tokens.samples += figures.tokens.samples;
    costUsd.total += figures.costUsd.total;
    costUsd.samples += figures.costUsd.samples;
    if (summary.gate === 'lost') lostCases += 1;
  }
  return {
    laneId: setting.lane.id,
    ...counts,
    outcomes,
    passPower: [],
    lostCases,
    ...(setting.gates && ratesOf(cases, counts, { ...setting, gates: setting.gates })),
    validArguments,
    ...timesOf(cases),
    ...(tokens.samples > 0 && { tokens }),
    ...(costUsd.samples > 0 && { costUsd }),
  };
}

export function addCounts(all: readonly SampleCounts[]): SampleCounts {
  const sum: SampleCounts = { planned: 0, passed: 0, failed: 0, noVerdict: 0, notRun: 0 };
  for (const { planned, passed, failed, noVerdict, notRun } of all) {
    sum.planned += planned;
    sum.passed += passed;
    sum.failed += failed;
    sum.noVerdict += noVerdict;
    sum.notRun += notRun;
  }
  return sum;
}

function ratesOf(
  cases: readonly CountedCase[],
  counts: SampleCounts,
  { repeat, gates, isEnded }: { repeat: number; gates: Gates; isEnded: boolean },
): Pick<LaneSummary, 'passPower'> & Partial<Pick<LaneSummary, 'rate' | 'interval' | 'bounds' | 'gate'>> {
  const gate = gates.lane === undefined ? undefined : judgeLane(cases, gates.lane, isEnded);
  const trials = cases
    .map(({ summary: { passed, failed } }) => ({ passed, count: passed + failed }))
    .filter(({ count }) => count > 0);
  const rates = trials.map(({ passed, count }) => passed / count);
  const isOver = openSamples(counts, isEnded) === 0;
  const powers = [...new Set([3, 5, repeat])].filter((k) => isOver && k > 1).toSorted((a, b) => a - b);
  return {
    ...(rates.length > 0 && { rate: meanOf(rates) }),
    ...(rates.length >= MIN_ROWS && { interval: clusteredInterval(rates, counts.passed + counts.failed) }),
    ...(counts.noVerdict > 0 && { bounds: boundsOf(cases) }),
    passPower: powers.flatMap((k) => {
      const enough = trials.filter(({ count }) => count >= k);
      if (enough.length === 0) return [];
      const all = meanOf(enough.map((one) => chanceThatAllPass(one, k) ?? 0));
      const one = meanOf(enough.map((some) => chanceThatOnePasses(some, k) ?? 0));
      return [{ k, all, one, rows: enough.length }];
    }),
    ...(gate && { gate }),
  };
}

/** The mean of the rates if all samples without a verdict had failed, and if all had passed. */
function boundsOf(cases: readonly CountedCase[]): Interval {
  const ran = cases
    .map(({ summary: { passed, failed, noVerdict } }) => ({
      passed,
      noVerdict,
      all: passed + failed + noVerdict,
    }))
    .filter(({ all }) => all > 0);
  return {
    low: meanOf(ran.map(({ passed, all }) => passed / all)),
    high: meanOf(ran.map(({ passed, noVerdict, all }) => (passed + noVerdict) / all)),
  };
}

/** Like the gate of a case, on the mean of the best rates that the cases can still reach. */
function judgeLane(cases: readonly CountedCase[], share: number, isEnded: boolean): GateState {
  let open = 0;
  const best = cases.flatMap(({ summary }) => {
    const more = openSamples(summary, isEnded);
    open += more;
    const judged = summary.passed + summary.failed + more;
    return judged === 0 ? [] : [(summary.passed + more) / judged];
  });
  if (best.length === 0) return 'open';
  // A mean of rounded rates may miss the share that it is equal to.
  if (meanOf(best) < share - 1e-9) return 'lost';
  return open === 0 ? 'met' : 'open';
}

/** The first time is apart, because it may include loading the model. */
function timesOf(cases: readonly CountedCase[]): Pick<LaneSummary, 'medianMs' | 'p90Ms' | 'firstMs'> {
  // Samples run by repeat, then by row.
  let first: CaseFigures | undefined;
  let count = 0;
  for (const { figures } of cases) {
    count += figures.timesMs.length;
    if (figures.firstTimed < (first?.firstTimed ?? Number.POSITIVE_INFINITY)) first = figures;
  }
  const firstMs = first?.timesMs[0];
  if (firstMs === undefined) return {};
  if (count === 1) return { firstMs };
  const times = new Float64Array(count - 1);
  let at = 0;
  for (const { figures } of cases) {
    const others = figures === first ? figures.timesMs.slice(1) : figures.timesMs;
    times.set(others, at);
    at += others.length;
  }
  times.sort();
  const middle = (times.length - 1) / 2;
  const medianMs = ((times[Math.floor(middle)] ?? 0) + (times[Math.ceil(middle)] ?? 0)) / 2;
  return { firstMs, medianMs, p90Ms: times[Math.ceil(times.length * 0.9) - 1] };
}
