// The sampling controls of a lane: their labels, and how what was typed becomes a value. Knows no DOM.
import type { SamplingParams } from '../src/types';

export type SamplingKey = keyof SamplingParams;
/** As typed; '' is a field that is not sent. */
export type SamplingTexts = Record<SamplingKey, string>;

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
export const SAMPLING_KEYS = Object.keys(SAMPLING_FIELDS) as SamplingKey[];

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MAX_STOP_SEQUENCES = 64;

export function emptySamplingTexts(): SamplingTexts {
  return Object.fromEntries(SAMPLING_KEYS.map((key) => [key, ''])) as SamplingTexts;
}

/** @returns what the field must hold, such as `a whole number`; undefined when it is fine or empty. */
export function samplingProblem(key: SamplingKey, text: string): string | undefined {
  const { kind } = SAMPLING_FIELDS[key];
  if (kind === 'lines') {
    return stopSequences(text).length > MAX_STOP_SEQUENCES
      ? `at most ${MAX_STOP_SEQUENCES} lines`
      : undefined;
  }
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (kind === 'whole-number') return Number.isSafeInteger(value) ? undefined : 'a whole number';
  return Number.isFinite(value) ? undefined : 'a number';
}

/** @returns the first field that cannot be sent, in words. */
export function firstSamplingProblem(texts: SamplingTexts): string | undefined {
  for (const key of SAMPLING_KEYS) {
    const problem = samplingProblem(key, texts[key]);
    if (problem) return `${SAMPLING_FIELDS[key].label} must be ${problem}.`;
  }
  return undefined;
}

/** Only the fields that are set and valid: an absent key is not sent. */
export function toSamplingParams(texts: SamplingTexts): SamplingParams {
  const set = SAMPLING_KEYS.filter((key) => isSet(key, texts[key]) && !samplingProblem(key, texts[key]));
  return Object.fromEntries(
    set.map((key) => [key, key === 'stop' ? stopSequences(texts[key]) : Number(texts[key].trim())]),
  );
}

/** Such as `temperature 0 · seed 7 · 4 more`; what is off comes first. */
export function describeSettings(texts: SamplingTexts, rescueToolCalls: boolean): string {
  const parts = SAMPLING_KEYS.filter((key) => isSet(key, texts[key])).map((key) => {
    const value = key === 'stop' ? String(stopSequences(texts[key]).length) : texts[key].trim();
    return key === 'stop'
      ? `${value} ${SAMPLING_FIELDS[key].shortName}`
      : `${SAMPLING_FIELDS[key].shortName} ${value}`;
  });
  if (!rescueToolCalls) parts.unshift('rescue off');
  if (parts.length === 0) return "nothing set, so the server's defaults apply";
  const shown = parts.length > 3 ? [...parts.slice(0, 2), `${parts.length - 2} more`] : parts;
  return shown.join(' · ');
}

/** One a line; a line without a character is none. */
function stopSequences(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}

function isSet(key: SamplingKey, text: string): boolean {
  return key === 'stop' ? stopSequences(text).length > 0 : text.trim() !== '';
}
