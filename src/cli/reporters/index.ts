// The kinds of reports, one line each, and where each goes.
import { t } from '@vscode/l10n';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { CommandError } from '../command';
import type { Report } from '../evaluate/report';
import type { OutputFile } from '../files/check-outputs';
import { describeWriteError } from '../files/write-errors';
import type { Stream, Terminal } from '../terminal';
import { styleWith } from '../terminal';
import { toAnnotations, toSummary } from './github';
import { toJson, toJsonLines } from './json';
import { toJunit } from './junit';
import { toMarkdown } from './markdown';
import { toPretty } from './pretty';
import { toProblems } from './problems';

interface Reporter {
  print: (report: Report, style: Stream['style'], terminal: Terminal) => string;
  /** Without a path it goes beside the output, where the service reads it as well. */
  isTalk?: boolean;
  /** Whether it says why the gates are not met or cannot be judged. */
  saysWhy?: boolean;
  /** Appended to the file that this variable names. */
  also?: { variable: string; print: (report: Report) => string };
}

const REPORTERS: Readonly<Record<string, Reporter>> = {
  pretty: {
    saysWhy: true,
    print: (report, style, { output }) =>
      toPretty(report, style, output.isInteractive ? output.width() : undefined),
  },
  json: { print: toJson, saysWhy: true },
  jsonl: { print: toJsonLines, saysWhy: true },
  junit: { print: toJunit },
  markdown: { print: toMarkdown, saysWhy: true },
  github: {
    saysWhy: true,
    print: (report, _style, terminal) => toAnnotations(report, folderInRepository(terminal)),
    isTalk: true,
    also: { variable: 'GITHUB_STEP_SUMMARY', print: toSummary },
  },
  problems: { print: toProblems, isTalk: true },
};

export interface WantedReport {
  reporter: Reporter;
  /** Absent: standard output. */
  path?: string;
}

/** The files that reports go to. */
export const reportFiles = (wanted: readonly WantedReport[]): OutputFile[] =>
  wanted.flatMap(({ path }) => (path === undefined ? [] : [{ path, option: '--reporter' }]));

/** @param values Such as `junit=junit.xml`. @throws CommandError */
export function readReporters(
  values: readonly string[] | undefined,
  environment: Terminal['environment'],
): WantedReport[] {
  const wanted = (values ?? ['pretty']).map(readReporter);
  if (wanted.filter(({ path, reporter }) => path === undefined && !reporter.isTalk).length > 1)
    throw new CommandError(
      t('Two reports cannot go to the same output.'),
      t('Give all but one a path, such as --reporter junit=junit.xml.'),
    );
  const { github } = REPORTERS;
  const isMissing =
    environment.GITHUB_ACTIONS === 'true' && !wanted.some(({ reporter }) => reporter === github);
  return isMissing && github ? [...wanted, { reporter: github }] : wanted;
}

function readReporter(value: string): WantedReport {
  const [, kind = '', path] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
  const reporter = Object.hasOwn(REPORTERS, kind) ? REPORTERS[kind] : undefined;
  if (reporter && path !== '') return { reporter, ...(path !== undefined && { path }) };
  throw new CommandError(
    t('There is no reporter {0}.', value),
    t('Choose one of {0}; `=path` writes it to a file.', Object.keys(REPORTERS).join(', ')),
  );
}

/**
 * @returns whether a report that is not in a file says why the gates are not met or cannot be judged
 * @throws CommandError when a file cannot be written; the others are
 */
export async function writeReports(
  wanted: readonly WantedReport[],
  report: Report,
  terminal: Terminal,
): Promise<boolean> {
  const { output, talk, folder, environment } = terminal;
  const failures: string[] = [];
  const toFile = async (path: string, write: typeof writeFile, text: string): Promise<void> => {
    try {
      const file = resolve(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await write(file, text);
    } catch (error) {
      const { what, next } = describeWriteError(path, error);
      failures.push(next === '' ? what : `${what} ${next}.`);
    }
  };
  for (const { reporter, path } of wanted) {
    const { print, isTalk = false, also } = reporter;
    const stream = isTalk ? talk : output;
    if (path === undefined) stream.write(print(report, stream.style, terminal));
    else await toFile(path, writeFile, print(report, styleWith(false), terminal));
    const other = also && environment[also.variable];
    if (other) await toFile(other, appendFile, also.print(report));
  }
  if (failures.length > 0) throw new CommandError(failures.join('\n'), t('Correct the path of the report.'));
  return wanted.some(({ reporter, path }) => path === undefined && reporter.saysWhy === true);
}

/** GitHub reads paths from the root of the repository. */
function folderInRepository({ folder, environment }: Terminal): string {
  const { GITHUB_WORKSPACE: root } = environment;
  const path = root === undefined ? '' : relative(root, folder).split(sep).join('/');
  return path === '' || path.startsWith('..') ? '' : `${path}/`;
}
