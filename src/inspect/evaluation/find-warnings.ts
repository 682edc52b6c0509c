// Finds reasons to trust the numbers of an evaluation less than they look. Pure.
import type { EvaluationLane, EvaluationWarning, LaneSummary } from '../../types';
import { effectiveSamples, meanOf } from '../statistics/intervals';
import { samplesToKnow } from '../statistics/sample-size';
import type { CountedCase } from './count-case';

/** Larger shares of samples that were sent again, or have no verdict, are worth a warning. */
const MAX_SHARE = 0.05;
/** A reply that equals an earlier one and took a smaller part of the median time probably comes from a cache. */
const CACHE_TIME = 0.1;
/** A rate that is known to 10 points in each direction is worth comparing with others. */
const WANTED_REACH = 0.1;

/** Warnings about one lane alone. @param hasExpectations Whether anything is expected in any lane. */
export function findLaneWarnings(
  lane: EvaluationLane,
  cases: readonly CountedCase[],
  { medianMs = 0, planned, notRun, noVerdict }: LaneSummary,
  { hasExpectations }: { hasExpectations: boolean },
): EvaluationWarning[] {
  const laneId = lane.id;
  const models = new Set<string>();
  let [requeued, cached, likely, withoutExpectation] = [0, 0, 0, 0];
  let header: string | undefined;
  for (const { figures } of cases) {
    for (const model of figures.models) models.add(model);
    requeued += figures.requeued;
    withoutExpectation += figures.withoutExpectation;
    cached += figures.cached;
    header ??= figures.cacheHeader;
    for (const timeMs of figures.repeatedMs) if (timeMs === 0 || timeMs < CACHE_TIME * medianMs) likely += 1;
  }
  const of = planned - notRun;
  return [
    ...findIdentical(lane, cases),
    ...(cached > 0 ? [{ kind: 'cache' as const, laneId, samples: cached, header }] : []),
    ...(likely > 0 ? [{ kind: 'cache' as const, laneId, samples: likely }] : []),
    ...(models.size > 1 ? [{ kind: 'model' as const, laneId, models: [...models] }] : []),
    ...(requeued > MAX_SHARE * of ? [{ kind: 'requeued' as const, laneId, samples: requeued, of }] : []),
    ...(hasExpectations && withoutExpectation > 0
      ? [{ kind: 'no-expectation' as const, laneId, samples: withoutExpectation, of }]
      : []),
    ...(noVerdict > MAX_SHARE * of ? [{ kind: 'no-verdict' as const, laneId, samples: noVerdict, of }] : []),
  ];
}

/** Equal replies are no accident only where the sampling is meant to be repeatable. */
function findIdentical(
  { id, temperature, seed }: EvaluationLane,
  cases: readonly CountedCase[],
): EvaluationWarning[] {
  if (temperature !== 0 && seed === undefined) return [];
  const same = cases.filter(({ figures }) => figures.replies > 1 && figures.differentReplies === 1);
  if (same.length === 0) return [];
  const counts = new Set(same.map(({ figures }) => figures.replies));
  const rowIds = same.map(({ summary }) => summary.rowId);
  return [{ kind: 'identical', laneId: id, rowIds, replies: counts.size === 1 ? [...counts][0] : undefined }];
}

/** Lanes with a seed that every repeat has. */
export function findSeeds(lanes: readonly EvaluationLane[], mostRepeats: number): EvaluationWarning[] {
  if (mostRepeats < 2) return [];
  const seeds = new Set(lanes.flatMap(({ seed }) => seed ?? []));
  return [...seeds].map((seed) => {
    const same = lanes.filter((lane) => lane.seed === seed);
    return { kind: 'seed', seed, laneIds: same.map(({ id }) => id) };
  });
}

/** Lanes whose interval is wider than it should be, and with how many rows it would not be. Without an interval there is none. */
export function findWide(
  lanes: readonly { summary: LaneSummary; cases: readonly CountedCase[] }[],
): EvaluationWarning[] {
  const wide = lanes.flatMap(({ summary: { laneId, interval, passed, failed }, cases }) => {
    const reach = interval ? (interval.high - interval.low) / 2 : 0;
    if (reach <= WANTED_REACH) return [];
    const judged = cases.filter(isJudged);
    const rates = judged.map(({ summary }) => summary.passed / (summary.passed + summary.failed));
    const wanted = samplesToKnow(meanOf(rates), WANTED_REACH);
    const neededRows = Math.ceil((judged.length * wanted) / effectiveSamples(rates, passed + failed));
    return [{ laneId, reach, rows: judged.length, neededRows }];
  });
  if (wide.length === 0) return [];
  return [
    {
      kind: 'wide',
      lanes: wide.map(({ laneId, reach }) => ({ laneId, reach })),
      rows: Math.max(...wide.map(({ rows }) => rows)),
      neededRows: Math.max(...wide.map(({ neededRows }) => neededRows)),
    },
  ];
}

/** @param lanes Cases of each lane, one a row, in the same order */
export function findUncommonRows(lanes: readonly (readonly CountedCase[])[]): EvaluationWarning[] {
  const judged = (lanes[0] ?? []).map((_, row) => lanes.filter((cases) => isJudged(cases[row])).length);
  const common = judged.filter((count) => count === lanes.length).length;
  const some = judged.filter((count) => count > 0).length;
  return common < some ? [{ kind: 'rows', common, of: judged.length }] : [];
}

const isJudged = (one: CountedCase | undefined): boolean =>
  one !== undefined && one.summary.passed + one.summary.failed > 0;
