// The rates of a lane in words and numbers, as the Evaluate view has them. An unknown figure is a dash, never 0. Pure.
import { t } from '@vscode/l10n';
import type { Billing, CaseSummary, EvaluationSummary, Gates, Interval, LaneSummary } from '../../../types';
import { countOf, formatCost, formatDuration } from '../../count-words';

export const NONE = '–';

/** With fewer judged samples a share says nothing, so the count is shown. */
const MIN_JUDGED = 5;

/** Such as `70 %`; 0 and 100 only for none and all. */
export const formatShare = (share: number): string => t('{0} %', toPercent(share));

/** Such as `53 to 82 %`. */
export const formatInterval = ({ low, high }: Interval): string =>
  t('{0} to {1} %', toPercent(low), toPercent(high));

function toPercent(share: number): string {
  const isRoundedAway = share > 0 && share < 1 && [0, 100].includes(Math.round(share * 100));
  if (!isRoundedAway) return String(Math.round(share * 100));
  return (Math.min(999, Math.max(1, Math.round(share * 1000))) / 10).toFixed(1);
}

/** Such as `70 % (139 of 200)`. */
export function describeRate({ rate, passed, failed, bounds }: LaneSummary): string {
  const judged = passed + failed;
  const count = t('{0} of {1}', passed, judged);
  if (judged === 0) return t('none judged');
  if (rate === undefined || judged < MIN_JUDGED) return count;
  return bounds
    ? t('{0} ({1}; {2} with those that have no verdict)', formatShare(rate), count, formatInterval(bounds))
    : `${formatShare(rate)} (${count})`;
}

/** Such as `not met: mean below 95 %, 2 rows below 90 %`. */
export function describeGate(lane: LaneSummary, gates: Gates, { cases, isEnded }: EvaluationSummary): string {
  const { gate, lostCases, laneId } = lane;
  const share = formatShare(gates.case);
  const lost = [
    ...(gate === 'lost' ? [t('mean below {0}', formatShare(gates.lane ?? 0))] : []),
    ...(lostCases > 0
      ? [countOf(lostCases, t('{0} row below {1}', '{0}', share), t('{0} rows below {1}', '{0}', share))]
      : []),
  ];
  if (lost.length > 0) return t('not met: {0}', lost.join(', '));
  const open = cases.filter((one) => one.laneId === laneId && one.gate === 'open').length;
  if (open === 0) return t('met');
  return isEnded ? countOf(open, t('open: {0} row not judged'), t('open: {0} rows not judged')) : t('open');
}

/** Such as `each row 90 %, each lane 95 %`. */
export const describeGates = (gates: Gates): string =>
  gates.lane === undefined
    ? t('each row {0}', formatShare(gates.case))
    : t('each row {0}, each lane {1}', formatShare(gates.case), formatShare(gates.lane));

/** Such as `6 of 10 passed; before: 10 of 10`. */
export function describeCase({ passed, failed, before }: CaseSummary): string {
  const judged = passed + failed;
  const now = judged === 0 ? t('none judged') : t('{0} of {1} passed', passed, judged);
  const judgedBefore = before ? before.passed + before.failed : 0;
  return before && judgedBefore > 0 ? t('{0}; before: {1} of {2}', now, before.passed, judgedBefore) : now;
}

/** The chance that k samples of a row all pass. @param rows Number of rows of the evaluation */
export function describePower({ passPower }: LaneSummary, k: number, rows: number): string {
  const power = passPower.find((one) => one.k === k);
  if (!power) return NONE;
  const share = formatShare(power.all);
  return power.rows === rows
    ? share
    : t('{0} of {1}', share, countOf(power.rows, t('{0} row'), t('{0} rows')));
}

/** Such as `19 min 50 s`. */
export function formatLong(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return seconds < 60
    ? formatDuration(durationMs)
    : t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

/** Such as `1.1 s, p90 2.0 s`. */
export function describeTimes({ medianMs, p90Ms, firstMs }: LaneSummary): string {
  if (medianMs === undefined)
    return firstMs === undefined ? NONE : t('{0} (first sample)', formatDuration(firstMs));
  return p90Ms === undefined
    ? formatDuration(medianMs)
    : t('{0}, p90 {1}', formatDuration(medianMs), formatDuration(p90Ms));
}

export const describeTokens = ({ tokens, ...lane }: LaneSummary): string =>
  tokens ? describeSum(String(tokens.total), tokens.samples, lane) : t('not reported');

export function describeCost({ costUsd, ...lane }: LaneSummary, billing: Billing): string {
  if (costUsd) return describeSum(formatCost(costUsd.total), costUsd.samples, lane);
  return NO_COST[billing]();
}

/** Why there is no sum. */
const NO_COST: Readonly<Record<Billing, () => string>> = {
  rates: () => t('not known'),
  free: () => t('no cost'),
  quota: () => t("quota of VS Code's models"),
  unknown: () => t('no rates'),
};

/** Says of how many samples the sum is, unless it is of all that ran. */
const describeSum = (
  sum: string,
  samples: number,
  { planned, notRun }: Pick<LaneSummary, 'planned' | 'notRun'>,
): string =>
  samples === planned - notRun
    ? sum
    : t('{0} of {1}', sum, countOf(samples, t('{0} sample'), t('{0} samples')));
