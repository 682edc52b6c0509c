// The figures and the settings of an exported run in words, as its lane shows them. An unknown figure is '', never 0. Pure.
import { t } from '@vscode/l10n';
import type { TokenRates, TokenUsage } from '../../types';
import type { ExportedRun } from './exported-run';

export const outcomeOf = ({ verdict: { kind, detail } }: ExportedRun): string =>
  detail === '' ? kind : `${kind}, ${detail}`;

export function formatTokens({ promptTokens, completionTokens }: TokenUsage = {}): string {
  const counts = [
    ...(promptTokens === undefined ? [] : [t('{0} prompt', promptTokens)]),
    ...(completionTokens === undefined ? [] : [t('{0} completion', completionTokens)]),
  ];
  return counts.join(', ');
}

export const formatRate = ({ completionPerSecond }: Partial<TokenRates> = {}): string =>
  completionPerSecond === undefined ? '' : completionPerSecond.toFixed(1);

/** Such as `temperature: 0, rescueToolCalls: true`, in the words of the playground's file. */
export function describeSettings({ setup, ending, steps }: ExportedRun): string {
  if (!setup) return t('not known');
  const { sampling, rescueToolCalls, toolChoice, raw, limits } = setup;
  const isAgent = ending !== undefined || steps !== undefined;
  return Object.entries({ ...sampling, rescueToolCalls, toolChoice, raw, ...(isAgent && { limits }) })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`]))
    .join(', ');
}
