// The arguments of a native tool call, in whatever form a server sends them, and back.
import { describeJsonError, isRecord, MAX_NESTING, parseJson } from '../util/json';

export interface ReadArguments {
  value: unknown;
  /** The exact text; for an object its JSON. */
  rawArguments: string;
  parseError?: string;
}

const TOO_DEEP = `nested deeper than ${MAX_NESTING} levels`;

/** Object or JSON text; absent, null and blank text mean `{}`; text that does not parse, or is nested too deep, stays that text. */
export function readArguments(value: unknown): ReadArguments {
  if (value === undefined || value === null) return { value: {}, rawArguments: '' };
  if (typeof value !== 'string') {
    const rawArguments = toJsonText(value);
    if (!isTooDeep(value)) return { value, rawArguments };
    return { value: rawArguments, rawArguments, parseError: TOO_DEEP };
  }
  if (value.trim() === '') return { value: {}, rawArguments: value };
  try {
    const parsed: unknown = JSON.parse(value);
    if (!isTooDeep(parsed)) return { value: parsed, rawArguments: value };
    return { value, rawArguments: value, parseError: TOO_DEEP };
  } catch (error) {
    return { value, rawArguments: value, parseError: describeJsonError(error) };
  }
}

/** For a server that takes an object only. @returns undefined for what is something else; nothing at all means `{}`. */
export function toArgumentsObject(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value.trim() === '') return {};
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(parsed) ? parsed : undefined;
}

/** For a server that takes JSON text: text that came unparsed goes back as it came. */
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
