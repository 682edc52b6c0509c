// Computes the cost of a call from rates that the caller supplies. There is no price table, because it would go stale
// silently.
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

/** Cost in USD; undefined without rates, or when the server did not report both counts. */
export function costUsd(usage: TokenUsage, rates: TokenCost | undefined): number | undefined {
  const { promptTokens, completionTokens } = usage;
  if (!rates || promptTokens === undefined || completionTokens === undefined) return undefined;
  return (promptTokens * rates.input + completionTokens * rates.output) / 1000;
}

/** Cost of embeddings in USD. No tokens are generated, so a missing completion count is taken as 0. */
export const embeddingCostUsd = (usage: TokenUsage, rates: TokenCost | undefined): number | undefined =>
  costUsd({ completionTokens: 0, ...usage }, rates);
