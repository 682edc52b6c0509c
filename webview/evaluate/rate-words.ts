// Rates of an evaluation in words. A rate of fewer than five samples is not shown: the count is. Pure.
import { t } from '@vscode/l10n';
import type { Billing, CaseSummary, Gates, Interval, LaneSummary } from '../../src/types';
import { formatCount } from '../text/format';

/** Number of judged samples from which a share is shown as a percentage. */
const MIN_JUDGED = 5;

const judgedOf = ({ passed, failed }: { passed: number; failed: number }): number => passed + failed;

/** Such as `6/10`: passed of judged; `–` when none was. */
export function countRate(counts: { passed: number; failed: number }): string {
  const judged = judgedOf(counts);
  return judged === 0 ? '–' : `${formatCount(counts.passed)}/${formatCount(judged)}`;
}

type Rated = Pick<LaneSummary, 'rate' | 'passed' | 'failed'>;

const isCount = (lane: Rated): boolean => lane.rate === undefined || judgedOf(lane) < MIN_JUDGED;

/** Such as `70 %`, below five judged samples `3 of 4`. */
export function describeRate(lane: Rated): string {
  const judged = judgedOf(lane);
  if (judged === 0) return t('none judged');
  return isCount(lane) || lane.rate === undefined
    ? t('{0} of {1}', formatCount(lane.passed), formatCount(judged))
    : formatShare(lane.rate);
}

/** Of how many samples the rate is; '' when it says so itself. */
export const countBeside = (lane: Rated): string => (isCount(lane) ? '' : countRate(lane));

/** What stands in a column of costs where there is none. */
export function noCostWord(billing: Billing): string {
  if (billing === 'free') return t('no cost');
  return billing === 'quota' ? t('quota') : t('not known');
}

/** Such as `53 to 82 %`. */
export const describeInterval = ({ low, high }: Interval): string =>
  t('{0} to {1} %', toPercent(low), toPercent(high));

/** Such as `7 of 10 passed`. */
export function describePassed(summary: CaseSummary): string {
  if (summary.notRun === summary.planned) return t('Not run');
  const judged = judgedOf(summary);
  return judged === 0
    ? t('None judged')
    : t('{0} of {1} passed', formatCount(summary.passed), formatCount(judged));
}

/** Such as `31 to 83 %; 9 of 10 required`, and of a part `3 not run`. */
export function describeCase(summary: CaseSummary, gates: Gates): string {
  const judged = judgedOf(summary);
  const needed = t(
    '{0} of {1} required',
    requiredOf(summary.planned, gates.case),
    formatCount(summary.planned),
  );
  const { interval, notRun } = summary;
  return [
    judged < MIN_JUDGED || !interval ? '' : describeInterval(interval),
    needed,
    notRun > 0 && notRun < summary.planned ? t('{0} not run', formatCount(notRun)) : '',
  ]
    .filter(Boolean)
    .join('; ');
}

/** Number of samples that must pass; the share may be a decimal fraction that is not exact. */
export const requiredOf = (planned: number, share: number): number =>
  Math.max(Math.ceil(planned * share - 1e-9), 0);

export const formatShare = (share: number): string => t('{0} %', toPercent(share));

/** 100 and 0 are only for all and none. */
function toPercent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return share < 0.9995 ? (share * 100).toFixed(1) : '99.9';
  if (rounded === 0 && share > 0) return (share * 100).toFixed(1);
  return String(rounded);
}
