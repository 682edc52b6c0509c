// What the summary and the warnings of a lane need of a case, so that they need not read its samples again. Pure.
import type { JudgedSample } from '../../types';

/** The sum of an amount, and the number of samples for which it is known. */
export interface KnownSum {
  total: number;
  samples: number;
}

export interface CaseFigures {
  validArguments: { valid: number; of: number };
  tokens: KnownSum;
  costUsd: KnownSum;
  /** Of replies, in the order of their repeats: a failed request may fail fast. */
  timesMs: number[];
  /** Repeat of the first of these times. */
  firstTimed: number;
  requeued: number;
  /** Samples for which no expectation holds. */
  withoutExpectation: number;
  models: string[];
  replies: number;
  /** Number of replies that differ from all earlier ones. */
  differentReplies: number;
  /** Samples whose header names a cache. */
  cached: number;
  cacheHeader: string | undefined;
  /** Times of the other replies that equal an earlier one; 0 where the server counted no tokens, as for a reply that it repeats. */
  repeatedMs: number[];
}

/** @param ran The samples of the case that ran, in the order of their repeats */
export function toFigures(ran: readonly JudgedSample[]): CaseFigures {
  const figures: CaseFigures = {
    validArguments: { valid: 0, of: 0 },
    tokens: { total: 0, samples: 0 },
    costUsd: { total: 0, samples: 0 },
    timesMs: [],
    firstTimed: Number.POSITIVE_INFINITY,
    requeued: 0,
    withoutExpectation: 0,
    models: [],
    replies: 0,
    differentReplies: 0,
    cached: 0,
    cacheHeader: undefined,
    repeatedMs: [],
  };
  for (const sample of ran) {
    addAmounts(figures, sample);
    if ((sample.requeued ?? 0) > 0) figures.requeued += 1;
    if (sample.hasExpectations === false) figures.withoutExpectation += 1;
    if (sample.model !== undefined && !figures.models.includes(sample.model))
      figures.models.push(sample.model);
    if (sample.cache === undefined) continue;
    figures.cached += 1;
    figures.cacheHeader ??= sample.cache;
  }
  addReplies(figures, ran);
  return figures;
}

function addAmounts(figures: CaseFigures, sample: JudgedSample): void {
  const { hasValidArguments, costUsd, timeMs, outcome } = sample;
  if (hasValidArguments !== undefined) figures.validArguments.of += 1;
  if (hasValidArguments) figures.validArguments.valid += 1;
  addAmount(figures.tokens, tokensOf(sample));
  addAmount(figures.costUsd, costUsd);
  if (timeMs === undefined || outcome === undefined) return;
  figures.timesMs.push(timeMs);
  figures.firstTimed = Math.min(figures.firstTimed, sample.repeat);
}

function addReplies(figures: CaseFigures, ran: readonly JudgedSample[]): void {
  const seen = new Set<string>();
  for (const sample of ran) {
    const { replyHash, timeMs, cache } = sample;
    if (replyHash === undefined) continue;
    figures.replies += 1;
    const isRepeated = seen.has(replyHash);
    seen.add(replyHash);
    if (!isRepeated || cache !== undefined) continue;
    if (tokensOf(sample) === 0) figures.repeatedMs.push(0);
    else if (timeMs !== undefined) figures.repeatedMs.push(timeMs);
  }
  figures.differentReplies = seen.size;
}

const tokensOf = ({ promptTokens, completionTokens }: JudgedSample): number | undefined =>
  promptTokens === undefined || completionTokens === undefined ? undefined : promptTokens + completionTokens;

function addAmount(sum: KnownSum, amount: number | undefined): void {
  if (amount === undefined) return;
  sum.total += amount;
  sum.samples += 1;
}
