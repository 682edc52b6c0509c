// Compares lanes with a reference lane, and each with itself in a baseline. Pure.
import type { JudgedSample, LaneComparison, LaneFlips } from '../../types';
import { adjustByHolm, fisherTest, signFlipTest, toDifferences } from '../statistics/exact-tests';
import { differenceInterval, meanOf } from '../statistics/intervals';
import type { Trials } from '../statistics/intervals';
import { rowsThatDecide, samplesToTell } from '../statistics/sample-size';
import { trialsOf } from './count-case';
import type { CountedCase } from './count-case';
import type { CountedLane } from './lane-tally';

/** Five rows can never decide: the least p is 2 of 2^5 ways. */
const MIN_ROWS = 6;
const DECIDED = 0.05;

/** Compares each lane but the reference lane with that. */
export function compareLanes(lanes: readonly CountedLane[], referenceId: string): LaneComparison[] {
  const reference = lanes.find(({ summary }) => summary.laneId === referenceId);
  if (!reference) return [];
  const others = lanes.filter((lane) => lane !== reference);
  return adjust(others.map((lane) => compareTwo(lane, reference, pairByRepeat)));
}

/** Compares each lane with itself in a baseline. */
export const compareWithBaseline = (
  lanes: readonly { now: CountedLane; before: CountedLane }[],
): LaneComparison[] => adjust(lanes.map(({ now, before }) => compareTwo(now, before, pairAll)));

/** Judged samples of two cases that are compared. */
interface Pair {
  one: Trials;
  other: Trials;
}
type Pairing = (one: CountedCase, other: CountedCase) => Pair;

const pairAll: Pairing = (one, other) => ({ one: trialsOf(one.ran), other: trialsOf(other.ran) });

/** After a stop one lane may have more repeats of a row than the other: only those that both have are compared. */
const pairByRepeat: Pairing = (one, other) => ({
  one: trialsOf(samplesAlsoIn(one.ran, other.ran)),
  other: trialsOf(samplesAlsoIn(other.ran, one.ran)),
});

function samplesAlsoIn(samples: readonly JudgedSample[], others: readonly JudgedSample[]): JudgedSample[] {
  const repeats = new Set(others.map(({ repeat }) => repeat));
  return samples.filter(({ repeat }) => repeats.has(repeat));
}

/** A comparison before p is adjusted, with the differences of its rows. */
interface RawComparison {
  comparison: Omit<LaneComparison, 'isDecided'>;
  pairs: readonly Pair[];
}

function compareTwo(lane: CountedLane, other: CountedLane, pairing: Pairing): RawComparison {
  const ids = { laneId: lane.summary.laneId, otherId: other.summary.laneId };
  const isOneRow = lane.cases.length === 1;
  // The samples of one row are independent of those in the other lane, so all of them count.
  const pairUp = isOneRow ? pairAll : pairing;
  const pairs = lane.cases.flatMap((one, row) => {
    const beside = other.cases[row];
    const pair = beside && pairUp(one, beside);
    return pair && pair.one.count > 0 && pair.other.count > 0 ? [pair] : [];
  });
  const first = pairs[0];
  if (!first) return { comparison: { ...ids, rows: 0 }, pairs };
  const comparison = { ...ids, rows: pairs.length, difference: meanOf(pairs.map(differenceOf)) };
  if (isOneRow) {
    const { one, other: beside } = first;
    const [interval, rawP] = [differenceInterval(one, beside), fisherTest(one, beside)];
    return { comparison: { ...comparison, interval, test: 'fisher', rawP }, pairs };
  }
  const isPart = lane.summary.notRun + other.summary.notRun > 0;
  if (pairs.length < (isPart ? MIN_ROWS : 2)) return { comparison, pairs };
  const rawP = signFlipTest(toDifferences(pairs));
  return { comparison: { ...comparison, test: 'sign-flip', rawP }, pairs };
}

const rateOf = ({ passed, count }: Trials): number => passed / count;
const differenceOf = ({ one, other }: Pair): number => rateOf(one) - rateOf(other);

function adjust(all: readonly RawComparison[]): LaneComparison[] {
  const adjusted = adjustByHolm(
    all.flatMap(({ comparison: { rawP } }) => (rawP === undefined ? [] : [rawP])),
  );
  return all.map(({ comparison, pairs }) => {
    if (comparison.rawP === undefined) return { ...comparison, isDecided: false };
    const p = adjusted.shift() ?? 1;
    const isDecided = p < DECIDED;
    return { ...comparison, p, isDecided, ...(!isDecided && neededOf(comparison, pairs)) };
  });
}

/** What would decide. The formulas are approximations, so they may name a number that was there and did not decide. */
function neededOf(
  { test, difference = 0, rows }: RawComparison['comparison'],
  pairs: readonly Pair[],
): Pick<LaneComparison, 'neededRows' | 'neededSamples'> {
  const [first] = pairs;
  if (!first || Math.abs(difference) < 1e-9) return {};
  if (test === 'sign-flip')
    return { neededRows: Math.max(MIN_ROWS, rows + 1, rowsThatDecide(pairs.map(differenceOf))) };
  const { one, other } = first;
  const there = Math.min(one.count, other.count);
  return { neededSamples: Math.max(there + 1, samplesToTell(rateOf(one), rateOf(other))) };
}

/** What changed in a lane since a baseline, row by row. */
export function findFlips({ summary: { laneId }, cases }: CountedLane, baseline: CountedLane): LaneFlips {
  const pairs = cases.map(({ summary }, row) => ({ summary, before: baseline.cases[row]?.summary.gate }));
  const rowsWith = (flip: 'fixed' | 'broken'): string[] =>
    pairs.filter(({ summary }) => summary.flip === flip).map(({ summary }) => summary.rowId);
  const countBoth = (state: 'met' | 'lost'): number =>
    pairs.filter(({ summary, before }) => summary.gate === state && before === state).length;
  return {
    laneId,
    rateBefore: baseline.summary.rate,
    bothPass: countBoth('met'),
    fixed: rowsWith('fixed'),
    broken: rowsWith('broken'),
    bothFail: countBoth('lost'),
    lostVerdict: pairs
      .filter(
        ({ summary: { passed, failed, noVerdict }, before }) =>
          passed + failed === 0 && noVerdict > 0 && before !== undefined && before !== 'open',
      )
      .map(({ summary }) => summary.rowId),
  };
}
