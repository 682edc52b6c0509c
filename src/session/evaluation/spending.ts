// What the samples of an evaluation have cost so far, and whether another one may begin. Unknown amounts are never 0.
import { t } from '@vscode/l10n';
import type { PlaygroundDocument } from '../../protocol';
import type { ReplyLimits } from '../../types';
import type { RunRecord } from '../run/record/run-record';

export type SpendingLimits = Pick<PlaygroundDocument['evaluate'], 'maxCostUsd' | 'maxRequests'>;

/** The latest amounts, of which the median is taken. */
const MAX_KEPT = 200;
const MIN_FOR_MEDIAN = 3;

export class Spending {
  /** Requests that were sent, with every attempt. */
  requests = 0;
  tokens = 0;
  costUsd = 0;
  readonly #costs: number[] = [];
  readonly #times: number[] = [];

  /** @param records Of one sample. */
  add(records: readonly RunRecord[]): void {
    let [timeMs, costUsd] = [0, 0];
    for (const { ledger, turn, durationMs } of records) {
      const usage: NonNullable<RunRecord['turn']>['usage'] = turn?.usage ?? {};
      this.requests += Math.max(1, ledger.length);
      this.tokens += (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0);
      costUsd += usage.costUsd ?? 0;
      timeMs += durationMs;
    }
    this.costUsd += costUsd;
    keep(this.#costs, costUsd);
    keep(this.#times, timeMs);
  }

  /** Adds a sample that was stored. */
  addStored({ attempts = 1, totalTokens = 0, costUsd = 0, timeMs = 0 }: ReplyLimits): void {
    this.requests += attempts;
    this.tokens += totalTokens;
    this.costUsd += costUsd;
    keep(this.#costs, costUsd);
    keep(this.#times, timeMs);
  }

  /** Of a sample, in milliseconds; undefined before three of them. */
  get medianMs(): number | undefined {
    return this.#times.length < MIN_FOR_MEDIAN ? undefined : medianOf(this.#times);
  }

  /** Whether one more sample might exceed a limit, as far as can be told from those before. */
  isOver({ maxCostUsd, maxRequests }: SpendingLimits, underWay: number): boolean {
    if (maxRequests !== undefined && this.requests + underWay >= maxRequests) return true;
    return maxCostUsd !== undefined && this.costUsd + underWay * medianOf(this.#costs) >= maxCostUsd;
  }

  describe({ maxCostUsd, maxRequests }: SpendingLimits): string {
    return maxRequests !== undefined && this.requests >= maxRequests
      ? t('{0} of {1} requests were sent.', this.requests, maxRequests)
      : t('{0} of {1} USD were spent.', this.costUsd.toFixed(4), maxCostUsd ?? 0);
  }
}

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > MAX_KEPT) values.shift();
}

/** 0 without a value. */
export function medianOf(values: readonly number[]): number {
  // Numbers alone are sorted many times faster than by a function.
  const sorted = Float64Array.from(values).toSorted();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
