// Writes the cases of an evaluation as a table that a spreadsheet opens, one line each. Pure.
import type { CaseSummary } from '../../../types';
import { groupMessages } from './case-messages';
import type { ExportedEvaluation } from './exported-evaluation';

/** Names of programs, so they are never translated. */
const HEAD = [
  'row',
  'name',
  'lane',
  'label',
  'gate',
  'passed',
  'failed',
  'no_verdict',
  'not_run',
  'low',
  'high',
  'native',
  'rescued',
  'malformed',
  'none',
  'answer',
  'no_reply',
  'flaky',
  'message',
];

type Value = string | number | boolean | undefined;

/**
 * As RFC 4180 describes it: lines end in CRLF, texts with quotes, commas or line ends are quoted; unknown values are empty.
 *
 * A spreadsheet runs a text that begins with `=`, `+`, `-`, `@`, tab or a carriage return, quoted or not, so such a text gets
 * an apostrophe in front. Numbers get none. Without expectations nothing passed or failed, so these cells are empty.
 */
export function toCsv({ rows, lanes, summary, samples }: ExportedEvaluation): string {
  const names = new Map(rows.map(({ id, name = id }) => [id, name]));
  const labels = new Map(lanes.map(({ id, label }) => [id, label]));
  const messages = groupMessages(samples);
  const lines = summary.cases.map((one) => {
    const { rowId, laneId } = one;
    const [first] = messages(one);
    return [
      rowId,
      names.get(rowId),
      laneId,
      labels.get(laneId),
      ...figuresOf(one, summary.hasExpectations),
      first?.message,
    ];
  });
  return [HEAD, ...lines].map((line) => `${line.map(toCell).join(',')}\r\n`).join('');
}

function figuresOf(one: CaseSummary, hasExpectations: boolean): Value[] {
  const { gate, passed, failed, noVerdict, notRun, interval, outcomes, isFlaky } = one;
  const judged = hasExpectations ? [gate, passed, failed] : [undefined, undefined, undefined];
  const { native, rescued, malformed, none, answer, noVerdict: noReply } = outcomes;
  const replies = [native, rescued, malformed, none, answer, noReply];
  return [...judged, noVerdict, notRun, interval?.low, interval?.high, ...replies, isFlaky];
}

function toCell(value: Value = ''): string {
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
