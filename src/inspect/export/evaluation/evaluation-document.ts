// Arranges an evaluation as a document: lanes, who is better, what changed, warnings, and the cases that fail. Bounded: the
// export as CSV has every case. Pure.
import { t } from '@vscode/l10n';
import type { Billing, CaseSummary, LaneFlips, LaneSummary, OutcomeCounts, Sentence } from '../../../types';
import { countOf } from '../../count-words';
import { describeComparison, describeFlips, describeWarning } from '../../evaluation/describe-evaluation';
import { describeDepartures } from '../../evaluation/lane-departures';
import { fillSentence } from '../../evaluation/sentence';
import { toLabel, toVisible } from '../../visible-text';
import type { Cell, ExportDocument, ExportPart, ExportSection } from '../export-document';
import { footOf } from '../export-document';
import type { ExportInfo } from '../exported-run';
import type { CaseMessages, MessageGroup } from './case-messages';
import { groupMessages } from './case-messages';
import type { ExportedEvaluation, ExportedLane } from './exported-evaluation';
import {
  describeCase,
  describeCost,
  describeGate,
  describeGates,
  describePower,
  describeRate,
  describeTimes,
  describeTokens,
  formatInterval,
  formatLong,
  formatShare,
  NONE,
} from './rate-words';

const MAX_CASES = 100;
const MAX_MESSAGES = 5;
const MAX_NAMES = 30;
const MAX_LABEL = 60;
const MAX_MESSAGE = 300;

export function toDocument(evaluation: ExportedEvaluation, info: ExportInfo): ExportDocument {
  const report = new Report(evaluation);
  return {
    title: t('Evaluation of {0}', toLabel(evaluation.title)),
    head: [{ kind: 'facts', rows: report.facts() }],
    sections: [
      { title: t('Result'), parts: report.result() },
      ...report.cases(t('Failing cases'), ({ gate }) => gate === 'lost'),
      ...report.cases(
        t('Cases without a verdict'),
        ({ passed, failed, noVerdict }) => passed + failed === 0 && noVerdict > 0,
      ),
      { title: t('Settings'), parts: [report.settings()] },
    ],
    foot: footOf(info),
  };
}

/** Lanes with the same label are told apart by their ids. */
function nameLanes(lanes: readonly ExportedLane[]): ExportedLane[] {
  const isUnique = (label: string): boolean => lanes.filter((lane) => lane.label === label).length === 1;
  return lanes.map((lane) => ({
    ...lane,
    label: toLabel(isUnique(lane.label) ? lane.label : `${lane.id}: ${lane.label}`, MAX_LABEL),
  }));
}

class Report {
  readonly #evaluation: ExportedEvaluation;
  readonly #lanes: readonly ExportedLane[];
  readonly #labels: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #messages: CaseMessages;

  constructor(evaluation: ExportedEvaluation) {
    this.#evaluation = evaluation;
    this.#lanes = nameLanes(evaluation.lanes);
    this.#labels = new Map(this.#lanes.map(({ id, label }) => [id, label]));
    this.#names = new Map(evaluation.rows.map(({ id, name = id }) => [id, toLabel(name, MAX_LABEL)]));
    this.#messages = groupMessages(evaluation.samples);
  }

