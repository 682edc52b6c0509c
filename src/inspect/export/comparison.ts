// The runs of an export side by side: one row a run, and whether they were sent the same. Pure.
import { t } from '@vscode/l10n';
import { sumKnown, sumUsage } from '../../library';
import type { TokenUsage } from '../../types';
import { formatCost, formatDuration } from '../count-words';
import { printNormal } from '../normal-form';
import type { ExportPart } from './export-document';
import type { ExportedRun, ExportedSetup } from './exported-run';
import { describeSettings, formatRate, formatTokens, outcomeOf } from './run-figures';

/** One row a run: the totals of all steps that led to it, as the strip of its lane has them. */
export function toComparison(runs: readonly ExportedRun[]): ExportPart[] {
  const head = [
    t('Lane'),
    t('Connection'),
    t('Model'),
    t('Outcome'),
    t('Calls'),
    t('Steps'),
    t('Tokens'),
    t('Time'),
    t('First token'),
    t('Tokens per second'),
    t('Attempts'),
    t('Cost'),
    t('Settings'),
  ];
  const items = unlikeNotes(runs);
  return [
    { kind: 'table', title: t('Outcomes'), head, rows: runs.map(toRow) },
    ...(items.length > 0 ? [{ kind: 'list' as const, title: t('Not sent alike'), items }] : []),
  ];
}

function toRow(run: ExportedRun): string[] {
  const { title, connection, model, firstTokenMs, rates } = run;
  const steps = [...(run.steps ?? []), run];
  const { usage, durationMs, costUsd } = totalsOf(run, steps);
  return [
    title,
    connection,
    model,
    outcomeOf(run),
    steps.flatMap(({ calls }) => calls.map(({ name }) => name)).join(', '),
    String(steps.length),
    formatTokens(usage) || t('not reported'),
    formatDuration(durationMs),
    firstTokenMs === undefined ? '' : formatDuration(firstTokenMs),
    formatRate(rates),
    // A connection that is set up again belongs to its attempt.
    String(sumKnown(steps.map(({ ledger }) => Math.max(0, ...ledger.map(({ attempt }) => attempt)))) ?? 0),
    costUsd === undefined ? '' : formatCost(costUsd),
    describeSettings(run),
  ];
}

/** An agent run has its own totals, with the time of its calls; an interrupted one never got any. */
function totalsOf(
  { ending }: ExportedRun,
  steps: readonly ExportedRun[],
): { usage: TokenUsage; durationMs: number; costUsd?: number | undefined } {
  if (ending && ending.stopReason !== 'interrupted') return ending;
  return {
    usage: sumUsage(steps.map(({ usage }) => usage ?? {})),
    durationMs: sumKnown(steps.map(({ durationMs }) => durationMs)) ?? 0,
    costUsd: sumKnown(steps.map(({ usage }) => usage?.costUsd)),
  };
}

/** What has to be the same for two replies to be compared. */
const COMPARED: readonly { name: () => string; of: (setup: ExportedSetup) => unknown }[] = [
  // A blank system prompt is not sent.
  { name: () => t('system prompt'), of: ({ system }) => (system.trim() === '' ? '' : system) },
  {
    name: () => t('tools'),
    of: ({ tools }) =>
      tools.map(({ name, description = '', parameters }) => ({ name, description, parameters })),
  },
  {
    name: () => t('messages'),
    of: ({ messages }) => messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])),
  },
];

function unlikeNotes(runs: readonly ExportedRun[]): string[] {
  const setups = runs.flatMap(({ setup }) => setup ?? []);
  const parts = COMPARED.filter(({ of }) => new Set(setups.map((setup) => printNormal(of(setup)))).size > 1);
  const unknown = runs.filter(({ setup }) => !setup).map(({ title }) => title);
  return [
    ...(parts.length > 0
      ? [
          t(
            'The runs were sent different parts, so their figures do not compare: {0}.',
            parts.map(({ name }) => name()).join(', '),
          ),
        ]
      : []),
    ...(unknown.length > 0 ? [t('It is not known what was sent in: {0}.', unknown.join(', '))] : []),
  ];
}
