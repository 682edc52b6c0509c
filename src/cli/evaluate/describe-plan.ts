// Says before an evaluation what it would send and cost. What nobody can know is called unknown. Pure.
import { t } from '@vscode/l10n';
import { countOf, formatCost, formatLong } from '../../inspect';
import type { EvaluationPlan } from '../../protocol';
import type { Batch } from '../../session';

/**
 * Such as `3 lanes × 40 rows × 5 repeats: 600 requests; about 410000 tokens in, 60000 out; $0.31 for b, no rates for c`.
 * @param planned How many samples are sent: fewer for a shard, and where some are there already.
 */
export function describePlan(
  { lanes, setting }: Pick<Batch, 'lanes' | 'setting'>,
  plan: Omit<EvaluationPlan, 'stored' | 'left'>,
  planned = setting.sampleCount,
): string {
  const { rows, mostRequests, promptTokens, completionTokens, costUsd, durationMs } = plan;
  const sent =
    setting.evaluate.mode === 'agent'
      ? t('up to {0} requests', mostRequests)
      : countOf(mostRequests, t('{0} request'), t('{0} requests'));
  const tokens = [
    ...(promptTokens === undefined ? [] : [t('about {0} tokens in', promptTokens)]),
    completionTokens === undefined ? t('unknown tokens out') : t('{0} out', completionTokens),
  ];
  const ids = lanes.map(({ config }) => config.id);
  const unrated = ids.filter((id) => costUsd[id] === null);
  const unknown = ids.filter((id) => costUsd[id] === undefined);
  const isFree = ids.every((id) => costUsd[id] === 0);
  const costs = [
    ...(isFree ? [t('no cost')] : []),
    ...ids.flatMap((id) =>
      isFree || costUsd[id] == null ? [] : [t('{0} for {1}', formatCost(costUsd[id]), id)],
    ),
    ...(unrated.length > 0 ? [t('no rates for {0}', unrated.join(', '))] : []),
    ...(unknown.length > 0 ? [t('unknown cost for {0}', unknown.join(', '))] : []),
  ];
  const time = durationMs === undefined ? t('unknown time') : t('about {0}', formatLong(durationMs));
  const size = [
    countOf(lanes.length, t('{0} lane'), t('{0} lanes')),
    countOf(rows, t('{0} row'), t('{0} rows')),
    describeRepeats(setting),
  ];
  const all = size.join(' × ');
  if (planned === 0) return t('{0}: nothing is left to send', all);
  const part = planned < setting.sampleCount ? [t('{0} of {1} samples', planned, setting.sampleCount)] : [];
  return `${all}: ${[...part, sent, tokens.join(', '), costs.join(', '), time].join('; ')}`;
}

/** Rows may have their own numbers, and the product is then no number of samples. */
function describeRepeats(setting: Batch['setting']): string {
  const counts = setting.rows.map((row) => setting.repeatsOf(row));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least < most
    ? t('{0} to {1} repeats', least, most)
    : countOf(most, t('{0} repeat'), t('{0} repeats'));
}
