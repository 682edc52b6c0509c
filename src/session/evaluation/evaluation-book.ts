// The samples of one evaluation, judged by what is expected now, and what is counted of them. Sends nothing.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { EvaluationTally } from '../../inspect';
import type { CaseSummary, EvaluationSummary, JudgedSample } from '../../types';
import type { JudgedEntry, RowJudge } from './judge-entry';
import { judgeEntry, toJudgedSample } from './judge-entry';
import { toOutcome } from './sample-facts';
import type { EvaluationHead } from './evaluation-head';
import type { StoredSamples } from './evaluation-store';
import type { SampleEntry } from './sample-entry';
import type { EvaluationSetting } from './setting';
import { caseOf, sampleKey } from './setting';
import { Spending } from './spending';
import type { JudgedCase } from './stored-verdicts';
import { findVerdicts, toStoredVerdicts } from './stored-verdicts';

interface BookSample {
  entry: SampleEntry;
  judged: JudgedSample;
}

/** Number of samples that are judged in one turn of the event loop. */
const SLICE = 250;
const MAX_FAILURES = 20;

export interface TallyOptions {
  referenceId: string | undefined;
  baseline: Iterable<JudgedSample> | undefined;
}

/** An evaluation that another one is compared with. */
export interface Baseline {
  head: EvaluationHead;
  samples: readonly JudgedSample[];
}

export class EvaluationBook {
  head: EvaluationHead;
  readonly stored: StoredSamples;
  readonly spent = new Spending();
  readonly #samples = new Map<string, BookSample>();
  #setting: EvaluationSetting | undefined;
  #tally: EvaluationTally | undefined;
  #failures: JudgedSample[] = [];
  /** Increases with each judging, so that an older one that still runs ends. */
  #turn = 0;
  /** As they are stored. */
  readonly #verdicts: unknown;
  /** Whether all samples have the verdict that the setting gives them. */
  #isJudged = false;
  /** Keys of cases of which all samples are. */
  #matched: ReadonlyMap<string, string> | undefined;
  /** Whether a sample has another verdict than the one that is stored. */
  #isChanged = false;

  static async open(head: EvaluationHead, stored: StoredSamples): Promise<EvaluationBook> {
    return new EvaluationBook(head, stored, await stored.readVerdicts());
  }

  private constructor(head: EvaluationHead, stored: StoredSamples, verdicts: unknown) {
    this.head = head;
    this.stored = stored;
    this.#verdicts = verdicts;
    for (const entry of stored.read()) {
      this.#set(entry);
      if ('facts' in entry.outcome) this.spent.addStored(entry.outcome.facts.spent);
    }
  }

  get size(): number {
    return this.#samples.size;
  }

