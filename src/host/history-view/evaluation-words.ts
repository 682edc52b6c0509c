// Short descriptions of stored evaluations for the history view.
import { t } from '@vscode/l10n';
import { formatShare, toLabel } from '../../inspect';
import type { StoredEvaluation } from '../../protocol';

/** Number of judged samples from which their share is shown. */
const MIN_JUDGED = 5;
const MAX_LANES = 20;

/** What evaluations differ in, such as `85 % passed · 3 lanes × 12 rows × 10`. */
export const outcomeOfEvaluation = (evaluation: StoredEvaluation): string =>
  [describePassed(evaluation), describeExtent(evaluation)].filter(Boolean).join(' · ');

function describePassed({ passed, failed, planned, notRun }: StoredEvaluation): string {
  // One that an earlier version stored is told by what is known of it.
  if (notRun === undefined) return t('{0} of {1} passed', passed, planned);
  if (failed === undefined) return t('nothing expected');
  const judged = passed + failed;
  if (judged === 0) return t('none judged');
  return judged < MIN_JUDGED
    ? t('{0} of {1} passed', passed, judged)
    : t('{0} passed', formatShare(passed / judged));
}

function describeExtent({ lanes, rows, repeats }: StoredEvaluation): string {
  if (!lanes || rows === undefined) return '';
  const factors = [
    lanes.length === 1 ? t('1 lane') : t('{0} lanes', lanes.length),
    rows === 1 ? t('1 row') : t('{0} rows', rows),
  ];
  return [...factors, ...(repeats === undefined ? [] : [repeats])].join(' × ');
}

/** What follows the outcome. */
export const restOfEvaluation = ({ name, notRun = 0, isPinned, startedAt }: StoredEvaluation): string =>
  [
    isPinned ? t('pinned') : '',
    name === undefined ? '' : toLabel(name),
    notRun > 0 ? t('{0} not run', notRun) : '',
    new Date(startedAt).toLocaleString(undefined, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
  ]
    .filter(Boolean)
    .join(' · ');

export function tooltipOfEvaluation(evaluation: StoredEvaluation): string {
  const { name, passed, failed, planned, notRun = 0, lanes = [], startedAt } = evaluation;
  const counts = [
    t('{0} passed', passed),
    t('{0} failed', failed ?? 0),
    t('{0} without a verdict', planned - passed - (failed ?? 0) - notRun),
    t('{0} not run', notRun),
  ];
  const lines = [
    name === undefined ? '' : toLabel(name),
    outcomeOfEvaluation(evaluation),
    failed === undefined ? '' : counts.join(', '),
    lanes
      .slice(0, MAX_LANES)
      .map((lane) => toLabel(lane))
      .join(', '),
    new Date(startedAt).toLocaleString(),
  ];
  return lines.filter(Boolean).join('\n');
}

/** Its name, otherwise its outcome and its time. */
export const titleOfEvaluation = (evaluation: StoredEvaluation): string =>
  evaluation.name === undefined
    ? [outcomeOfEvaluation(evaluation), restOfEvaluation(evaluation)].join(' · ')
    : toLabel(evaluation.name);

export const countEvaluations = (count: number): string =>
  count === 1 ? t('1 evaluation') : t('{0} evaluations', count);
