// Adds up token counts. A count that was never reported stays unknown.
import type { TokenUsage } from '../../types';

/** The sum of the reported counts; a count that was never reported is absent. */
export function sumUsage(usages: readonly TokenUsage[]): TokenUsage {
  const usage: TokenUsage = {};
  for (const key of ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const) {
    const sum = sumKnown(usages.map((one) => one[key]));
    if (sum !== undefined) usage[key] = sum;
  }
  return usage;
}

/** The sum of the known values; undefined when none is known. */
export function sumKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
