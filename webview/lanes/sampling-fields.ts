// The sampling fields of a lane: their labels, how a typed text becomes a value, and how a value is shown. Does
// not touch the DOM.
import { t } from '@vscode/l10n';
import type { ConnectionView, DocumentLane, LaneLimits, SentSettings } from '../../src/protocol';
import type { SamplingParams } from '../../src/types';
import { countOf, formatCost } from '../text/format';
import type { ParsedField } from './parsed-field';

export type SamplingKey = keyof SamplingParams;

interface SamplingField {
  /** Accessible name. */
  label: () => string;
  /** Name in the line below the lane strip. */
  shortName: () => string;
  kind: 'number' | 'whole-number' | 'lines';
}

export const SAMPLING_FIELDS: Readonly<Record<SamplingKey, SamplingField>> = {
  temperature: { label: () => t('Temperature'), shortName: () => t('temperature'), kind: 'number' },
  topP: { label: () => t('Top P'), shortName: () => t('top P'), kind: 'number' },
  topK: { label: () => t('Top K'), shortName: () => t('top K'), kind: 'whole-number' },
  seed: { label: () => t('Seed'), shortName: () => t('seed'), kind: 'whole-number' },
  maxTokens: { label: () => t('Max tokens'), shortName: () => t('max tokens'), kind: 'whole-number' },
  numCtx: { label: () => t('Context size'), shortName: () => t('context'), kind: 'whole-number' },
  stop: { label: () => t('Stop sequences'), shortName: () => t('stop sequences'), kind: 'lines' },
  repeatPenalty: { label: () => t('Repeat penalty'), shortName: () => t('repeat penalty'), kind: 'number' },
};
const SAMPLING_KEYS = Object.keys(SAMPLING_FIELDS) as SamplingKey[];

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MAX_STOP_SEQUENCES = 64;

/** An empty field has no value, so its key is not sent. */
export function parseSampling(key: SamplingKey, text: string): ParsedField {
  const { kind } = SAMPLING_FIELDS[key];
  if (kind === 'lines') return parseLines(text);
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  const value = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (kind === 'whole-number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { problem: t('is too large') };
    return Number.isSafeInteger(value) ? { value } : { problem: t('must be a whole number') };
  }
  return Number.isFinite(value) ? { value } : { problem: t('must be a number') };
}

/** The value as it would be typed; '' if it is not set. */
export function showSampling(value: SamplingParams[SamplingKey]): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

type DescribedLane = Pick<DocumentLane, 'sampling' | 'rescueToolCalls'> &
  Partial<Pick<DocumentLane, 'toolChoice' | 'raw'> & Pick<SentSettings, 'rawKeys'>> &
  Pick<SentSettings, 'limits'> &
  Partial<Pick<ConnectionView, 'isInEditor'>>;

/**
 * Summary such as `temperature 0 · seed 7 · 4 more · 4 steps at most`; switched-off features come first.
 * @param wrong Number of fields whose text does not parse.
 */
export function describeSettings(lane: DescribedLane, wrong = 0): string {
  const { sampling, rescueToolCalls, toolChoice, raw = {}, rawKeys = Object.keys(raw).length } = lane;
  const parts = SAMPLING_KEYS.filter((key) => sampling[key] !== undefined).map((key) =>
    describeValue(key, sampling),
  );
  if (toolChoice !== undefined) {
    parts.unshift(t('tool choice {0}', typeof toolChoice === 'string' ? toolChoice : toolChoice.tool));
  }
  if (!rescueToolCalls) parts.unshift(t('rescue off'));
  if (rawKeys > 0) parts.push(countOf(rawKeys, t('{0} raw key'), t('{0} raw keys')));
  const limits = describeLimits(lane.limits);
  const bad = wrong === 0 ? [] : [countOf(wrong, t('{0} field is not valid'), t('{0} fields are not valid'))];
  if (parts.length + limits.length + bad.length === 0)
    return nothingSet(lane.isInEditor === true ? 'model' : 'server');
  const shown = parts.length > 3 ? [...parts.slice(0, 2), t('{0} more', parts.length - 2)] : parts;
  return [...bad, ...shown, ...limits].join(' · ');
}

/** @param whose Whose defaults apply: VS Code passes requests on to a model, of whose server nothing is known. */
export const nothingSet = (whose: 'server' | 'model'): string =>
  whose === 'model'
    ? t("nothing set, so the model's defaults apply")
    : t("nothing set, so the server's defaults apply");

/** Such as `4 steps, 4 000 tokens at most`. */
function describeLimits({ maxSteps, maxTokens, maxCostUsd }: Partial<LaneLimits> = {}): string[] {
  const limits = [
    ...(maxSteps === undefined ? [] : [countOf(maxSteps, t('{0} step'), t('{0} steps'))]),
    ...(maxTokens === undefined ? [] : [countOf(maxTokens, t('{0} token'), t('{0} tokens'))]),
    ...(maxCostUsd === undefined ? [] : [formatCost(maxCostUsd)]),
  ];
  return limits.length === 0 ? [] : [t('{0} at most', limits.join(', '))];
}

function describeValue(key: SamplingKey, sampling: SamplingParams): string {
  const name = SAMPLING_FIELDS[key].shortName();
  if (key === 'stop') return `${sampling.stop?.length ?? 0} ${name}`;
  return `${name} ${String(sampling[key])}`;
}

/** One value a line; empty lines are skipped. */
function parseLines(text: string): ParsedField {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length > MAX_STOP_SEQUENCES)
    return { problem: t('must be at most {0} lines', MAX_STOP_SEQUENCES) };
  return { value: lines.length > 0 ? lines : undefined };
}
