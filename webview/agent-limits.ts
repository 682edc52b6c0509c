// The limits of a run to the end: their fields, and how what was typed becomes a number. Knows no DOM.
import type { AgentForm } from '../src/protocol';

export type LimitKey = 'maxSteps' | 'maxTokens' | 'maxCostUsd';
/** As typed; '' is the default. */
export type LimitTexts = Record<LimitKey, string>;

interface LimitField {
  /** The accessible name. */
  label: string;
  /** What '' means. */
  placeholder: string;
  isWhole: boolean;
}

export const LIMIT_FIELDS: Readonly<Record<LimitKey, LimitField>> = {
  maxSteps: { label: 'Step limit', placeholder: '10', isWhole: true },
  maxTokens: { label: 'Token budget', placeholder: 'none', isWhole: true },
  maxCostUsd: { label: 'Cost budget, USD', placeholder: 'none; needs rates', isWhole: false },
};
export const LIMIT_KEYS = Object.keys(LIMIT_FIELDS) as LimitKey[];

const DEFAULT_STEPS = 10;
const MAX_STEPS = 100;

export const emptyLimits = (): LimitTexts => ({ maxSteps: '', maxTokens: '', maxCostUsd: '' });

/** @returns what the field must hold; undefined when it is fine or empty. */
export function limitProblem(key: LimitKey, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const value = toNumber(text);
  if (key === 'maxSteps') {
    const isFine = Number.isSafeInteger(value) && value >= 1 && value <= MAX_STEPS;
    return isFine ? undefined : `a whole number from 1 to ${MAX_STEPS}`;
  }
  if (LIMIT_FIELDS[key].isWhole) {
    return Number.isSafeInteger(value) && value > 0 ? undefined : 'a whole number above 0';
  }
  return value > 0 ? undefined : 'a number above 0';
}

/** @returns the first field that cannot be used, in words. */
export function firstLimitProblem(texts: LimitTexts): string | undefined {
  for (const key of LIMIT_KEYS) {
    const problem = limitProblem(key, texts[key]);
    if (problem) return `${LIMIT_FIELDS[key].label} must be ${problem}.`;
  }
  return undefined;
}

export function toLimits(texts: LimitTexts): Pick<AgentForm, LimitKey> {
  const set = LIMIT_KEYS.filter((key) => texts[key].trim() !== '' && !limitProblem(key, texts[key]));
  return { maxSteps: DEFAULT_STEPS, ...Object.fromEntries(set.map((key) => [key, toNumber(texts[key])])) };
}

const toNumber = (text: string): number => (/^[\d.]+$/.test(text.trim()) ? Number(text) : Number.NaN);
