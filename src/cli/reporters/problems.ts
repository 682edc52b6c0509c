// The report as lines that an editor reads: what failed, at its file and line. Pure. The problem matcher of the extension reads
// their shape, which therefore is in no language; what a model wrote stays on its line.
import { t } from '@vscode/l10n';
import { countOf, describeCase, describeGate, toLabel } from '../../inspect';
import type { FileReport, Report } from '../evaluate/report';

const MAX_PROBLEMS = 200;
const MAX_LABEL = 40;
const MAX_MESSAGE = 300;

/** Such as `weather.playground.json:12: error: Oslo, lane a: 6 of 10 passed: 4 × No call was made.` */
export function toProblems({ files }: Report): string {
  const all = files.flatMap(toLines);
  const rest = all.length - MAX_PROBLEMS;
  const more = rest > 0 ? [countOf(rest, t('and {0} more problem'), t('and {0} more problems'))] : [];
  return [...all.slice(0, MAX_PROBLEMS), ...more].map((line) => `${line}\n`).join('');
}

/** Rows whose gate is lost are errors, and so is the gate of a lane; rows that meet theirs may have samples that failed. */
function toLines({ exported, failures }: FileReport): string[] {
  const { rows, summary, gates } = exported;
  const names = new Map(rows.map(({ id, name = id }) => [id, name]));
  const cases = failures.map(({ summary: one, messages, file, line }) => {
    const place = t('{0}, lane {1}', short(names.get(one.rowId) ?? one.rowId), short(one.laneId));
    const [first] = messages;
    const what = first ? `: ${first.samples} × ${first.message}` : '';
    return toLine(file, line, one.gate === 'lost', `${place}: ${describeCase(one)}${what}`);
  });
  const lanes = summary.lanes.flatMap((lane) => {
    const first = failures.find((failure) => failure.summary.laneId === lane.laneId);
    if (lane.gate !== 'lost' || !first || !gates) return [];
    const what = t('Lane {0}: {1}', short(lane.laneId), describeGate(lane, gates, summary));
    return [toLine(first.file, first.line, true, what)];
  });
  return [...lanes, ...cases];
}

const short = (text: string): string => toLabel(text, MAX_LABEL);

const toLine = (file: string, line: number, isError: boolean, message: string): string =>
  `${toLabel(file, 1_000)}:${line}: ${isError ? 'error' : 'warning'}: ${toLabel(message, MAX_MESSAGE)}`;
