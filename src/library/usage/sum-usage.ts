// Token counts added up. A count that nobody told stays unknown.
import type { TokenUsage } from '../../types';

/** The sum of what was told; a count that never was is absent. */
export function sumUsage(usages: readonly TokenUsage[]): TokenUsage {
  const usage: TokenUsage = {};
  for (const key of ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const) {
    const sum = sumKnown(usages.map((one) => one[key]));
    if (sum !== undefined) usage[key] = sum;
  }
  return usage;
}

/** Undefined when none is known. */
export function sumKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
