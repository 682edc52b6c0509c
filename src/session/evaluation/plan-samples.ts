// Which samples an evaluation has still to run, in which order, and which evaluation they belong to. Pure.
import type { CaseSummary, JudgedSample } from '../../types';
import type { DataRow } from '../rows/data-row';
import type { EvaluationBook } from './evaluation-book';
import { caseOf } from './evaluation-book';
import type { SampleEntry } from './sample-entry';
import type { EvaluationSetting, LaneSetting, PlannedSample } from './setting';
import { sampleKey } from './setting';

export interface StartOptions {
  /** `failing`: new samples of the cases that failed, beside their old ones. @default all */
  scope?: 'all' | 'failing' | undefined;
  /** So many more repeats of every case. */
  more?: number | undefined;
  /** Only these cases; the others keep what they have. @default all */
  isWanted?: ((rowId: string, laneId: string) => boolean) | undefined;
  /** Only samples up to this repeat. */
  repeats?: number | undefined;
  /** Called for each sample when it has ended. */
  onJudged?: ((sample: JudgedSample) => void) | undefined;
  /** As a new evaluation, in which nothing counts that is stored. */
  isAnew?: boolean | undefined;
}

export interface PlanSource {
  setting: EvaluationSetting;
  /** Keys of the cases. */
  keys: ReadonlyMap<string, string>;
  /** The evaluation that is shown. */
  book: EvaluationBook | undefined;
  options: StartOptions;
}

export interface PlannedSamples {
  /** Repeat by repeat over rows and lanes. */
  todo: PlannedSample[];
  /** Those that are there already. */
  kept: SampleEntry[];
  /** The document sends something else than in the evaluation that is shown, or it begins anew. */
  isNew: boolean;
  /** Of the evaluation. */
  more: Readonly<Record<string, number>>;
}

/** Whether a sample is not sent again: it was judged, or another attempt would end in the same way. */
export const isJudged = ({ outcome }: SampleEntry): boolean =>
  !('reason' in outcome) || (outcome.reason !== 'infrastructure' && outcome.reason !== 'setup');

export function planSamples({ setting, keys, book, options }: PlanSource): PlannedSamples {
  const isSame = ({ key, rowId, laneId, repeat }: SampleEntry): boolean => {
    const caseKey = keys.get(caseOf(rowId, laneId));
    return caseKey !== undefined && sampleKey(caseKey, repeat) === key;
  };
  const entries = options.isAnew || !book ? [] : [...book.entries()];
  const same = entries.filter(isSame);
  const isNew = !book || options.isAnew === true || same.length < entries.length || entries.length === 0;
  const kept = same.filter(isJudged);
  const more = toMore(setting, isNew ? {} : book.head.more, book, options);
  const there = new Set(kept.map(({ key }) => key));
  const todo: PlannedSample[] = [];
  const planned = Math.max(0, ...setting.rows.map((row) => setting.repeatsOf(row))) + mostOf(more);
  const mostRepeats = Math.min(planned, options.repeats ?? planned);
  const { isWanted = () => true } = options;
  for (let repeat = 1; repeat <= mostRepeats; repeat++)
    for (const sample of samplesOf(setting, keys, more, repeat))
      if (!there.has(sample.key) && isWanted(sample.row.id, sample.lane.config.id)) todo.push(sample);
  return { todo, kept, isNew, more };
}

/** The samples with this repeat of all cases that have so many. */
function* samplesOf(
  setting: EvaluationSetting,
  keys: ReadonlyMap<string, string>,
  more: Readonly<Record<string, number>>,
  repeat: number,
): Generator<PlannedSample> {
  for (const row of setting.rows) {
    const least = setting.repeatsOf(row) + (more[''] ?? 0);
    for (const lane of setting.lanes) {
      const id = caseOf(row.id, lane.config.id);
      if (repeat > least + (more[id] ?? 0)) continue;
      yield { key: sampleKey(keys.get(id) ?? '', repeat), row, lane, repeat, requeued: 0 };
    }
  }
}

const mostOf = (more: Readonly<Record<string, number>>): number =>
  (more[''] ?? 0) + Math.max(0, ...Object.entries(more).map(([key, count]) => (key === '' ? 0 : count)));

function toMore(
  setting: EvaluationSetting,
  before: Readonly<Record<string, number>>,
  book: EvaluationBook | undefined,
  { scope, more = 0 }: StartOptions,
): Record<string, number> {
  const all: Record<string, number> = { ...before, ...(more > 0 && { '': (before[''] ?? 0) + more }) };
  if (scope !== 'failing' || !book) return all;
  const failing = new Set<string>();
  for (const { verdict, rowId, laneId } of book.judged())
    if (verdict === 'failed') failing.add(caseOf(rowId, laneId));
  for (const row of setting.rows)
    for (const { config } of setting.lanes) {
      const id = caseOf(row.id, config.id);
      if (failing.has(id)) all[id] = (all[id] ?? 0) + setting.repeatsOf(row);
    }
  return all;
}

/** All cases before the first evaluation. */
export function casesBefore(setting: EvaluationSetting): CaseSummary[] {
  return setting.rows.flatMap((row) => setting.lanes.map((lane) => caseBefore(setting, row, lane)));
}

export function caseBefore(setting: EvaluationSetting, row: DataRow, { config }: LaneSetting): CaseSummary {
  const planned = setting.repeatsOf(row);
  const outcomes = { native: 0, rescued: 0, malformed: 0, none: 0, answer: 0, noVerdict: 0 };
  const counts = { planned, passed: 0, failed: 0, noVerdict: 0, notRun: planned };
  return { rowId: row.id, laneId: config.id, ...counts, outcomes, gate: 'open', isFlaky: false };
}
