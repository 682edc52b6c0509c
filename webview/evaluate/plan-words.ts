// What an evaluation will send and cost, what is left of it, and what it was, in words. Pure.
import { t } from '@vscode/l10n';
import type {
  EvaluationPlan,
  EvaluationResult,
  EvaluationSnapshot,
  RequestParams,
  StoredEvaluation,
} from '../../src/protocol';
import type { EvaluationLane, LaneSummary } from '../../src/types';
import { countOf, formatCost, formatCount, formatDuration } from '../text/format';

export interface PlanWords {
  title: string;
  /** '' when nothing more is known. */
  rest: string;
}

/** Such as `3 lanes × 20 rows × 10 = 600 requests`, and `about 410 000 tokens in · about $0.27 for b`. */
export function describePlan(plan: EvaluationPlan, lanes: readonly EvaluationLane[]): PlanWords {
  const { rows, samples, stored, addedRepeats = 0 } = plan;
  const repeats = plan.repeats + addedRepeats;
  const factors = describeFactors(lanes.length, rows);
  const isProduct = lanes.length * rows * repeats === samples;
  const product = isProduct
    ? `${[...factors, formatCount(repeats)].join(' × ')} = `
    : `${factors.join(' × ')}: `;
  const parts = [
    stored > 0 ? t('{0} of them are there already', formatCount(stored)) : '',
    describeTokens(plan),
    describeCosts(plan.costUsd, lanes),
    describeQuota(plan),
    plan.durationMs === undefined ? '' : t('about {0}', formatDuration(roundTime(plan.durationMs))),
  ];
  return { title: `${product}${describeRequests(plan)}`, rest: parts.filter(Boolean).join(' · ') };
}

const describeFactors = (lanes: number, rows: number): string[] => [
  countOf(lanes, t('{0} lane'), t('{0} lanes')),
  countOf(rows, t('{0} row'), t('{0} rows')),
];

