// The errors of OpenAI's service for a field of a request: each names the field and has a code. Pure.
import { isJsonObject } from '../wire/json-value';
import { WireError } from '../wire/wire-error';

/** @throws {WireError} 400 by default */
export function refuseField(message: string, param: string, code?: string, status = 400): never {
  throw new WireError(status, message, 'invalid_request_error', { param, code });
}

export const refuseUnknown = (param: string): never =>
  refuseField(`Unknown parameter: '${param}'.`, param, 'unknown_parameter');

export const refuseMissing = (param: string): never =>
  refuseField(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');

export const refuseType = (param: string, expected: string, found: unknown): never =>
  refuseField(
    `Invalid type for '${param}': expected ${expected}, but got ${describe(found)} instead.`,
    param,
    'invalid_type',
  );

export const refuseValue = (param: string, value: unknown, supported: readonly string[]): never =>
  refuseField(
    `Invalid value: '${String(value)}'. Supported values are: ${listOf(supported)}.`,
    param,
    'invalid_value',
  );

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return `a ${typeof value}`;
}

function listOf(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')}, and ${last}`;
}