  *entries(): Generator<SampleEntry> {
    for (const { entry } of this.#samples.values()) yield entry;
  }

  *judged(): Generator<JudgedSample> {
    for (const { judged } of this.#samples.values()) yield judged;
  }

  find(rowId: string, laneId: string, repeat: number): SampleEntry | undefined {
    return this.#samples.get(placeOf({ rowId, laneId, repeat }))?.entry;
  }

  /** The judged samples of a case, in the order of their repeats. */
  ofCase(rowId: string, laneId: string, repeats: number): JudgedSample[] {
    return Array.from({ length: repeats }, (_each, index) => {
      const place = { rowId, laneId, repeat: index + 1 };
      return this.#samples.get(placeOf(place))?.judged ?? { ...place, verdict: 'not-run' as const };
    });
  }

  /** The newest first. */
  get newestFailures(): readonly JudgedSample[] {
    return this.#failures.toReversed();
  }

  /** Number of samples of a case in this evaluation. */
  repeatsOf(rowId: string, laneId: string, setting: EvaluationSetting): number {
    const row = setting.row(rowId);
    const { more } = this.head;
    return (row ? setting.repeatsOf(row) : 0) + (more[''] ?? 0) + (more[caseOf(rowId, laneId)] ?? 0);
  }

  /** Adds a sample of an earlier evaluation, which is neither sent nor stored again. */
  take(entry: SampleEntry): void {
    this.#set(entry);
    this.stored.take(entry);
  }

  /**
   * Adds a sample that has just ended, and judges it.
   * @param whole With all its facts.
   * @param entry The same as it is kept.
   */
  add(whole: SampleEntry, entry: SampleEntry): JudgedSample | undefined {
    this.#set(entry);
    const judge = this.#judgeOf(entry);
    const known = this.#samples.get(placeOf(entry));
    if (!judge || !known) return undefined;
    known.judged = toJudgedSample(entry, judgeEntry(whole, judge).judged);
    this.#isChanged = true;
    this.#tally?.add(known.judged);
    this.#noteFailure(known.judged);
    return known.judged;
  }

  /** Judges one sample, with everything that is said of it. */
  async expectationsOf(entry: SampleEntry): Promise<JudgedEntry['expectations']> {
    const judge = this.#judgeOf(entry);
    return judge ? judgeEntry(await this.whole(entry), judge).expectations : [];
  }

  /** Judges all samples by this setting. @returns whether no later judging has begun meanwhile */
  async judge(setting: EvaluationSetting, options: TallyOptions): Promise<boolean> {
    const turn = ++this.#turn;
    this.#setting = setting;
    this.#isJudged = false;
    const tally = new EvaluationTally({
      rows: setting.rows.map(({ id, name, repeat }) => ({
        id,
        ...(name !== undefined && { name }),
        repeat: (repeat ?? setting.evaluate.repeat) + (this.head.more[''] ?? 0),
      })),
      lanes: setting.lanes.map((lane) => setting.describeLane(lane)),
      repeat: setting.evaluate.repeat,
      gates: setting.gates,
      areTurns: setting.rows.some(({ messages }) => messages),
      ...options,
    });
    for (const sample of this.#placeholders(setting)) tally.add(sample);
    let sinceTurn = 0;
    for (const { judgeKey, samples } of this.#cases(setting)) {
      if (turn !== this.#turn) return false;
      const entries = samples.map(({ entry }) => entry);
      const known = findVerdicts(this.#verdicts, judgeKey, entries);
      if (!known) await this.#judgeCase(samples, turn);
      for (const [index, sample] of samples.entries())
        if (known?.[index]) sample.judged = toJudgedSample(sample.entry, known[index]);
      sinceTurn += samples.length;
      if (sinceTurn < SLICE) continue;
      sinceTurn = 0;
      await nextTurn();
    }
    if (turn !== this.#turn) return false;
    // Samples that ended meanwhile were judged when they did.
    for (const { judged } of this.#samples.values()) tally.add(judged);
    this.#tally = tally;
    this.#isJudged = true;
    this.#findFailures();
    return true;
  }

  async #judgeCase(samples: readonly BookSample[], turn: number): Promise<void> {
    this.#isChanged = true;
    const [first] = samples;
    const judge = first && this.#judgeOf(first.entry);
    if (!judge) return;
    for (const sample of samples) {
      const { entry } = sample;
      const whole = entry.isCut ? await this.whole(entry) : entry;
      if (turn !== this.#turn) return;
      sample.judged = toJudgedSample(entry, judgeEntry(whole, judge).judged);
    }
  }

  /** The cases of a setting that have samples, with those that they have now. */
  *#cases(setting: EvaluationSetting): Generator<JudgedCase & { samples: readonly BookSample[] }> {
    const cases = new Map<string, BookSample[]>();
    for (const sample of this.#samples.values()) {
      const id = caseOf(sample.entry.rowId, sample.entry.laneId);
      const samples = cases.get(id);
      if (samples) samples.push(sample);
      else cases.set(id, [sample]);
    }
    for (const row of setting.rows)
      for (const { config } of setting.lanes) {
        const samples = cases.get(caseOf(row.id, config.id));
        if (samples) yield { judgeKey: setting.judgeKey(row), samples };
      }
  }

  /** Stores the verdicts, so that the evaluation opens without judging what is expected then as it is now. */
  storeVerdicts(): void {
    if (!this.#setting || !this.#isJudged || !this.#isChanged) return;
    this.#isChanged = false;
    this.stored.storeVerdicts(toStoredVerdicts(this.#cases(this.#setting)));
  }

  async close(): Promise<void> {
    this.storeVerdicts();
    await this.stored.close();
  }

  /** Of one case. Undefined before the first judging, and for an unknown row or lane. */
  case(place: Pick<SampleEntry, 'rowId' | 'laneId'>, isEnded: boolean): CaseSummary | undefined {
    return this.#tally?.case(place, { isEnded });
  }

  /** Undefined before the first judging. */
  summary(isEnded: boolean): EvaluationSummary | undefined {
    return this.#tally?.summary({ isEnded });
  }

  /** The largest repeat of each case that was given more samples than its row has; those that ran replace it. */
  *#placeholders(setting: EvaluationSetting): Generator<JudgedSample> {
    for (const key of Object.keys(this.head.more)) {
      const [rowId, laneId] = key.split('\n');
      if (rowId === undefined || laneId === undefined) continue;
      const repeat = this.repeatsOf(rowId, laneId, setting);
      yield { rowId, laneId, repeat, verdict: 'not-run' };
    }
  }

  /** Whether something else was sent for a sample than these keys of cases say. */
  isOutdated(keys: ReadonlyMap<string, string>): boolean {
    if (this.#matched === keys) return false;
    for (const { entry } of this.#samples.values()) if (isOutdatedBy(keys, entry)) return true;
    this.#matched = keys;
    return false;
  }

  #set(entry: SampleEntry): void {
    if (this.#matched && isOutdatedBy(this.#matched, entry)) this.#matched = undefined;
    const judged = { rowId: entry.rowId, laneId: entry.laneId, repeat: entry.repeat, verdict: 'not-run' };
    this.#samples.set(placeOf(entry), { entry, judged: judged as JudgedSample });
  }

  #judgeOf({ rowId }: SampleEntry): RowJudge | undefined {
    const setting = this.#setting;
    const row = setting?.row(rowId);
    if (!setting || !row) return undefined;
    const { expectations, tools } = setting.fill(row);
    return { row, filled: { expectations, tools }, timeoutMs: setting.evaluate.timeoutMs };
  }

  /** With the facts of its runs, if those of the entry were too long to be kept; without any if the runs are gone. */
  async whole(entry: SampleEntry): Promise<SampleEntry> {
    if (!entry.isCut) return entry;
    const items = await this.stored.conversation(entry);
    const runs = items.flatMap((item) => (item.kind === 'run' ? [item] : []));
    const records = runs.flatMap(({ record }) => (record?.turn || record?.words ? [record] : []));
    const outcome = records.length === runs.length ? toOutcome(records, runs.at(-1)?.ending) : undefined;
    return { ...entry, outcome: outcome ?? { reason: 'not-reported', message: lostText() } };
  }

  #noteFailure(judged: JudgedSample): void {
    if (judged.verdict !== 'failed') return;
    this.#failures.push(judged);
    if (this.#failures.length > MAX_FAILURES) this.#failures.shift();
  }

  #findFailures(): void {
    const failed = [...this.#samples.values()].filter(({ judged }) => judged.verdict === 'failed');
    this.#failures = failed
      .toSorted((one, other) => one.entry.at - other.entry.at)
      .slice(-MAX_FAILURES)
      .map(({ judged }) => judged);
  }
}

const lostText = (): string =>
  t('Its reply was too long to be kept with the evaluation, and is no longer in the history. Evaluate anew.');

const placeOf = ({ rowId, laneId, repeat }: Pick<SampleEntry, 'rowId' | 'laneId' | 'repeat'>): string =>
  `${caseOf(rowId, laneId)}\n${repeat}`;

/** @param keys Of the cases. */
export function isOutdatedBy(
  keys: ReadonlyMap<string, string>,
  { key, rowId, laneId, repeat }: SampleEntry,
): boolean {
  const caseKey = keys.get(caseOf(rowId, laneId));
  return caseKey === undefined || sampleKey(caseKey, repeat) !== key;
}
