// Writes the lines of a diagnosis as a Markdown document that is readable as plain text, and complete at any time
// while it is filled.
import { t } from '@vscode/l10n';
import { formatDuration } from '../../inspect';
import type { DiagnosisLine, Level, Section } from './diagnosis';
import { quote } from './words';

/** Progress of the diagnosis. */
export type Progress = { doing: string } | 'done' | 'stopped';

export interface Report {
  title: string;
  /** Versions and the time, one line each. */
  facts: readonly string[];
  lines: readonly DiagnosisLine[];
  progress: Progress;
}

/** Titles of the sections in their order. */
export const diagnosisSections = (): Record<Section, string> => ({
  Connection: t('Connection'),
  'Way to the server': t('Way to the server'),
  Server: t('Server'),
  Model: t('Model'),
  Protocols: t('Protocols of the server'),
});
const levels = (): Record<Level, string> => ({
  ok: t('ok'),
  warning: t('warning'),
  failed: t('failed'),
  'left out': t('left out'),
});

export function writeReport({ title, facts, lines, progress }: Report): string {
  const parts = [
    `# ${t('Diagnosis of {0}', quote(title))}`,
    sumUp(lines, progress),
    ...Object.entries(diagnosisSections()).flatMap(([section, heading]) =>
      writeSection(
        heading,
        lines.filter((line) => line.section === section),
      ),
    ),
    ...(typeof progress === 'object' ? [`_${progress.doing} …_`] : []),
    '---',
    facts.map((fact) => `- ${fact}`).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sumUp(lines: readonly DiagnosisLine[], progress: Progress): string {
  if (typeof progress === 'object')
    return `**${t('Under way.')}** ${t('Each line appears as soon as its result is known.')}`;
  const { verdict, next } = sumUpDiagnosis(lines);
  return `**${verdict}** ${progress === 'stopped' ? t('The run was stopped before it ended.') : next}`;
}

/** How many lines have which level, and what to do first. */
export function sumUpDiagnosis(lines: readonly DiagnosisLine[]): { verdict: string; next: string } {
  const number = (level: Level): number => lines.filter((line) => line.level === level).length;
  const [failed, warnings, fine] = [number('failed'), number('warning'), number('ok')];
  const verdict =
    warnings === 1
      ? t('{0} failed, {1} warning, {2} ok.', failed, warnings, fine)
      : t('{0} failed, {1} warnings, {2} ok.', failed, warnings, fine);
  const [first] = ['failed', 'warning'].flatMap((level) =>
    lines.filter((line) => line.level === level && line.next !== undefined),
  );
  return { verdict, next: first ? t('First: {0}', first.next ?? '') : t('No action is needed.') };
}

function writeSection(heading: string, lines: readonly DiagnosisLine[]): string[] {
  return lines.length === 0 ? [] : [`## ${heading}`, lines.map(writeLine).join('\n')];
}

function writeLine({ level, name, text, tookMs, next }: DiagnosisLine): string {
  const took = tookMs === undefined ? '' : ` (${formatDuration(tookMs)})`;
  const said = levels()[level];
  const word = level === 'failed' || level === 'warning' ? `**${said}**` : said;
  const line = `- ${word} — ${name}: ${text}${took}`;
  return next === undefined ? line : `${line}\n  - ${t('Next: {0}', next)}`;
}
