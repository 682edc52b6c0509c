// What a call cost, from the caller's own rates. There is no price table: it would go stale silently.
import type { TokenCost, TokenUsage } from '../../types';
import { InvalidOptionsError } from '../errors';
import { checkNumber, checkRecord } from '../util/check-options';

/** @throws InvalidOptionsError when a rate is missing or negative. */
export function checkRates(rates: TokenCost | undefined): void {
  if (rates === undefined) return;
  checkRecord('costPer1kTokens', rates);
  for (const side of ['input', 'output'] as const) {
    if (rates[side] === undefined) throw new InvalidOptionsError(`costPer1kTokens.${side}`, 'is missing');
    checkNumber(`costPer1kTokens.${side}`, rates[side], { min: 0 });
  }
}

/** USD; undefined when there are no rates or the server did not tell both counts. */
export function costUsd(usage: TokenUsage, rates: TokenCost | undefined): number | undefined {
  const { promptTokens, completionTokens } = usage;
  if (!rates || promptTokens === undefined || completionTokens === undefined) return undefined;
  return (promptTokens * rates.input + completionTokens * rates.output) / 1000;
}

/** USD, for vectors: nothing is written, so a count of the completion may be missing. */
export const embeddingCostUsd = (usage: TokenUsage, rates: TokenCost | undefined): number | undefined =>
  costUsd({ completionTokens: 0, ...usage }, rates);
