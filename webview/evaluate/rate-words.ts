// Rates of an evaluation in words. A rate of fewer than five samples is not shown: the count is. Pure.
import { t } from '@vscode/l10n';
import type { CaseSummary, Gates, Interval, LaneSummary } from '../../src/types';
import { formatCount } from '../text/format';

/** Number of judged samples from which a share is shown as a percentage. */
const MIN_JUDGED = 5;

export const judgedOf = ({ passed, failed }: { passed: number; failed: number }): number => passed + failed;

/** Such as `6/10`: passed of judged. */
export const countRate = (counts: { passed: number; failed: number }): string =>
  `${formatCount(counts.passed)}/${formatCount(judgedOf(counts))}`;

/** Such as `70 %`, below five judged samples `3 of 4`. */
export function describeRate(lane: Pick<LaneSummary, 'rate' | 'passed' | 'failed'>): string {
  const judged = judgedOf(lane);
  if (judged === 0) return t('none judged');
  return lane.rate === undefined || judged < MIN_JUDGED
    ? t('{0} of {1}', formatCount(lane.passed), formatCount(judged))
    : formatShare(lane.rate);
}

/** Such as `53 to 82 %`. */
export const describeInterval = ({ low, high }: Interval): string =>
  t('{0} to {1} %', toPercent(low), toPercent(high));

/** Such as `31 to 83 %; 9 of 10 required`. */
export function describeCase(summary: CaseSummary, gates: Gates): string {
  const judged = judgedOf(summary);
  const needed = t(
    '{0} of {1} required',
    requiredOf(summary.planned, gates.case),
    formatCount(summary.planned),
  );
  const { interval } = summary;
  return judged < MIN_JUDGED || !interval ? needed : `${describeInterval(interval)}; ${needed}`;
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
