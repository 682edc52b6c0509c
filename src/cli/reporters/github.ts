// The report for GitHub Actions: annotations at the lines of what failed, and the summary of the job. Pure. GitHub shows ten
// annotations of a kind in a step, and drops a summary that is too large.
import { t } from '@vscode/l10n';
import { countOf, describeCase, toLabel, toVisibleLines } from '../../inspect';
import type { CaseFailure, Report } from '../evaluate/report';
import { cutMarkdown, toMarkdown } from './markdown';

const MAX_ANNOTATIONS = 10;
const MAX_SUMMARY_BYTES = 900 * 1024;
const MAX_MESSAGE = 1_000;
const MAX_TITLE = 200;

/** @param prefix Path of the current folder in the repository, with / at its end; '' for its root. */
export function toAnnotations({ files, reasons, undecided }: Report, prefix: string): string {
  const all = files.flatMap(({ exported, failures }) => {
    const names = new Map(exported.rows.map(({ id, name = id }) => [id, name]));
    return failures.map((failure) => ({ failure, name: names.get(failure.summary.rowId) ?? '' }));
  });
  const isLost = ({ failure }: (typeof all)[number]): boolean => failure.summary.gate === 'lost';
  // The rows whose gates are lost say it better.
  const shownReasons = all.some(isLost) ? undecided : reasons;
  return [
    ...shownReasons.map((reason) => command('error', {}, toVisibleLines(reason))),
    ...annotate('error', all.filter(isLost), prefix, MAX_ANNOTATIONS - shownReasons.length),
    // A gate that is met lets some samples fail.
    ...annotate(
      'warning',
      all.filter((one) => !isLost(one)),
      prefix,
    ),
  ].join('');
}

export const toSummary = (report: Report): string => cutMarkdown(toMarkdown(report), MAX_SUMMARY_BYTES);

function annotate(
  kind: 'error' | 'warning',
  failures: readonly { failure: CaseFailure; name: string }[],
  prefix: string,
  most = MAX_ANNOTATIONS,
): string[] {
  const room = Math.max(1, most);
  const rest = failures.length - room + 1;
  const shown = rest > 1 ? failures.slice(0, room - 1) : failures;
  const lines = shown.map(({ failure, name }) => {
    const { summary, messages, file, line } = failure;
    const title = toLabel(t('{0}, lane {1}: {2}', name, summary.laneId, describeCase(summary)), MAX_TITLE);
    const text = messages.map(({ samples, message }) => `${samples} × ${toVisibleLines(message)}`).join('\n');
    return command(kind, { file: prefix + file, line: String(line), title }, text);
  });
  if (rest > 1) lines.push(command(kind, {}, countOf(rest, t('and {0} more row'), t('and {0} more rows'))));
  return lines;
}

function command(kind: string, properties: Readonly<Record<string, string>>, text: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  const head = list.length > 0 ? `${kind} ${list.join(',')}` : kind;
  return `::${head}::${escapeData(text.slice(0, MAX_MESSAGE))}\n`;
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
