// The samples of one lane: its cases, its summary and its warnings. Pure; knows no other lane.
import type {
  CaseSummary,
  EvaluationLane,
  EvaluationRow,
  EvaluationWarning,
  Gates,
  JudgedSample,
  LaneSummary,
} from '../../types';
import { CaseTally } from './count-case';
import type { CountedCase } from './count-case';
import { findLaneWarnings } from './find-warnings';
import { summarizeLane } from './summarize-lane';

export interface CountedLane {
  summary: LaneSummary;
  /** One a row, in the order of the rows. */
  cases: readonly CountedCase[];
  warnings: readonly EvaluationWarning[];
}

export interface LaneSetting {
  lane: EvaluationLane;
  rows: readonly EvaluationRow[];
  /** Number of samples of a row that has no number of its own. */
  repeat: number;
  /** Absent without expectations. */
  gates: Gates | undefined;
  /** The same lane in the baseline. */
  baseline?: CountedLane | undefined;
}

export class LaneTally {
  readonly #setting: LaneSetting;
  readonly #cases: ReadonlyMap<string, CaseTally>;
  #last: { isEnded: boolean; counted: CountedLane } | undefined;

  constructor(setting: LaneSetting) {
    this.#setting = setting;
    const { lane, rows, repeat, gates, baseline } = setting;
    this.#cases = new Map(
      rows.map((row, index) => {
        const planned = row.repeat ?? repeat;
        const before = baseline?.cases[index];
        return [
          row.id,
          new CaseTally({ rowId: row.id, laneId: lane.id, planned, gate: gates?.case, before }),
        ];
      }),
    );
  }

  /** A sample of an unknown row is ignored. */
  add(sample: JudgedSample): void {
    this.#cases.get(sample.rowId)?.add(sample);
    this.#last = undefined;
  }

  case(rowId: string, isEnded: boolean): CaseSummary | undefined {
    return this.#cases.get(rowId)?.count(isEnded).summary;
  }

  count(isEnded: boolean): CountedLane {
    if (this.#last?.isEnded !== isEnded) this.#last = { isEnded, counted: this.#count(isEnded) };
    return this.#last.counted;
  }

  #count(isEnded: boolean): CountedLane {
    const { lane, gates } = this.#setting;
    const cases = [...this.#cases.values()].map((one) => one.count(isEnded));
    const summary = summarizeLane(cases, { ...this.#setting, isEnded });
    return {
      summary,
      cases,
      warnings: findLaneWarnings(lane, cases, summary, { hasExpectations: gates !== undefined }),
    };
  }
}