  facts(): [string, string][] {
    const { summary, gates, mode, startedAt, durationMs, stopped, baselineAt, referenceId } =
      this.#evaluation;
    const { planned, passed, failed, noVerdict, notRun } = summary;
    const samples = summary.hasExpectations
      ? t(
          '{0}: {1} passed, {2} failed, {3} no verdict, {4} not run',
          planned,
          passed,
          failed,
          noVerdict,
          notRun,
        )
      : t(
          '{0}: {1}, {2} no verdict, {3} not run',
          planned,
          countOf(passed + failed, t('{0} reply'), t('{0} replies')),
          noVerdict,
          notRun,
        );
    return [
      [t('Samples'), samples],
      [t('Rows'), describeRows(this.#evaluation)],
      [t('Each sample'), mode === 'agent' ? t('an agent run') : t('one request')],
      [t('Required'), gates ? describeGates(gates) : t('nothing: without expectations there are no rates')],
      ...(referenceId === undefined || this.#lanes.length < 2
        ? []
        : [[t('Compared with'), this.#labelOf(referenceId)] as [string, string]]),
      ...(baselineAt === undefined ? [] : [[t('Baseline'), baselineAt] as [string, string]]),
      [t('Started'), startedAt],
      [t('Time'), durationMs === undefined ? t('still running') : formatLong(durationMs)],
      ...(stopped === undefined ? [] : [[t('Ended early'), toVisible(stopped)] as [string, string]]),
    ];
  }

  result(): ExportPart[] {
    const { summary } = this.#evaluation;
    const departures = summary.departures?.map((one) => describeDepartures(one, this.#lanes)) ?? [];
    const compared = summary.comparisons.map((one) => describeComparison(one, this.#lanes));
    const warnings = summary.warnings.map((one) => describeWarning(one, this.#lanes).sentence);
    return [
      this.#laneTable(),
      ...sentences(t('Recorded way'), departures),
      ...sentences(t('Comparison'), compared),
      ...(summary.flips ? this.#flipParts(summary.flips) : []),
      ...sentences(t('Warnings'), warnings),
    ];
  }

  /** One block a case, with what was wrong with its samples. */
  cases(title: string, isShown: (one: CaseSummary) => boolean): ExportSection[] {
    const found = this.#evaluation.summary.cases.filter(isShown);
    if (found.length === 0) return [];
    const parts = found.slice(0, MAX_CASES).map((one) => this.#casePart(one));
    const rest = found.length - parts.length;
    const more: ExportPart[] = sentences(
      undefined,
      rest > 0 ? [fillSentence(t('and {0} more, which the export as CSV has'), rest)] : [],
    );
    return [{ title: `${title} (${found.length})`, parts: [...parts, ...more] }];
  }

  settings(): ExportPart {
    const rows = this.#lanes.map(({ label, connection, model, settings }) => [
      label,
      connection,
      model,
      Object.entries(settings)
        .flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`]))
        .join(', '),
    ]);
    const head = [t('Lane'), t('Connection'), t('Model'), t('Settings')];
    return { kind: 'table', title: t('Lanes as they were sent'), head, rows };
  }

  #laneTable(): ExportPart {
    const { summary, gates, rows } = this.#evaluation;
    const powers = [...new Set(summary.lanes.flatMap(({ passPower }) => passPower.map(({ k }) => k)))];
    const columns: LaneColumn[] = [
      { name: t('Lane'), cell: ({ laneId }) => this.#labelOf(laneId) },
      ...(gates ? rateColumns(this.#evaluation, gates) : []),
      ...OUTCOMES.map(({ key, name }) => ({
        name: name(),
        cell: ({ outcomes }: LaneSummary) => own(outcomes[key]),
      })),
      ...powers.map((k) => ({
        name: `pass^${k}`,
        cell: (lane: LaneSummary) => own(describePower(lane, k, rows.length)),
      })),
      {
        name: t('Valid arguments'),
        cell: ({ validArguments: { valid, of } }) => own(of > 0 ? t('{0} of {1}', valid, of) : NONE),
      },
      { name: t('Median time'), cell: (lane) => own(describeTimes(lane)) },
      { name: t('Tokens'), cell: (lane) => own(describeTokens(lane)) },
      { name: t('Cost'), cell: (lane) => own(describeCost(lane, this.#billingOf(lane.laneId))) },
    ];
    return {
      kind: 'table',
      title: t('Lanes'),
      head: columns.map(({ name }) => name),
      rows: summary.lanes.map((lane) => columns.map(({ cell }) => cell(lane))),
    };
  }

  #flipParts(flips: readonly LaneFlips[]): ExportPart[] {
    const head = [
      t('Lane'),
      t('Rate before'),
      t('Both pass'),
      t('Fixed'),
      t('Broken'),
      t('Both fail'),
      t('No verdict now'),
    ];
    const rows = flips.map(({ laneId, rateBefore, bothPass, fixed, broken, bothFail, lostVerdict }) => [
      this.#labelOf(laneId),
      own(rateBefore === undefined ? NONE : formatShare(rateBefore)),
      ...[bothPass, fixed.length, broken.length, bothFail, lostVerdict.length].map(own),
    ]);
    const changed = flips.flatMap(({ laneId, fixed, broken, lostVerdict }) => [
      ...this.#namesOf(t('**{0}** fixed: {1}'), laneId, fixed),
      ...this.#namesOf(t('**{0}** broken: {1}'), laneId, broken),
      ...this.#namesOf(t('**{0}** without a verdict now: {1}'), laneId, lostVerdict),
    ]);
    const said = flips.map((one) => describeFlips(one, this.#lanes));
    return [
      ...sentences(t('Since the baseline'), said),
      { kind: 'table', title: t('Rows since the baseline'), head, rows },
      ...sentences(t('Changed rows'), changed),
    ];
  }

  #namesOf(text: string, laneId: string, rowIds: readonly string[]): Sentence[] {
    if (rowIds.length === 0) return [];
    const names = rowIds.slice(0, MAX_NAMES).map((id) => fillSentence('`{0}`', this.#nameOf(id)));
    const list = names.flatMap((name, index) => (index === 0 ? name : [{ text: ', ' }, ...name]));
    const rest = rowIds.length - names.length;
    const all = rest > 0 ? fillSentence(t('{0} and {1} more'), list, rest) : list;
    return [fillSentence(text, this.#labelOf(laneId), all)];
  }

  #casePart(one: CaseSummary): ExportPart {
    const { passed, failed, noVerdict } = one;
    const groups = this.#messages(one);
    const lines = groups.slice(0, MAX_MESSAGES).map((group) => lineOf(group, passed + failed + noVerdict));
    const rest = groups.slice(MAX_MESSAGES).reduce((sum, { samples }) => sum + samples, 0);
    if (rest > 0) lines.push(countOf(rest, t('and {0} more sample'), t('and {0} more samples')));
    const title = t('{0}, {1}: {2}', this.#nameOf(one.rowId), this.#labelOf(one.laneId), describeCase(one));
    return { kind: 'text', title, text: lines.join('\n'), language: 'text', isLong: false };
  }

  #labelOf(laneId: string): string {
    return this.#labels.get(laneId) ?? toLabel(laneId, MAX_LABEL);
  }

  #nameOf(rowId: string): string {
    return this.#names.get(rowId) ?? toLabel(rowId, MAX_LABEL);
  }

  #billingOf(laneId: string): Billing {
    return this.#lanes.find(({ id }) => id === laneId)?.billing ?? 'unknown';
  }
}

interface LaneColumn {
  name: string;
  cell: (lane: LaneSummary) => Cell;
}

/** In the order of the bar of a lane. */
const OUTCOMES: readonly { key: keyof OutcomeCounts; name: () => string }[] = [
  { key: 'native', name: () => t('Native') },
  { key: 'rescued', name: () => t('Rescued') },
  { key: 'malformed', name: () => t('Malformed') },
  { key: 'none', name: () => t('None') },
  { key: 'answer', name: () => t('Answer') },
  { key: 'noVerdict', name: () => t('No reply') },
];

function rateColumns(
  { summary }: ExportedEvaluation,
  gates: NonNullable<ExportedEvaluation['gates']>,
): LaneColumn[] {
  return [
    { name: t('Required'), cell: (lane) => own(describeGate(lane, gates, summary)) },
    { name: t('Passed'), cell: (lane) => own(describeRate(lane)) },
    {
      name: t('95 % interval'),
      cell: ({ rate, interval }) =>
        interval && rate !== undefined
          ? { own: formatInterval(interval), drawn: { rate, interval, gate: gates.lane } }
          : own(NONE),
    },
  ];
}

const own = (value: string | number): Cell => ({ own: String(value) });

/** Such as `20 rows, 10 repeats in each lane`. */
function describeRows({ rows, repeat }: ExportedEvaluation): string {
  const counts = rows.map((row) => row.repeat ?? repeat);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const repeats =
    least < most
      ? t('{0} to {1} repeats in each lane', least, most)
      : countOf(repeat, t('{0} repeat in each lane'), t('{0} repeats in each lane'));
  return `${countOf(rows.length, t('{0} row'), t('{0} rows'))}, ${repeats}`;
}

const sentences = (title: string | undefined, items: readonly Sentence[]): ExportPart[] =>
  items.length > 0 ? [{ kind: 'sentences', title, items }] : [];

/** Such as `7 of 10 samples: city is "Bergen"; expected "Oslo".` @param ran Number of samples of the case that ran */
function lineOf({ samples, message, verdict }: MessageGroup, ran: number): string {
  const said = message === '' ? t('why is not known') : toLabel(message, MAX_MESSAGE);
  const counted = ran === 1 ? t('1 of 1 sample') : t('{0} of {1} samples', samples, ran);
  return verdict === 'failed' ? `${counted}: ${said}` : t('{0} without a verdict: {1}', counted, said);
}
