// What a front end is shown of evaluations: the snapshot, and the rows, cases and samples that it asks for. Changes nothing.
import { t } from '@vscode/l10n';
import {
  chanceOfGate,
  cutShort,
  describeComparison,
  describeDepartures,
  describeFlips,
  describeGateChance,
  describeTest,
  describeWarning,
  hasSamples,
  printCall,
  printPattern,
  ROW_FILTERS,
  toLabel,
} from '../../inspect';
import type { ExportedEvaluation } from '../../inspect';
import type {
  EvaluationCaseView,
  EvaluationPlan,
  EvaluationProgress,
  EvaluationResult,
  EvaluationRowsView,
  EvaluationRowView,
  EvaluationSampleView,
  EvaluationSnapshot,
  RequestParams,
  ShownRows,
  StoredEvaluation,
} from '../../protocol';
import { SHOWN_ROWS } from '../../protocol';
import type {
  CaseSummary,
  EvaluationSummary,
  Expectation,
  Gates,
  JudgedExpectation,
  JudgedSample,
} from '../../types';
import { toEntry as toLaneEntry } from '../conversation/transcript';
import { refuse } from '../refusal';
import type { TextPair } from '../run/record/compare-runs';
import type { DataRow } from '../rows/data-row';
import type { Baseline, EvaluationBook } from './evaluation-book';
import { isOutdatedBy } from './evaluation-book';
import { toExpectation } from './change-expectations';
import type { EvaluationHead } from './evaluation-head';
import { exportEvaluation } from './export-evaluation';
import { caseBefore, casesBefore } from './plan-samples';
import type { ReadSetting } from './read-setting';
import type { SampleEntry } from './sample-entry';
import type { EvaluationSetting } from './setting';
import { caseOf } from './setting';
import { toWholeProgress } from './whole-progress';

/** Number of rows for the chooser of the chat. */
const MAX_ROWS = 1_000;
const MAX_VARIABLES = 100;
const MAX_VALUE = 200;
const MAX_EXPECTS = 200;
const MAX_UNDER_WAY = 100;
const MAX_FAILURES = 20;

export interface ViewState {
  read: ReadSetting;
  plan: EvaluationPlan | undefined;
  keys: ReadonlyMap<string, string>;
  book: EvaluationBook | undefined;
  baseline: Baseline | undefined;
  progress: EvaluationProgress | undefined;
  /** The latest first. */
  stored: readonly StoredEvaluation[];
  referenceId: string;
  chosenRowId: string | undefined;
  gates: Gates;
}

interface Place {
  rowId: string;
  laneId: string;
}
type SamplePlace = Place & { repeat: number };

export class EvaluationViews {
  readonly #state: () => ViewState;

  constructor({ state }: { state: () => ViewState }) {
    this.#state = state;
  }

  snapshot(): Omit<EvaluationSnapshot, 'version'> {
    const { read, plan, progress, book, baseline, stored, referenceId, chosenRowId, gates } = this.#state();
    const { setting, rows, problems } = read;
    const result = book && this.#result(book);
    return {
      problems,
      ...(plan && { plan }),
      ...(progress && { progress: toWholeProgress(progress, result?.summary, MAX_UNDER_WAY) }),
      ...(result && { result }),
      lanes: setting?.lanes.map((lane) => setting.describeLane(lane)) ?? [],
      gates,
      referenceId,
      variables: variablesOf(rows),
      // A row that picks its messages is a turn of the conversation, which the chat shows as a whole.
      rows: rows
        .filter(({ messages }) => !messages)
        .slice(0, MAX_ROWS)
        .map(({ id, name = id }) => ({ id, name })),
      rowCount: rows.length,
      ...(chosenRowId !== undefined && { chosenRowId }),
      ...(baseline && { baseline: stored.find(({ id }) => id === baseline.head.id) }),
      stored,
    };
  }

