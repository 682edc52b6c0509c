// The arguments of a native tool call, in whatever form a server sends them, and back.
import { describeJsonError, isRecord, MAX_NESTING, parseJson } from '../util/json';

export interface ReadArguments {
  value: unknown;
  /** Why it is the text that came, or what came as a text. */
  parseError?: string;
}

const TOO_DEEP = `nested deeper than ${MAX_NESTING} levels`;

/** Object or JSON text; absent, null and blank text mean `{}`; text that does not parse, or is nested too deep, stays that text. */
export function readArguments(given: unknown): ReadArguments {
  if (given === undefined || given === null) return { value: {} };
  if (typeof given !== 'string')
    return isTooDeep(given) ? { value: toJsonText(given), parseError: TOO_DEEP } : { value: given };
  if (given.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(given);
    return isTooDeep(value) ? { value: given, parseError: TOO_DEEP } : { value };
  } catch (error) {
    return { value: given, parseError: describeJsonError(error) };
  }
}

/**
 * What a server takes back as the arguments of a call. @returns undefined for what is no JSON object, or nested too deep;
 * nothing at all means `{}`.
 */
export function toArgumentsObject(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value.trim() === '') return {};
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(parsed) && !isTooDeep(parsed) ? parsed : undefined;
}

/** As JSON text; text that came unparsed stays as it is. */
export function toArgumentsText(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value;
  return toJsonText(value ?? {});
}

/** '' for what is nested so deep that it cannot be written. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

/** Too deep to be kept as a value. */
export const isTooDeep = (value: unknown): boolean => isNestedBeyond(value, MAX_NESTING);

function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedBeyond(inner, levels - 1));
}
