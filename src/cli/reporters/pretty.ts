// The report for a person at a terminal: lanes, who is better, warnings, and what failed. Pure.
import { t } from '@vscode/l10n';
import {
  countOf,
  describeCase,
  describeComparison,
  describeDepartures,
  describeCost,
  describeFlips,
  describeGate,
  describeRate,
  describeTimes,
  describeWarning,
  formatInterval,
  toLabel,
} from '../../inspect';
import type { Sentence } from '../../types';
import { EXIT } from '../command';
import type { CaseFailure, FileReport, Report } from '../evaluate/report';
import { describeDone } from '../evaluate/report';
import type { Stream } from '../terminal';

type Style = Stream['style'];

const MAX_FAILURES = 20;
const MAX_MESSAGES = 3;
const MAX_LABEL = 40;
const MAX_MESSAGE = 200;
const MAX_UNJUDGED = 5;
/** Of why there is no verdict, which ends with what to do. */
const MAX_REASON = 600;
const INDENT = '  ';

/** @param width Of the terminal, in characters; without one, lines are as long as they are. */
export function toPretty(
  { files, reasons, exit }: Report,
  style: Style,
  width = Number.POSITIVE_INFINITY,
): string {
  const end =
    exit === EXIT.done
      ? style('green', describeDone(files))
      : reasons.map((reason) => style(exit === EXIT.unmet ? 'red' : 'yellow', reason)).join('\n');
  return `${[...files.map((file) => printFile(file, style, width)), end].join('\n\n')}\n`;
}

const countReplies = (count: number): string => countOf(count, t('{0} reply'), t('{0} replies'));

function printFile({ path, exported, failures }: FileReport, style: Style, width: number): string {
  const { summary, rows, lanes, gates, stopped } = exported;
  const { planned, passed, failed, noVerdict, notRun, hasExpectations } = summary;
  const counts = hasExpectations
    ? t('{0} passed, {1} failed, {2} no verdict, {3} not run', passed, failed, noVerdict, notRun)
    : t('{0}, {1} no verdict, {2} not run', countReplies(passed + failed), noVerdict, notRun);
  const size = `${countOf(rows.length, t('{0} row'), t('{0} rows'))}, ${countOf(planned, t('{0} sample'), t('{0} samples'))}`;
  const table = toLines(
    [t('Lane'), t('Passed'), t('95 % interval'), t('Required'), t('Median time'), t('Cost')],
    summary.lanes.map((lane) => {
      const { label = lane.laneId, billing = 'unknown' } = lanes.find(({ id }) => id === lane.laneId) ?? {};
      return [
        `${toLabel(lane.laneId, MAX_LABEL)}: ${toLabel(label, MAX_LABEL)}`,
        hasExpectations ? describeRate(lane) : '–',
        lane.interval ? formatInterval(lane.interval) : '–',
        gates ? describeGate(lane, gates, summary) : '–',
        describeTimes(lane),
        describeCost(lane, billing),
      ];
    }),
    { style, width: width - INDENT.length },
  );
  return [
    `${style('bold', toLabel(path, 200))}  ${size}: ${counts}`,
    ...(stopped === undefined ? [] : [style('yellow', `  ${t('Ended early: {0}', toLabel(stopped, 300))}`)]),
    ...table.map((line) => INDENT + line),
    ...(summary.departures ?? []).map((one) => `  ${print(describeDepartures(one, lanes), style)}`),
    ...summary.comparisons.map((one) => `  ${print(describeComparison(one, lanes), style)}`),
    ...(summary.flips ?? []).map((one) => `  ${print(describeFlips(one, lanes), style)}`),
    ...summary.warnings.map(
      (one) => `  ${style('yellow', '!')} ${print(describeWarning(one, lanes).sentence, style)}`,
    ),
    ...printUnjudged(exported, style),
    ...printFailures(
      failures.filter(({ summary: { gate } }) => gate === 'lost'),
      exported.rows,
      style,
    ),
  ].join('\n');
}

/** Why samples have no verdict, lane by lane: most often it is the same for all of them, and often why it ended early. */
function printUnjudged({ samples, stopped = '' }: FileReport['exported'], style: Style): string[] {
  const counts = new Map<string, number>();
  for (const { laneId, verdict, message = '' } of samples) {
    if (verdict !== 'no-verdict' || message === '' || stopped.includes(message)) continue;
    const text = `${style('bold', toLabel(laneId, MAX_LABEL))}: ${toLabel(message, MAX_REASON)}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  const shown = sorted
    .slice(0, MAX_UNJUDGED)
    .map(([text, count]) => `  ${style('yellow', '?')} ${count} × ${text}`);
  const rest = sorted.length - shown.length;
  return rest > 0 ? [...shown, `    ${t('and {0} more', rest)}`] : shown;
}

function printFailures(
  failures: readonly CaseFailure[],
  rows: FileReport['exported']['rows'],
  style: Style,
): string[] {
  const names = new Map(rows.map(({ id, name = id }) => [id, name]));
  const shown = failures.slice(0, MAX_FAILURES).flatMap(({ summary, messages, file, line }) => {
    const { rowId, laneId } = summary;
    const name = `${toLabel(names.get(rowId) ?? rowId, MAX_LABEL)}, ${toLabel(laneId, MAX_LABEL)}`;
    return [
      `  ${style('red', '✗')} ${style('bold', name)}: ${describeCase(summary)}  ${style('dim', `${file}:${line}`)}`,
      ...messages
        .slice(0, MAX_MESSAGES)
        .map(({ message, samples }) => `      ${samples} × ${toLabel(message, MAX_MESSAGE)}`),
    ];
  });
  const rest = failures.length - MAX_FAILURES;
  return rest > 0 ? [...shown, `  ${t('and {0} more', rest)}`] : shown;
}

const print = (sentence: Sentence, style: Style): string =>
  sentence
    .map(({ text, mark }) => (mark === undefined ? text : style(mark === 'strong' ? 'bold' : 'cyan', text)))
    .join('');

/** Columns as wide as their widest cell. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_name, index) => Math.max(...all.map((cells) => (cells[index] ?? '').length)));
  return all.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The column whose cells are sentences. */
const LONG_COLUMN = 3;

/** A table; in a terminal that would break its lines, one with its sentences below the rows, or a list for each row. */
function toLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { style, width }: { style: Style; width: number },
): string[] {
  const [names = '', ...lines] = toTable(head, rows);
  if (fits([names, ...lines], width)) return [style('dim', names), ...lines];
  const [short = '', ...others] = toTable(withoutLong(head), rows.map(withoutLong));
  const below = (row: number): string =>
    `${INDENT}${head[LONG_COLUMN] ?? ''}: ${rows[row]?.[LONG_COLUMN] ?? ''}`;
  if (fits([short, ...others], width))
    return [style('dim', short), ...others.flatMap((line, row) => [line, below(row)])];
  return rows.flatMap(([first = '', ...cells]) => {
    const [one = [], ...more] = cells.map((cell, index) => [head[index + 1] ?? '', cell]);
    return [first, ...toTable(one, more).map((line) => INDENT + line)];
  });
}

const fits = (lines: readonly string[], width: number): boolean =>
  lines.every((line) => line.length <= width);

const withoutLong = (cells: readonly string[]): string[] => cells.toSpliced(LONG_COLUMN, 1);
