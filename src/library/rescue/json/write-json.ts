// Writes JSON as chat templates do: with spaces after commas and colons, like Python. Independent of formats.
import type { WrittenCall } from '../core/rescue-format';

/** @param value JSON-safe. */
export function writeJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}: ${writeJson(item)}`);
  return `{${members.join(', ')}}`;
}

export interface CallKeys {
  name?: string;
  arguments?: string;
}

/** Writes `{"name": …, "arguments": {…}}`, with other keys if the format has its own. */
export function writeCallJson(call: WrittenCall, keys: CallKeys = {}): string {
  return writeJson({ [keys.name ?? 'name']: call.name, [keys.arguments ?? 'arguments']: call.arguments });
}

/** Writes calls as one list, each like `writeCallJson`. */
export function writeCallList(calls: readonly WrittenCall[], keys: CallKeys = {}): string {
  return `[${calls.map((call) => writeCallJson(call, keys)).join(', ')}]`;
}
