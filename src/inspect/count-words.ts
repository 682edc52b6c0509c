// Formats numbers with their words, in one way everywhere.
import { t } from '@vscode/l10n';

/** `1 call`, `2 calls`: fills the number into the one of the two texts that fits; both contain `{0}`. */
export const countOf = (count: number, one: string, many: string): string =>
  (count === 1 ? one : many).replace('{0}', String(count));

/** `740 ms`, `3.9 s`, `75.0 s`. */
export function formatDuration(durationMs: number): string {
  const milliseconds = Math.round(durationMs);
  return milliseconds < 1000 ? t('{0} ms', milliseconds) : t('{0} s', (milliseconds / 1000).toFixed(1));
}

/** Such as `$0.00012`: two significant digits below a cent, so that a small cost is not 0. */
export function formatCost(costUsd: number): string {
  if (costUsd === 0) return '$0';
  if (costUsd >= 0.01) return `$${costUsd.toFixed(2)}`;
  const decimals = Math.min(20, 1 - Math.floor(Math.log10(costUsd)));
  return `$${costUsd.toFixed(decimals).replace(/0+$/, '')}`;
}
