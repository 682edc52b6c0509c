// The report for programs: every number with what it was computed from, as one object or one line for each lane and case. Pure.
import { evaluationToJson } from '../../inspect';
import { escapeHidden } from '../json-text';
import type { FileReport, Report } from '../evaluate/report';

/** `kind`: `evaluations`. The files are as the editor exports one evaluation, each with its path. */
export function toJson({ info, exit, reasons, files }: Report): string {
  const head = JSON.stringify({ kind: 'evaluations', format: 1, ...info, exitCode: exit, reasons }, null, 2);
  const list = files.map((file) => {
    const text = evaluationToJson(file.exported, info).trimEnd();
    return `${JSON.stringify({ path: file.path }).slice(0, -1)},${text.slice(1)}`;
  });
  return escapeHidden(`${head.slice(0, -2)},\n  "files": [\n${list.join(',\n')}\n  ]\n}\n`);
}

/** The same, a line for each part: `evaluation`, then `lane`, then `case`, and `end` at last. */
export function toJsonLines(report: Report): string {
  const lines = report.files.flatMap((file) => linesOf(file, report.info));
  lines.push({ kind: 'end', exitCode: report.exit, reasons: report.reasons });
  return escapeHidden(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function linesOf({ path, exported }: FileReport, info: Report['info']): Record<string, unknown>[] {
  const whole = JSON.parse(evaluationToJson(exported, info)) as Record<string, Record<string, unknown>[]>;
  const { lanes = [], cases = [], ...head } = whole;
  return [
    { ...head, path },
    ...lanes.map((lane) => ({ kind: 'lane', path, ...lane })),
    ...cases.map((one) => ({ kind: 'case', path, ...one })),
  ];
}
