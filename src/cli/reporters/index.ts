// The kinds of reports, one line each, and where each goes.
import { t } from '@vscode/l10n';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../command';
import type { Report } from '../evaluate/report';
import { messageOf } from '../files/near-files';
import type { Stream, Terminal } from '../terminal';
import { styleWith } from '../terminal';
import { toJson, toJsonLines } from './json';
import { toPretty } from './pretty';

type Print = (report: Report, style: Stream['style']) => string;

const REPORTERS: Readonly<Record<string, Print>> = {
  pretty: toPretty,
  json: toJson,
  jsonl: toJsonLines,
};

export interface WantedReport {
  print: Print;
  /** Absent: standard output. */
  path?: string;
}

/** @param values Such as `junit=junit.xml`. @throws CommandError */
export function readReporters(values: readonly string[] | undefined): WantedReport[] {
  const wanted = (values ?? ['pretty']).map((value): WantedReport => {
    const [, kind = '', path] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
    const print = Object.hasOwn(REPORTERS, kind) ? REPORTERS[kind] : undefined;
    if (!print || path === '')
      throw new CommandError(
        t('There is no reporter {0}.', value),
        t('Choose one of {0}; `=path` writes it to a file.', Object.keys(REPORTERS).join(', ')),
      );
    return { print, ...(path !== undefined && { path }) };
  });
  if (wanted.filter(({ path }) => path === undefined).length < 2) return wanted;
  throw new CommandError(
    t('Two reports cannot go to the same output.'),
    t('Give all but one a path, such as --reporter junit=junit.xml.'),
  );
}

/** @throws CommandError when a file cannot be written; the others are */
export async function writeReports(
  wanted: readonly WantedReport[],
  report: Report,
  { output, folder }: Terminal,
): Promise<void> {
  const failures: string[] = [];
  for (const { print, path } of wanted) {
    if (path === undefined) {
      output.write(print(report, output.style));
      continue;
    }
    try {
      const file = resolve(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, print(report, styleWith(false)));
    } catch (error) {
      failures.push(t('{0} cannot be written: {1}.', path, messageOf(error)));
    }
  }
  if (failures.length > 0) throw new CommandError(failures.join('\n'), t('Correct the path of the report.'));
}
