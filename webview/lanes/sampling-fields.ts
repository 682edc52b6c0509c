// The sampling controls of a lane: their labels, how what was typed becomes a value, and how a value is typed. Knows no
// DOM.
import type { DocumentLane, LaneLimits } from '../../src/protocol';
import type { SamplingParams } from '../../src/types';
import { countOf, formatCost } from '../text/format';
import type { ParsedField } from './parsed-field';

export type SamplingKey = keyof SamplingParams;

interface SamplingField {
  /** The accessible name. */
  label: string;
  /** As the line under the strip says it. */
  shortName: string;
  kind: 'number' | 'whole-number' | 'lines';
}

export const SAMPLING_FIELDS: Readonly<Record<SamplingKey, SamplingField>> = {
  temperature: { label: 'Temperature', shortName: 'temperature', kind: 'number' },
  topP: { label: 'Top P', shortName: 'top P', kind: 'number' },
  topK: { label: 'Top K', shortName: 'top K', kind: 'whole-number' },
  seed: { label: 'Seed', shortName: 'seed', kind: 'whole-number' },
  maxTokens: { label: 'Max tokens', shortName: 'max tokens', kind: 'whole-number' },
  numCtx: { label: 'Context size', shortName: 'context', kind: 'whole-number' },
  stop: { label: 'Stop sequences', shortName: 'stop sequences', kind: 'lines' },
  repeatPenalty: { label: 'Repeat penalty', shortName: 'repeat penalty', kind: 'number' },
};
const SAMPLING_KEYS = Object.keys(SAMPLING_FIELDS) as SamplingKey[];

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MAX_STOP_SEQUENCES = 64;

/** An empty field has no value: its key is not sent. */
export function parseSampling(key: SamplingKey, text: string): ParsedField {
  const { kind } = SAMPLING_FIELDS[key];
  if (kind === 'lines') return parseLines(text);
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  const value = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (kind === 'whole-number') {
    return Number.isSafeInteger(value) ? { value } : { problem: 'must be a whole number' };
  }
  return Number.isFinite(value) ? { value } : { problem: 'must be a number' };
}

/** As it would be typed; '' for what is not set. */
export function showSampling(value: SamplingParams[SamplingKey]): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

type Described = Pick<DocumentLane, 'sampling' | 'rescueToolCalls'> &
  Partial<Pick<DocumentLane, 'toolChoice' | 'raw' | 'limits'>>;

/**
 * Such as `temperature 0 · seed 7 · 4 more · 4 steps at most`; what is off comes first.
 * @param wrong Fields whose text is no value.
 */
export function describeSettings(lane: Described, wrong = 0): string {
  const { sampling, rescueToolCalls, toolChoice, raw } = lane;
  const parts = SAMPLING_KEYS.filter((key) => sampling[key] !== undefined).map((key) =>
    describeValue(key, sampling),
  );
  if (toolChoice !== undefined) {
    parts.unshift(`tool choice ${typeof toolChoice === 'string' ? toolChoice : toolChoice.tool}`);
  }
  if (!rescueToolCalls) parts.unshift('rescue off');
  const rawKeys = Object.keys(raw ?? {}).length;
  if (rawKeys > 0) parts.push(`${rawKeys} raw ${rawKeys === 1 ? 'key' : 'keys'}`);
  const limits = describeLimits(lane.limits);
  const bad = wrong === 0 ? [] : [`${countOf(wrong, 'field')} ${wrong === 1 ? 'is' : 'are'} not right`];
  if (parts.length + limits.length + bad.length === 0) return "nothing set, so the server's defaults apply";
  const shown = parts.length > 3 ? [...parts.slice(0, 2), `${parts.length - 2} more`] : parts;
  return [...bad, ...shown, ...limits].join(' · ');
}

/** Such as `4 steps, 4 000 tokens at most`. */
function describeLimits({ maxSteps, maxTokens, maxCostUsd }: Partial<LaneLimits> = {}): string[] {
  const limits = [
    ...(maxSteps === undefined ? [] : [countOf(maxSteps, 'step')]),
    ...(maxTokens === undefined ? [] : [countOf(maxTokens, 'token')]),
    ...(maxCostUsd === undefined ? [] : [formatCost(maxCostUsd)]),
  ];
  return limits.length === 0 ? [] : [`${limits.join(', ')} at most`];
}

function describeValue(key: SamplingKey, sampling: SamplingParams): string {
  const { shortName } = SAMPLING_FIELDS[key];
  if (key === 'stop') return `${sampling.stop?.length ?? 0} ${shortName}`;
  return `${shortName} ${String(sampling[key])}`;
}

/** One a line; a line without a character is none. */
function parseLines(text: string): ParsedField {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length > MAX_STOP_SEQUENCES) return { problem: `must be at most ${MAX_STOP_SEQUENCES} lines` };
  return { value: lines.length > 0 ? lines : undefined };
}
