// The lines of a diagnosis as a Markdown document that reads well as it stands: whole while it fills, to be copied at any
// time. Knows no vscode.
import type { DiagnosisLine, Level, Section } from './diagnosis';
import { quote } from './words';

/** How far it is. */
export type Progress = { doing: string } | 'done' | 'stopped';

export interface Report {
  title: string;
  /** Versions and the time, one line each. */
  facts: readonly string[];
  lines: readonly DiagnosisLine[];
  progress: Progress;
}

const SECTIONS: readonly Section[] = ['Connection', 'Way to the server', 'Server', 'Model'];

export function writeReport({ title, facts, lines, progress }: Report): string {
  const parts = [
    `# Diagnosis of ${quote(title)}`,
    sumUp(lines, progress),
    ...SECTIONS.flatMap((section) => writeSection(section, lines)),
    ...(typeof progress === 'object' ? [`_${progress.doing} …_`] : []),
    '---',
    facts.map((fact) => `- ${fact}`).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sumUp(lines: readonly DiagnosisLine[], progress: Progress): string {
  if (typeof progress === 'object') return '**Under way.** Each line is there as soon as it is known.';
  const number = (level: Level): number => lines.filter((line) => line.level === level).length;
  const verdict = `**${number('failed')} failed, ${plural(number('warning'))}, ${number('ok')} ok.**`;
  if (progress === 'stopped') return `${verdict} It was stopped before its end.`;
  const [first] = ['failed', 'warning'].flatMap((level) =>
    lines.filter((line) => line.level === level && line.next !== undefined),
  );
  return first ? `${verdict} First: ${first.next}` : `${verdict} Nothing is to be done.`;
}

const plural = (warnings: number): string => (warnings === 1 ? '1 warning' : `${warnings} warnings`);

function writeSection(section: Section, lines: readonly DiagnosisLine[]): string[] {
  const own = lines.filter((line) => line.section === section);
  return own.length === 0 ? [] : [`## ${section}`, own.map(writeLine).join('\n')];
}

function writeLine({ level, name, text, tookMs, next }: DiagnosisLine): string {
  const took = tookMs === undefined ? '' : ` (${formatMs(tookMs)})`;
  const word = level === 'failed' || level === 'warning' ? `**${level}**` : level;
  const line = `- ${word} — ${name}: ${text}${took}`;
  return next === undefined ? line : `${line}\n  - Next: ${next}`;
}

const formatMs = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
