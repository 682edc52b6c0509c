// Counts the samples of one case, which is a row in a lane. Pure; knows no other case.
import type { CaseSummary, GateState, JudgedSample, OutcomeCounts, SampleCounts } from '../../types';
import { wilsonInterval } from '../statistics/intervals';
import type { Trials } from '../statistics/intervals';
import { agreementOf } from '../statistics/repeats';
import { passesRequired } from '../statistics/sample-size';
import { toFigures } from './case-figures';
import type { CaseFigures } from './case-figures';

export interface CountedCase {
  summary: CaseSummary;
  /** The samples that ran, in the order of their repeats. */
  ran: readonly JudgedSample[];
  figures: CaseFigures;
}

export interface CaseSetting {
  rowId: string;
  laneId: string;
  /** Number of samples. */
  planned: number;
  /** Least share of judged samples that must pass. Absent without expectations. */
  gate: number | undefined;
  /** The same case in the baseline. */
  before?: CountedCase | undefined;
}

/** The samples of a case. They are counted again only after one was added. */
export class CaseTally {
  readonly #setting: CaseSetting;
  /** At the index of its repeat; the rest are holes. */
  readonly #samples: JudgedSample[] = [];
  #counted: { isEnded: boolean; result: CountedCase } | undefined;

  constructor(setting: CaseSetting) {
    this.#setting = setting;
  }

  /** A sample with the repeat of an earlier one replaces that: it was sent again because it had no verdict. */
  add(sample: JudgedSample): void {
    this.#samples[sample.repeat] = sample;
    this.#counted = undefined;
  }

  count(isEnded: boolean): CountedCase {
    if (this.#counted?.isEnded !== isEnded)
      this.#counted = { isEnded, result: countCase(this.#setting, this.#samples, isEnded) };
    return this.#counted.result;
  }
}

function countCase(setting: CaseSetting, samples: readonly JudgedSample[], isEnded: boolean): CountedCase {
  const { rowId, laneId, gate: share, before } = setting;
  // Leaves out the holes, too.
  const ran = samples.filter(({ verdict }) => verdict !== 'not-run');
  const { passed, count: judged } = trialsOf(ran);
  const planned = Math.max(setting.planned, samples.length - 1);
  const summary: CaseSummary = {
    rowId,
    laneId,
    planned,
    passed,
    failed: judged - passed,
    noVerdict: ran.length - judged,
    notRun: planned - ran.length,
    outcomes: countOutcomes(ran),
    gate: 'open',
    isFlaky: passed > 0 && passed < judged,
  };
  const agreement = agreementOf(groupSizes(ran));
  if (agreement) summary.agreement = agreement;
  if (before) summary.before = { passed: before.summary.passed, failed: before.summary.failed };
  if (share !== undefined) {
    summary.gate = judgeCase(summary, share, isEnded);
    if (judged > 0) summary.interval = wilsonInterval(passed / judged, judged);
    const flip = before && flipOf(summary.gate, before.summary.gate);
    if (flip) summary.flip = flip;
  }
  return { summary, ran, figures: toFigures(ran) };
}

/** The judged ones among the samples. */
export function trialsOf(samples: readonly JudgedSample[]): Trials {
  let [passed, count] = [0, 0];
  for (const { verdict } of samples) {
    if (verdict === 'passed') passed += 1;
    if (verdict === 'passed' || verdict === 'failed') count += 1;
  }
  return { passed, count };
}

/** Numbers of samples that may still get a verdict. A sample without one may be sent again. */
export const openSamples = ({ noVerdict, notRun }: SampleCounts, isEnded: boolean): number =>
  isEnded ? 0 : noVerdict + notRun;

function judgeCase(counts: SampleCounts, share: number, isEnded: boolean): GateState {
  const open = openSamples(counts, isEnded);
  const judged = counts.passed + counts.failed + open;
  if (judged === 0) return 'open';
  if (counts.passed + open < passesRequired(share, judged)) return 'lost';
  return open === 0 ? 'met' : 'open';
}

function flipOf(now: GateState, before: GateState): CaseSummary['flip'] {
  if (now === 'met' && before === 'lost') return 'fixed';
  return now === 'lost' && before === 'met' ? 'broken' : undefined;
}

export const noOutcomes = (): OutcomeCounts => ({
  native: 0,
  rescued: 0,
  malformed: 0,
  none: 0,
  answer: 0,
  noVerdict: 0,
});

function countOutcomes(ran: readonly JudgedSample[]): OutcomeCounts {
  const outcomes = noOutcomes();
  for (const { outcome = 'noVerdict' } of ran) outcomes[outcome] += 1;
  return outcomes;
}

/** Sizes of the groups of replies that called the same. */
function groupSizes(ran: readonly JudgedSample[]): number[] {
  const sizes = new Map<string, number>();
  for (const { calls, outcome } of ran)
    if (calls !== undefined && outcome !== undefined) sizes.set(calls, (sizes.get(calls) ?? 0) + 1);
  return [...sizes.values()];
}
