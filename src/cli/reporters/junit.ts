// The report as JUnit XML, which CI services show as tests: a suite for each playground and lane, a test for each row. Pure. What
// models wrote may be hostile: only characters of XML 1.0 come through, and texts are bounded.
import { t } from '@vscode/l10n';
import { describeCase } from '../../inspect';
import { passesRequired } from '../../inspect';
import type { CaseSummary, LaneSummary } from '../../types';
import type { FileReport, Report } from '../evaluate/report';

const MAX_BODY = 4_000;
const MAX_MESSAGE = 300;
const MAX_NAME = 200;
const MAX_SAMPLES = 3;
const MS = 1_000;

interface Suite {
  name: string;
  file: FileReport;
  lane: LaneSummary;
  cases: readonly CaseSummary[];
}

export function toJunit({ files }: Report): string {
  const suites = files
    .flatMap((file) =>
      file.exported.summary.lanes.map((lane): Suite => {
        const cases = file.exported.summary.cases.filter(({ laneId }) => laneId === lane.laneId);
        return { name: `${file.path}.${lane.laneId}`, file, lane, cases };
      }),
    )
    // By code units, so that files can be compared.
    .toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="provider-playground" ${countsOf(all)}>`,
    ...suites.flatMap(printSuite),
    '</testsuites>',
    '',
  ].join('\n');
}

function printSuite({ name, file, lane, cases }: Suite): string[] {
  const { passed, failed, interval, passPower } = lane;
  const power = passPower.at(-1);
  const properties = {
    passed,
    judged: passed + failed,
    ...(interval && { low: interval.low.toFixed(4), high: interval.high.toFixed(4) }),
    ...(power && { passK: `${power.all.toFixed(4)} (k = ${power.k})` }),
  };
  const names = namesOf(file);
  const times = timesOf(file, lane.laneId);
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const { startedAt } = file.exported;
  return [
    `  <testsuite name="${escape(name, MAX_NAME)}" ${countsOf(cases)} skipped="${cases.filter(isSkipped).length}" time="${(total / MS).toFixed(3)}" timestamp="${startedAt.slice(0, 19)}">`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([key, value]) => `      <property name="${key}" value="${escape(String(value))}"/>`,
    ),
    '    </properties>',
    ...cases.flatMap((one) => {
      const time = ((times.get(one.rowId) ?? 0) / MS).toFixed(3);
      const place = `classname="${escape(name, MAX_NAME)}" name="${escape(names.get(one.rowId) ?? one.rowId, MAX_NAME)}" file="${escape(file.path, MAX_NAME)}" time="${time}"`;
      const result = printResult(one, file);
      return result === ''
        ? [`    <testcase ${place}/>`]
        : [`    <testcase ${place}>`, `      ${result}`, '    </testcase>'];
    }),
    '  </testsuite>',
  ];
}

const countsOf = (cases: readonly CaseSummary[]): string =>
  `tests="${cases.length}" failures="${cases.filter(isLost).length}" errors="${cases.filter(isOpen).length}"`;

const isLost = ({ gate }: CaseSummary): boolean => gate === 'lost';
/** Samples were sent, and none has a verdict. */
const isOpen = ({ passed, failed, noVerdict }: CaseSummary): boolean =>
  passed + failed === 0 && noVerdict > 0;
const isSkipped = ({ planned, notRun }: CaseSummary): boolean => planned === notRun;

function printResult(one: CaseSummary, file: FileReport): string {
  if (isLost(one)) return printFailure(one, file);
  const groups = file.messages(one);
  if (isOpen(one)) {
    const [first] = groups;
    const body = groups.map(({ samples, message }) => `${samples} × ${message}`).join('\n');
    return `<error type="infrastructure" message="${escape(first?.message ?? t('no verdict'), MAX_MESSAGE)}">${escape(body, MAX_BODY)}</error>`;
  }
  const { stopped } = file.exported;
  return isSkipped(one) ? `<skipped message="${escape(stopped ?? t('not run'), MAX_MESSAGE)}"/>` : '';
}

function printFailure(one: CaseSummary, { exported, messages, failures }: FileReport): string {
  const { passed, failed } = one;
  const required = passesRequired(exported.gates?.case ?? 1, passed + failed);
  const message = t('{0} of {1} samples passed; {2} are required', passed, passed + failed, required);
  const failure = failures.find(({ summary }) => summary === one);
  const lines = [
    ...messages(one).map((group) => `${group.samples} × ${group.message}`),
    ...(failure?.samples ?? [])
      .slice(0, MAX_SAMPLES)
      .map(({ repeat, calls = '' }) => t('sample {0}: {1}', repeat, calls === '' ? t('no call') : calls)),
    ...(one.before ? [describeCase(one)] : []),
  ];
  return `<failure type="expectation" message="${escape(message, MAX_MESSAGE)}">${escape(lines.join('\n'), MAX_BODY)}</failure>`;
}

/** Unique within a suite, because readers leave out a test whose name they have already. */
function namesOf({ exported: { rows } }: FileReport): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { id, name = id } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    rows.map(({ id, name = id }) => [id, (counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name]),
  );
}

/** Milliseconds of all samples of each row. */
function timesOf({ exported: { samples } }: FileReport, wanted: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const { rowId, laneId, timeMs = 0 } of samples)
    if (laneId === wanted) times.set(rowId, (times.get(rowId) ?? 0) + timeMs);
  return times;
}

/** Everything that XML 1.0 cannot contain, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string, limit = MAX_MESSAGE): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.replaceAll(FORBIDDEN, '\u{FFFD}').replaceAll(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
}
