// Which samples an evaluation has still to run, in which order, and which evaluation they belong to. Pure.
import type { CaseSummary, JudgedSample } from '../../types';
import type { DataRow } from '../rows/data-row';
import type { EvaluationBook } from './evaluation-book';
import { isOutdatedBy } from './evaluation-book';
import type { SampleEntry } from './sample-entry';
import type { EvaluationSetting, LaneSetting, PlannedSample } from './setting';
import { caseOf, sampleKey } from './setting';

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
  /** Whether a start has to be confirmed. @default whether it sends much, or its cost is high or not known */
  needsConfirmation?: boolean | undefined;
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

/**
 * Whether a sample is not sent again: it was judged, or another attempt would end in the same way.
 * @param timeoutMs The time limit of a sample as it is now; undefined for none
 */
export function isJudged({ outcome }: SampleEntry, timeoutMs: number | undefined): boolean {
  if (!('reason' in outcome)) return true;
  const { reason, limitMs } = outcome;
  if (reason === 'time' && limitMs !== undefined) return timeoutMs !== undefined && timeoutMs <= limitMs;
  return reason !== 'infrastructure' && reason !== 'setup';
}

export function planSamples(source: PlanSource): PlannedSamples {
  const { cases, kept, isNew, more } = planCases(source);
  const there = new Set(kept.map(({ key }) => key));
  const mostRepeats = cases.reduce((most, { repeats }) => Math.max(most, repeats), 0);
  const todo: PlannedSample[] = [];
  for (let repeat = 1; repeat <= mostRepeats; repeat++)
    for (const { caseKey, row, lane, repeats } of cases) {
      const key = sampleKey(caseKey, repeat);
      if (repeat <= repeats && !there.has(key)) todo.push({ key, row, lane, repeat, requeued: 0 });
    }
  return { todo, kept, isNew, more };
}

export interface PlannedCounts extends Pick<PlannedSamples, 'kept'> {
  /** Number of samples that `planSamples` would give, by lane id; those with none are absent. */
  todo: ReadonlyMap<string, number>;
  /** Of all cases, with those that are there. */
  samples: number;
  /** Repeats of every case beyond what its row has. */
  addedRepeats: number;
}

/** Like `planSamples`, without listing 100,000 samples. */
export function countPlanned(source: PlanSource): PlannedCounts {
  const { cases, kept, more } = planCases(source);
  const there = new Map<string, SampleEntry[]>();
  for (const entry of kept) {
    const id = caseOf(entry.rowId, entry.laneId);
    const known = there.get(id);
    if (known) known.push(entry);
    else there.set(id, [entry]);
  }
  const todo = new Map<string, number>();
  for (const { row, lane, repeats } of cases) {
    const { id: laneId } = lane.config;
    const done = (there.get(caseOf(row.id, laneId)) ?? []).filter(({ repeat }) => repeat <= repeats);
    if (repeats > done.length) todo.set(laneId, (todo.get(laneId) ?? 0) + repeats - done.length);
  }
  const samples = cases.reduce((sum, { repeats }) => sum + repeats, 0);
  return { todo, kept, samples, addedRepeats: more[''] ?? 0 };
}

function planCases({
  setting,
  keys,
  book,
  options,
}: PlanSource): Pick<PlannedSamples, 'kept' | 'isNew' | 'more'> & { cases: WantedCase[] } {
  const entries = options.isAnew || !book ? [] : [...book.entries()];
  const isSame = entries.length === 0 || !book?.isOutdated(keys);
  const isNew = !isSame || entries.length === 0;
  const kept = entries.filter(
    (entry) => isJudged(entry, setting.evaluate.timeoutMs) && (isSame || !isOutdatedBy(keys, entry)),
  );
  const more = toMore(setting, isNew || !book ? {} : book.head.more, book, options);
  return { cases: wantedCases(setting, keys, more, options), kept, isNew, more };
}

interface WantedCase extends Pick<PlannedSample, 'row' | 'lane'> {
  caseKey: string;
  /** Number of its samples that are wanted. */
  repeats: number;
}

/** Row by row. */
function wantedCases(
  setting: EvaluationSetting,
  keys: ReadonlyMap<string, string>,
  more: Readonly<Record<string, number>>,
  { isWanted = () => true, repeats: most = Number.POSITIVE_INFINITY }: StartOptions,
): WantedCase[] {
  return setting.rows.flatMap((row) =>
    setting.lanes.flatMap((lane): WantedCase[] => {
      const { id: laneId } = lane.config;
      if (!isWanted(row.id, laneId)) return [];
      const id = caseOf(row.id, laneId);
      const repeats = setting.repeatsOf(row) + (more[''] ?? 0) + (more[id] ?? 0);
      return [{ caseKey: keys.get(id) ?? '', row, lane, repeats: Math.min(most, repeats) }];
    }),
  );
}

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
