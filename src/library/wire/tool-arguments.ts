// The arguments of a native tool call, in whatever form a server sends them, and back.
import { describeJsonError, isRecord, parseJson } from '../util/json';

export interface ReadArguments {
  value: unknown;
  /** The exact text; for an object its JSON. */
  rawArguments: string;
  parseError?: string;
}

/** Object or JSON text; absent, null and blank text mean `{}`; text that does not parse stays that text. */
export function readArguments(value: unknown): ReadArguments {
  if (value === undefined || value === null) return { value: {}, rawArguments: '' };
  if (typeof value !== 'string') return { value, rawArguments: JSON.stringify(value) };
  if (value.trim() === '') return { value: {}, rawArguments: value };
  try {
    return { value: JSON.parse(value) as unknown, rawArguments: value };
  } catch (error) {
    return { value, rawArguments: value, parseError: describeJsonError(error) };
  }
}

/** For a server that takes an object only: anything else becomes `{}`. */
export function toArgumentsObject(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  return isRecord(parsed) ? parsed : {};
}

/** For a server that takes JSON text: text that came unparsed goes back as it came. */
export function toArgumentsText(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value;
  return JSON.stringify(value ?? {});
}