/** What a stored evaluation was, such as `2 lanes × 3 rows × 10 · 51 of 56 judged samples passed · 4 not run`. */
export function describeRan({
  lanes,
  rows,
  repeats,
  passed,
  failed,
  planned,
  notRun = 0,
}: StoredEvaluation): string {
  const extent = lanes && rows !== undefined ? describeFactors(lanes.length, rows) : [];
  const judged = failed === undefined ? undefined : passed + failed;
  return [
    [...extent, ...(extent.length > 0 && repeats !== undefined ? [formatCount(repeats)] : [])].join(' × '),
    judged === undefined
      ? countOf(planned - notRun, t('{0} sample'), t('{0} samples'))
      : t('{0} of {1} judged samples passed', formatCount(passed), formatCount(judged)),
    notRun > 0 ? t('{0} not run', formatCount(notRun)) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function describeRequests({ samples, mostRequests }: EvaluationPlan): string {
  return mostRequests > samples
    ? t('{0} to {1} requests', formatCount(samples), formatCount(mostRequests))
    : countOf(samples, t('{0} request'), t('{0} requests'));
}

function describeTokens({ promptTokens, completionTokens }: EvaluationPlan): string {
  const [sent, received] = [promptTokens, completionTokens].map(
    (tokens) => tokens !== undefined && formatCount(roundCount(tokens)),
  );
  if (sent && received) return t('about {0} tokens in, {1} out', sent, received);
  if (sent) return t('about {0} tokens in, out unknown', sent);
  return received ? t('about {0} tokens out', received) : '';
}

function describeQuota({ quotaRequests = 0 }: EvaluationPlan): string {
  if (quotaRequests === 0) return '';
  return countOf(
    quotaRequests,
    t("{0} request of your quota of VS Code's models"),
    t("up to {0} requests of your quota of VS Code's models"),
  );
}

/** Such as `about $0.27 for b, no rates for 2 lanes`; `no cost` of the demo and of servers of one's own. */
function describeCosts(costs: EvaluationPlan['costUsd'], lanes: readonly EvaluationLane[]): string {
  const known = lanes.filter(({ id }) => typeof costs[id] === 'number');
  const total = known.reduce((sum, { id }) => sum + (costs[id] ?? 0), 0);
  // What counts against a quota is said by its number of requests.
  const others = lanes.filter(({ id, billing }) => typeof costs[id] !== 'number' && billing !== 'quota');
  const unrated = others.filter(({ id }) => costs[id] === null).length;
  const unknown = others.length - unrated;
  if (total === 0 && known.length === lanes.length) return t('no cost');
  const names = known.map(({ label }) => label).join(', ');
  return [
    known.length === 0 || total === 0
      ? ''
      : known.length < lanes.length
        ? t('about {0} for {1}', formatCost(total), names)
        : t('about {0}', formatCost(total)),
    unrated > 0 ? countOf(unrated, t('no rates for {0} lane'), t('no rates for {0} lanes')) : '',
    unknown > 0 ? countOf(unknown, t('cost of {0} lane unknown'), t('cost of {0} lanes unknown')) : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** What *Run failing again* or *more repeats* will send. */
export function describeMore(
  evaluation: EvaluationSnapshot | undefined,
  start: RequestParams<'evaluation/start'>,
): { samples: number; words: string } {
  const { plan, result, lanes = [] } = evaluation ?? {};
  const rows = plan?.rows ?? 0;
  if (start.more !== undefined) {
    const samples = lanes.length * rows * start.more;
    const words = t(
      '{0} more repeats of each row in each lane: about {1} samples.',
      start.more,
      formatCount(samples),
    );
    return { samples, words: `${words}${warnOfQuota(plan)}` };
  }
  const cases = result?.summary.lanes.reduce((sum, lane) => sum + lane.lostCases, 0) ?? 0;
  const samples = cases * (plan?.repeats ?? 1);
  const words = t(
    'About {0} samples: those that failed stay, and new ones are counted with them.',
    formatCount(samples),
  );
  return { samples, words: `${words}${warnOfQuota(plan)}` };
}

const warnOfQuota = (plan: EvaluationPlan | undefined): string =>
  plan?.quotaRequests ? ` ${t("They use your quota of VS Code's models.")}` : '';

type SpentLane = Pick<LaneSummary, 'laneId' | 'planned' | 'notRun' | 'tokens' | 'costUsd'>;

interface Spent extends Pick<EvaluationResult, 'durationMs' | 'tokens' | 'costUsd'> {
  summary: { lanes: readonly SpentLane[] };
}

/** Such as `19 min 50 s · 466 120 tokens, no counts in 1 lane · $0.27, no rates for 2 lanes`. Says nothing of lanes that did not run. */
export function describeSpent(
  { durationMs, tokens, costUsd, summary }: Spent,
  lanes: readonly EvaluationLane[],
): string {
  const ran = summary.lanes.filter(({ planned, notRun }) => notRun < planned);
  const uncounted = ran.filter((lane) => lane.tokens === undefined).length;
  const gap =
    uncounted > 0 ? countOf(uncounted, t('no counts in {0} lane'), t('no counts in {0} lanes')) : '';
  const counted = countOf(tokens, t('{0} token'), t('{0} tokens'));
  return [
    formatDuration(durationMs),
    tokens > 0 ? [counted, gap].filter(Boolean).join(', ') : t('no token counts'),
    describeCost(costUsd, ran, lanes),
  ].join(' · ');
}

function describeCost(costUsd: number, ran: readonly SpentLane[], lanes: readonly EvaluationLane[]): string {
  const billed = ran.map((lane) => ({
    ...lane,
    billing: lanes.find(({ id }) => id === lane.laneId)?.billing ?? 'unknown',
  }));
  if (billed.every(({ billing }) => billing === 'free')) return t('no cost');
  const rated = billed.filter(({ billing }) => billing === 'rates');
  const unrated = billed.filter(({ billing }) => billing === 'unknown').length;
  const unknown = rated.filter((lane) => lane.costUsd === undefined).length;
  return [
    unknown < rated.length ? formatCost(costUsd) : '',
    unrated > 0 ? countOf(unrated, t('no rates for {0} lane'), t('no rates for {0} lanes')) : '',
    unknown > 0 ? countOf(unknown, t('cost of {0} lane unknown'), t('cost of {0} lanes unknown')) : '',
    billed.some(({ billing }) => billing === 'quota') ? t("quota of VS Code's models used") : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** A guess has no more than two digits that mean something. */
function roundCount(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 1);
  return Math.round(count / unit) * unit;
}

/** Whole minutes from two minutes on, whole seconds below. */
export const roundTime = (durationMs: number): number => {
  const unit = durationMs >= 120_000 ? 60_000 : 1000;
  return Math.max(1, Math.round(durationMs / unit)) * unit;
};
