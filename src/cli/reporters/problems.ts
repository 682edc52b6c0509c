// The report as lines that an editor reads: what failed, at its file and line. Pure. The problem matcher of the extension reads
// their shape, which therefore is in no language; what a model wrote stays on its line.
import { t } from '@vscode/l10n';
import { countOf, describeCase, describeGate, toLabel } from '../../inspect';
import type { FileReport, Report } from '../evaluate/report';

const MAX_PROBLEMS = 200;
const MAX_LABEL = 40;
const MAX_MESSAGE = 300;

/**
 * Such as `weather.playground.json:12:1: error: Oslo, lane a: 6 of 10 passed: 4 × No call was made.` The column only tells apart what
 * is said of the same line: an editor keeps one problem at a place.
 */
export function toProblems({ files }: Report): string {
  const all = files.flatMap(toProblemList);
  const columns = new Map<string, number>();
  const toLine = ({ file, line, isError, message }: Problem): string => {
    const place = `${toLabel(file, 1_000)}:${line}`;
    const column = (columns.get(place) ?? 0) + 1;
    columns.set(place, column);
    return `${place}:${column}: ${isError ? 'error' : 'warning'}: ${toLabel(message, MAX_MESSAGE)}`;
  };
  const rest = all.length - MAX_PROBLEMS;
  const more = rest > 0 ? [countOf(rest, t('and {0} more problem'), t('and {0} more problems'))] : [];
  return [...all.slice(0, MAX_PROBLEMS).map(toLine), ...more].map((line) => `${line}\n`).join('');
}

interface Problem {
  file: string;
  line: number;
  isError: boolean;
  message: string;
}

/** Rows whose gate is lost are errors, and so is the gate of a lane; rows that meet theirs may have samples that failed. */
function toProblemList({ exported, failures }: FileReport): Problem[] {
  const { rows, summary, gates } = exported;
  const names = new Map(rows.map(({ id, name = id }) => [id, name]));
  const cases = failures.map(({ summary: one, messages, file, line }) => {
    const place = t('{0}, lane {1}', short(names.get(one.rowId) ?? one.rowId), short(one.laneId));
    const [first] = messages;
    const what = first ? `: ${first.samples} × ${first.message}` : '';
    const message = `${place}: ${describeCase(one)}${what}`;
    return { file, line, isError: one.gate === 'lost', message };
  });
  const lanes = summary.lanes.flatMap((lane) => {
    const first = failures.find((failure) => failure.summary.laneId === lane.laneId);
    if (lane.gate !== 'lost' || !first || !gates) return [];
    const message = t('Lane {0}: {1}', short(lane.laneId), describeGate(lane, gates, summary));
    return [{ file: first.file, line: first.line, isError: true, message }];
  });
  return [...lanes, ...cases];
}

const short = (text: string): string => toLabel(text, MAX_LABEL);
