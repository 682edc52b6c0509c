// Checks options of the caller. Invalid options fail at once, in the constructor, with the name of the field.
import { InvalidOptionsError } from '../errors';
import { isRecord } from './json';

interface NumberRule {
  min?: number;
  max?: number;
  integer?: boolean;
}

/** @throws InvalidOptionsError when the value is given and does not satisfy the rule */
export function checkNumber(field: string, value: unknown, rule: NumberRule = {}): void {
  if (value === undefined) return;
  const { min = -Infinity, max = Infinity, integer = false } = rule;
  const fits = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
  if (fits && (!integer || Number.isInteger(value))) return;
  const kind = integer ? 'a whole number' : 'a number';
  const range = [min > -Infinity ? `from ${min}` : '', max < Infinity ? `to ${max}` : ''].filter(Boolean);
  throw new InvalidOptionsError(field, `must be ${[kind, ...range].join(' ')}, not ${show(value)}`);
}

/** @throws InvalidOptionsError when the value is not a string, or is blank */
export function checkText(field: string, value: unknown): void {
  if (typeof value === 'string' && value.trim() !== '') return;
  throw new InvalidOptionsError(field, `must be a text that is not empty, not ${show(value)}`);
}

/** @throws InvalidOptionsError when the value is given and is not an object */
export function checkRecord(field: string, value: unknown): void {
  if (value === undefined || isRecord(value)) return;
  throw new InvalidOptionsError(field, `must be an object, not ${show(value)}`);
}

/** @throws InvalidOptionsError when the value is not an object */
export function requireRecord(field: string, value: unknown): void {
  if (!isRecord(value)) throw new InvalidOptionsError(field, `must be an object, not ${show(value)}`);
}

/** Accepts null, as `fetch` does, and signals that are not Node's own. @throws InvalidOptionsError for anything else */
export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal === null) return;
  const { aborted, addEventListener } = Object(signal) as { aborted?: unknown; addEventListener?: unknown };
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return;
  throw new InvalidOptionsError('signal', `must be an AbortSignal, not ${show(signal)}`);
}

/** @throws InvalidOptionsError when the value is given and has another type */
export function checkType(field: string, value: unknown, type: 'boolean' | 'function'): void {
  if (value === undefined || typeof value === type) return;
  throw new InvalidOptionsError(field, `must be a ${type}, not ${show(value)}`);
}

/** Shows only numbers, booleans, null and undefined: a text may be a secret. */
function show(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value == null) return String(value);
  return value === '' ? 'an empty text' : `a value of type ${typeof value}`;
}
