// Short descriptions of runs, days and playgrounds for the history view.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatDuration, toLabel } from '../../inspect';
import type { Verdict } from '../../protocol';
import type { RunFilter, StoredRun } from '../../session';

const LABEL_LENGTH = 80;
const TOOLTIP_LENGTH = 300;

const list = (values: readonly string[]): string => values.map((value) => toLabel(value)).join(', ');

export function nameOutcome(kind: Verdict['kind']): string {
  const words: Readonly<Record<Verdict['kind'], string>> = {
    native: t('native call'),
    rescued: t('rescued call'),
    malformed: t('malformed call'),
    none: t('no call'),
    answer: t('answer'),
    failed: t('failed'),
    stopped: t('stopped'),
    interrupted: t('interrupted'),
  };
  // Stored files may have been written by anyone.
  return words[kind] ?? toLabel(kind);
}

export const outcomeIcon = (kind: Verdict['kind']): vscode.ThemeIcon => {
  switch (kind) {
    case 'native':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'rescued':
      return new vscode.ThemeIcon('wand', new vscode.ThemeColor('testing.iconPassed'));
    case 'malformed':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'stopped':
    case 'interrupted':
      return new vscode.ThemeIcon('debug-stop');
    default:
      return new vscode.ThemeIcon('comment');
  }
};

/** Name of the run, otherwise its question. */
export function titleOfRun({ name, question }: StoredRun): string {
  const title = name ?? question.replaceAll(/\s+/g, ' ').trim();
  return title === '' ? t('A run without a message') : toLabel(title, LABEL_LENGTH);
}

/** What runs differ in; a narrow list cuts off what follows, such as the question. */
export const outcomeOfRun = ({ model, verdict }: StoredRun): string =>
  join([nameOutcome(verdict.kind), toLabel(model)]);

/** What follows the outcome. */
export const restOfRun = (run: StoredRun): string =>
  join([
    ...(run.step === undefined ? [titleOfRun(run)] : [t('step {0}', run.step), run.name ?? '']),
    ...(run.replayOf === undefined ? [] : [t('replay')]),
    timeOf(run),
  ]);

/** What follows the outcome of an agent run. @param steps Its steps, the last one first. */
export const restOfSteps = (steps: readonly StoredRun[], last: StoredRun): string =>
  join([t('{0} steps', steps.length), titleOfRun({ ...last, name: undefined }), timeOf(last)]);

export const describeRun = (run: StoredRun): string => join([outcomeOfRun(run), timeOf(run)]);

const timeOf = ({ at }: StoredRun): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });

const join = (parts: readonly string[]): string => parts.filter(Boolean).join(' · ');

export function tooltipOfRun(run: StoredRun): string {
  const { askedBy, at, connection, durationMs, model, question, reply, tools, verdict } = run;
  const lines = [
    run.name === undefined ? '' : toLabel(run.name, TOOLTIP_LENGTH),
    toLabel(question, TOOLTIP_LENGTH),
    reply === '' ? '' : `→ ${toLabel(reply, TOOLTIP_LENGTH)}`,
    [nameOutcome(verdict.kind), toLabel(verdict.detail)].filter(Boolean).join(', '),
    [toLabel(connection), toLabel(model)].filter(Boolean).join(' · '),
    askedBy === undefined ? '' : t('Asked by {0}', toLabel(askedBy)),
    tools.length > 0 ? t('Tools: {0}', list(tools)) : '',
    t('{0}, {1}', new Date(at).toLocaleString(), formatDuration(durationMs)),
  ];
  return lines.filter(Boolean).join('\n');
}

/** Local date such as `2026-05-01`, by which runs are grouped into days. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const parts = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return [date.getFullYear(), ...parts].join('-');
}

export function nameDay(day: string, now: number): string {
  if (day === dayOf(now)) return t('Today');
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === dayOf(yesterday.getTime())) return t('Yesterday');
  const form = { weekday: 'short', year: 'numeric', month: 'long', day: 'numeric' } as const;
  return new Date(`${day}T12:00:00`).toLocaleDateString(undefined, form);
}

export function countRuns(count: number): string {
  return count === 1 ? t('1 run') : t('{0} runs', count);
}

/** Describes the active filter, for display above the tree. */
export function describeFilter({ models, verdicts, tools, text }: RunFilter): string {
  return [
    models.length > 0 ? t('model {0}', list(models)) : '',
    verdicts.length > 0
      ? t('outcome {0}', verdicts.map((kind) => nameOutcome(kind as Verdict['kind'])).join(', '))
      : '',
    tools.length > 0 ? t('tool {0}', list(tools)) : '',
    text === '' ? '' : t('text “{0}”', toLabel(text)),
  ]
    .filter(Boolean)
    .join(' · ');
}
