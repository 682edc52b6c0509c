// The limits of an agent run: their fields, and how a typed text becomes a number. Does not touch the DOM.
import { t } from '@vscode/l10n';
import { DEFAULT_STEPS, DOCUMENT_LIMIT } from '../../src/protocol';
import type { LaneLimits } from '../../src/protocol';
import type { ParsedField } from './parsed-field';

export type LimitKey = keyof LaneLimits;

interface LimitField {
  /** Accessible name. */
  label: () => string;
  /** The effective limit when the field is empty. */
  placeholder: () => string;
}

export const LIMIT_FIELDS: Readonly<Record<LimitKey, LimitField>> = {
  maxSteps: { label: () => t('Step limit'), placeholder: () => String(DEFAULT_STEPS) },
  maxTokens: { label: () => t('Token budget'), placeholder: () => t('none') },
  maxCostUsd: { label: () => t('Cost budget, USD'), placeholder: () => t('none; needs costPer1kTokens') },
};
export const LIMIT_KEYS = Object.keys(LIMIT_FIELDS) as LimitKey[];

/** An empty field has no value, so the default applies. */
export function parseLimit(key: LimitKey, text: string): ParsedField {
  if (text.trim() === '') return { value: undefined };
  const value = /^[\d.]+$/.test(text.trim()) ? Number(text) : Number.NaN;
  const problem = limitProblem(key, value);
  return problem ? { problem } : { value };
}

function limitProblem(key: LimitKey, value: number): string | undefined {
  if (key === 'maxSteps') {
    const isFine = Number.isSafeInteger(value) && value >= 1 && value <= DOCUMENT_LIMIT.steps;
    return isFine ? undefined : t('must be a whole number from 1 to {0}', DOCUMENT_LIMIT.steps);
  }
  if (key === 'maxTokens') {
    return Number.isSafeInteger(value) && value > 0 ? undefined : t('must be a whole number above 0');
  }
  return Number.isFinite(value) && value > 0 ? undefined : t('must be a number above 0');
}