  #result(book: EvaluationBook): EvaluationResult | undefined {
    const { read, keys, progress, gates } = this.#state();
    const { setting } = read;
    const whole = this.#summary(book);
    if (!whole || !setting) return undefined;
    const { cases, warnings, comparisons, departures = [], ...summary } = whole;
    const { head, spent } = book;
    const lanes = setting.lanes.map((lane) => setting.describeLane(lane));
    const stopped = progress ? undefined : toStopped(head, summary.notRun);
    return {
      id: head.id,
      startedAt: head.startedAt,
      durationMs: head.durationMs,
      ...(stopped && { stopped }),
      requests: spent.requests,
      tokens: spent.tokens,
      costUsd: spent.costUsd,
      summary,
      comparisons: comparisons.map((comparison) => ({
        comparison,
        sentence: describeComparison(comparison, lanes),
        test: describeTest(comparison, comparisons.length),
      })),
      departures: departures.map((one) => describeDepartures(one, lanes)),
      flips: (summary.flips ?? []).map((flips) => describeFlips(flips, lanes)),
      warnings: warnings.map((warning) => ({ warning, ...describeWarning(warning, lanes) })),
      rows: countRows(toCaseRows(cases, setting.lanes.length)),
      isOutdated: book.isOutdated(keys),
      gateChance: gateChance(cases, gates),
      newestFailures: book.newestFailures
        .slice(0, MAX_FAILURES)
        .map(({ rowId, laneId, repeat, message = '' }) => ({ rowId, laneId, repeat, message })),
    };
  }

  #summary(book: EvaluationBook): EvaluationSummary | undefined {
    return book.summary(this.#isEnded(book));
  }

  #isEnded(book: EvaluationBook): boolean {
    return this.#state().progress === undefined && book.head.isEnded;
  }

  rows({ filter, part, from, count, find }: RequestParams<'evaluation/rows'>): EvaluationRowsView {
    const { book, progress } = this.#state();
    const setting = this.#setting();
    const cases = (book && this.#summary(book)?.cases) ?? casesBefore(setting);
    const kept = toCaseRows(cases, setting.lanes.length)
      .map((cells, index) => ({ cells, row: setting.rows[index] }))
      .filter(({ cells }) => filter === 'all' || ROW_FILTERS[filter](cells))
      .filter(({ cells }) => part === undefined || hasSamples(cells, part));
    const underWay = new Map<string, number>();
    for (const { rowId, laneId } of progress?.underWay ?? []) {
      const id = caseOf(rowId, laneId);
      underWay.set(id, (underWay.get(id) ?? 0) + 1);
    }
    const shown = kept.slice(from, from + count).flatMap(({ row, cells }): EvaluationRowView[] =>
      row
        ? [
            {
              id: row.id,
              name: row.name ?? row.id,
              expects: describeExpected(setting.fill(row).expectations),
              cells: cells.map((cell) => ({
                ...cell,
                underWay: underWay.get(caseOf(cell.rowId, cell.laneId)) ?? 0,
              })),
            },
          ]
        : [],
    );
    const found = find === undefined ? -1 : kept.findIndex(({ row }) => row?.id === find);
    return { total: kept.length, rows: shown, ...(found >= 0 && { found }) };
  }

  case({ rowId, laneId }: Place): EvaluationCaseView {
    const { book, gates } = this.#state();
    const setting = this.#setting();
    const row = setting.row(rowId);
    const lane = setting.lanes.find(({ config }) => config.id === laneId);
    if (!row || !lane) throw gone();
    const summary = book?.case({ rowId, laneId }, this.#isEnded(book)) ?? caseBefore(setting, row, lane);
    const samples = book?.ofCase(rowId, laneId, summary.planned) ?? [];
    return {
      rowName: row.name ?? row.id,
      summary,
      gates,
      variables: Object.entries(row.variables)
        .slice(0, MAX_VARIABLES)
        .map(([name, value]) => ({ name, value: cutShort(JSON.stringify(value), MAX_VALUE) })),
      samples: samples.toSorted((one, other) => rankOf(one) - rankOf(other)),
      calls: countCalls(samples),
    };
  }

  /** Whether the document would send something else now than it did in a case. */
  isOutdated({ rowId, laneId }: Place): boolean {
    const { book, keys } = this.#state();
    const repeats = book?.repeatsOf(rowId, laneId, this.#setting()) ?? 0;
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const entry = book?.find(rowId, laneId, repeat);
      if (entry) return isOutdatedBy(keys, entry);
    }
    return false;
  }

  /** What is under way; at most 100 samples. */
  get underWay(): EvaluationProgress['underWay'] {
    return this.#state().progress?.underWay.slice(0, MAX_UNDER_WAY) ?? [];
  }

  /** What each expectation of a sample came to. @throws RefusalError */
  async expectations(place: SamplePlace): Promise<readonly JudgedExpectation[]> {
    const { book, entry } = this.#find(place);
    return book.expectationsOf(entry);
  }

  /** An expectation, as JSON, that the reply of a sample meets. @throws RefusalError */
  async expectationText(place: SamplePlace): Promise<string> {
    const { book, entry } = this.#find(place);
    const { outcome } = await book.whole(entry);
    if (!('facts' in outcome)) throw refuse(t('The sample has no reply.'), t('Choose another one.'));
    const setting = this.#setting();
    const filling = setting.evaluate.rows !== undefined && (setting.row(place.rowId)?.variables ?? {});
    return JSON.stringify(toExpectation(outcome.facts, { what: 'reply' }, filling), null, 2);
  }

  #find({ rowId, laneId, repeat }: SamplePlace): { book: EvaluationBook; entry: SampleEntry } {
    const { book } = this.#state();
    const entry = book?.find(rowId, laneId, repeat);
    if (!book || !entry) throw gone();
    return { book, entry };
  }

  /** What an expectation of a sample came to. @param index In the list that the sample is judged by. */
  async judged(place: SamplePlace, index: number): Promise<JudgedExpectation> {
    const judged = (await this.expectations(place)).find((each) => each.index === index);
    if (judged) return judged;
    throw gone();
  }

  /** What came of a sample beside what came of the first one with the other verdict. @param index Of the expectation */
  async besideOther(place: SamplePlace, index: number): Promise<TextPair> {
    const { counterpart } = await this.sample(place);
    if (counterpart === undefined)
      throw refuse(t('No sample of this row passed in this lane.'), t('Open the failing sample instead.'));
    const [one, other] = await Promise.all(
      [counterpart, place.repeat].map((repeat) => this.judged({ ...place, repeat }, index)),
    );
    return {
      title: t('{0}: sample {1} ↔ sample {2}', this.#nameOf(place), counterpart, place.repeat),
      left: { name: `sample-${counterpart}.txt`, text: one?.actual ?? '' },
      right: { name: `sample-${place.repeat}.txt`, text: other?.actual ?? '' },
    };
  }

  #nameOf({ rowId }: Place): string {
    return toLabel(this.#setting().row(rowId)?.name ?? rowId);
  }

  /** What an expectation wants of a sample, and what came. @param index Of the expectation */
  async texts(place: SamplePlace, index: number): Promise<TextPair> {
    const judged = await this.judged(place, index);
    return {
      title: t('{0}, sample {1}: expected ↔ received', this.#nameOf(place), place.repeat),
      left: { name: 'expected.txt', text: judged.expected },
      right: { name: 'received.txt', text: judged.actual },
    };
  }

  /** @param title Of the playground. @throws RefusalError */
  exported(title: string): ExportedEvaluation {
    const { book, baseline, referenceId, progress } = this.#state();
    const summary = book && this.#summary(book);
    if (!book || !summary) throw refuse(t('There is no evaluation to export.'), t('Evaluate first.'));
    const stopped = progress ? undefined : toStopped(book.head, summary.notRun)?.text;
    const setting = this.#setting();
    return exportEvaluation({ title, book, setting, summary, baseline, referenceId, stopped });
  }

  async sample({ rowId, laneId, repeat }: SamplePlace): Promise<EvaluationSampleView> {
    const { book, entry } = this.#find({ rowId, laneId, repeat });
    const samples = book.ofCase(rowId, laneId, book.repeatsOf(rowId, laneId, this.#setting()));
    const sample = samples.find((each) => each.repeat === repeat);
    if (!sample) throw gone();
    const other = sample.verdict === 'failed' ? 'passed' : 'failed';
    const counterpart = samples.find(({ verdict }) => verdict === other)?.repeat;
    return {
      sample,
      entries: (await book.stored.conversation(entry)).map(toLaneEntry),
      expectations: await book.expectationsOf(entry),
      ...this.#ownExpect(rowId),
      ...(counterpart !== undefined && { counterpart }),
    };
  }

  #ownExpect(rowId: string): Pick<EvaluationSampleView, 'ownExpect'> {
    const { rows } = this.#state().read;
    const index = rows.findIndex(({ id }) => id === rowId);
    const row = rows[index];
    if (!row?.expect?.length) return {};
    const isInFile = typeof this.#setting().evaluate.rows === 'string';
    return {
      ownExpect: isInFile ? { line: row.line } : { path: ['evaluate', 'rows', index, '$expect'] },
    };
  }

  #setting(): EvaluationSetting {
    const { setting, problems } = this.#state().read;
    if (setting) return setting;
    throw refuse(problems[0]?.message ?? t('The evaluation is not read yet.'), t('Correct it.'));
  }
}

/** What the rates of the cases say of the gate: it is chance, too. */
function gateChance(cases: readonly CaseSummary[], gates: Gates): string | undefined {
  const judged = cases.filter(({ passed, failed }) => passed + failed > 0);
  if (judged.length === 0) return undefined;
  const rates = judged.map(({ passed, failed, planned }) => ({
    rate: passed / (passed + failed),
    count: planned,
  }));
  return describeGateChance(chanceOfGate(rates, gates.case));
}

const gone = () => refuse(t('The evaluation no longer has this sample.'), t('Choose another one.'));

function toStopped({ early, isEnded }: EvaluationHead, notRun: number): EvaluationResult['stopped'] {
  if (early) return early;
  return isEnded || notRun === 0
    ? undefined
    : { reason: 'crash', text: t('its window ended while it was under way') };
}

/** The cases of each row, in the order of the lanes. */
function toCaseRows(cases: readonly CaseSummary[], lanes: number): CaseSummary[][] {
  const rows: CaseSummary[][] = [];
  for (let at = 0; at < cases.length; at += Math.max(1, lanes)) rows.push(cases.slice(at, at + lanes));
  return rows;
}

function countRows(rows: readonly CaseSummary[][]): Record<ShownRows, number> {
  const entries = SHOWN_ROWS.map((filter) => {
    const kept = filter === 'all' ? rows : rows.filter((cells) => ROW_FILTERS[filter](cells));
    return [filter, kept.length] as const;
  });
  return Object.fromEntries(entries) as Record<ShownRows, number>;
}

function variablesOf(rows: readonly DataRow[]): string[] {
  const names = new Set<string>();
  for (const { variables } of rows) {
    for (const name of Object.keys(variables)) names.add(name);
    if (names.size >= MAX_VARIABLES) break;
  }
  return [...names].slice(0, MAX_VARIABLES);
}

const RANKS = { failed: 0, 'no-verdict': 1, passed: 2, 'not-run': 3 } as const;
const rankOf = ({ verdict }: JudgedSample): number => RANKS[verdict];

function countCalls(samples: readonly JudgedSample[]): EvaluationCaseView['calls'] {
  const counts = new Map<string, number>();
  for (const { calls } of samples) if (calls !== undefined) counts.set(calls, (counts.get(calls) ?? 0) + 1);
  return [...counts]
    .map(([calls, count]) => ({ count, calls }))
    .toSorted((one, other) => other.count - one.count);
}

/** What is expected, short: by its name, else by its calls and its text. */
function describeExpected(expectations: readonly Expectation[]): string {
  const all = expectations.flatMap(({ name, calls, text }) => {
    if (name !== undefined) return [name];
    const called = calls?.length === 0 ? [t('no call')] : (calls ?? []).map(printCall);
    return [...called, ...(text === undefined ? [] : [t('text: {0}', printPattern(text))])];
  });
  return cutShort(all.join(', '), MAX_EXPECTS);
}
