// Summarizes an evaluation from its samples, at its end or while they still arrive. Pure.
import type {
  CaseSummary,
  EvaluationLane,
  EvaluationRow,
  EvaluationSummary,
  GateState,
  Gates,
  JudgedSample,
  LaneFlips,
} from '../../types';
import { compareLanes, compareWithBaseline, findFlips } from './compare-lanes';
import { openSamples } from './count-case';
import { findSeeds, findUncommonRows, findWide } from './find-warnings';
import { findDepartures } from './lane-departures';
import { LaneTally } from './lane-tally';
import type { CountedLane } from './lane-tally';
import { addCounts } from './summarize-lane';

/** What an evaluation is made of, by which its samples are counted. */
export interface EvaluationPlan {
  rows: readonly EvaluationRow[];
  lanes: readonly EvaluationLane[];
  /** Number of samples of each case that has no number of its own. */
  repeat: number;
  /** Absent when no expectation says what a good reply is: then there are counts, but no rates. */
  gates?: Gates | undefined;
  /** Whether the rows are the turns of one conversation, in their order. */
  areTurns?: boolean | undefined;
  /** The lane that the others are compared with. Default: the first one. */
  referenceId?: string | undefined;
  /** Samples of an earlier evaluation; those of other rows and lanes are ignored. */
  baseline?: Iterable<JudgedSample> | undefined;
}

type Place = Pick<JudgedSample, 'rowId' | 'laneId'>;

/** How to summarize. */
export interface SummaryOptions {
  /** No further sample comes, because all ran or the evaluation was stopped. */
  isEnded: boolean;
}

/**
 * The samples of an evaluation that may still be running. Adding a sample takes the same time however many there are; a summary
 * counts anew only the cases and lanes that got samples since the last one.
 */
export class EvaluationTally {
  readonly #plan: EvaluationPlan;
  readonly #lanes: ReadonlyMap<string, LaneTally>;
  readonly #baseline: ReadonlyMap<string, CountedLane> | undefined;
  /** Kept, as lanes of many rows take long to compare. */
  #last: { isEnded: boolean; summary: EvaluationSummary } | undefined;

  constructor(plan: EvaluationPlan) {
    this.#plan = plan;
    this.#baseline = plan.baseline && countBaseline(plan, plan.baseline);
    const { rows, repeat, gates } = plan;
    this.#lanes = new Map(
      plan.lanes.map((lane) => {
        const baseline = this.#baseline?.get(lane.id);
        return [lane.id, new LaneTally({ lane, rows, repeat, gates, baseline })];
      }),
    );
  }

  /** Samples of unknown rows and lanes are ignored. One with the key of an earlier one replaces that. */
  add(sample: JudgedSample): void {
    this.#lanes.get(sample.laneId)?.add(sample);
    this.#last = undefined;
  }

  /** Undefined for an unknown row or lane. */
  case({ rowId, laneId }: Place, { isEnded }: SummaryOptions): CaseSummary | undefined {
    return this.#lanes.get(laneId)?.case(rowId, isEnded);
  }

  summary(options: SummaryOptions): EvaluationSummary {
    const { isEnded } = options;
    if (this.#last?.isEnded !== isEnded) this.#last = { isEnded, summary: this.#summarize(options) };
    return this.#last.summary;
  }

  #summarize(options: SummaryOptions): EvaluationSummary {
    const { rows, lanes: settings, repeat, gates, areTurns, referenceId = settings[0]?.id } = this.#plan;
    const lanes = [...this.#lanes.values()].map((lane) => lane.count(options.isEnded));
    const counts = addCounts(lanes.map(({ summary }) => summary));
    const isEnded = openSamples(counts, options.isEnded) === 0;
    const mostRepeats = rows.reduce((most, row) => Math.max(most, row.repeat ?? repeat), 0);
    return {
      ...counts,
      hasExpectations: gates !== undefined,
      isEnded,
      ...(gates && { gate: combineGates(lanes) }),
      lanes: lanes.map(({ summary }) => summary),
      cases: rows.flatMap((_, row) => lanes.flatMap(({ cases }) => cases[row]?.summary ?? [])),
      comparisons: gates && isEnded && referenceId !== undefined ? compareLanes(lanes, referenceId) : [],
      ...(gates && this.#baseline && { flips: this.#flips(lanes, isEnded) }),
      ...(gates && areTurns && { departures: lanes.flatMap((lane) => findDepartures(lane, rows) ?? []) }),
      warnings: [
        ...lanes.flatMap(({ warnings }) => warnings),
        ...findSeeds(settings, mostRepeats),
        ...(gates && isEnded
          ? [...findUncommonRows(lanes.map(({ cases }) => cases)), ...findWide(lanes)]
          : []),
      ],
    };
  }

  #flips(lanes: readonly CountedLane[], isEnded: boolean): LaneFlips[] {
    const pairs = lanes.flatMap((now) => {
      const before = this.#baseline?.get(now.summary.laneId);
      return before ? [{ now, before }] : [];
    });
    const comparisons = isEnded ? compareWithBaseline(pairs) : [];
    return pairs.map(({ now, before }, index) => {
      const comparison = comparisons[index];
      return { ...findFlips(now, before), ...(comparison && { comparison }) };
    });
  }
}

/** The summary of an evaluation whose samples are all there. */
export function summarizeEvaluation(
  plan: EvaluationPlan,
  samples: Iterable<JudgedSample>,
  options: SummaryOptions,
): EvaluationSummary {
  const tally = new EvaluationTally(plan);
  for (const sample of samples) tally.add(sample);
  return tally.summary(options);
}

/** Nothing is planned of a baseline, so its cases have as many samples as they have. */
function countBaseline(
  { rows, lanes, gates }: EvaluationPlan,
  samples: Iterable<JudgedSample>,
): ReadonlyMap<string, CountedLane> {
  const plan = { rows: rows.map(({ id }) => ({ id })), repeat: 0, gates };
  const tallies = new Map(lanes.map((lane) => [lane.id, new LaneTally({ ...plan, lane })]));
  for (const sample of samples) tallies.get(sample.laneId)?.add(sample);
  return new Map([...tallies].map(([laneId, tally]) => [laneId, tally.count(true)]));
}

function combineGates(lanes: readonly CountedLane[]): GateState {
  const has = (state: GateState): boolean =>
    lanes.some(
      ({ summary, cases }) => summary.gate === state || cases.some((one) => one.summary.gate === state),
    );
  if (has('lost')) return 'lost';
  return has('open') ? 'open' : 'met';
}
