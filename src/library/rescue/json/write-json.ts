// JSON as chat templates write it: blanks after commas and colons, as Python does. Knows no format.
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

/** `{"name": …, "arguments": {…}}`, under other keys where the format has its own. */
export function writeCallJson(call: WrittenCall, keys: CallKeys = {}): string {
  return writeJson({ [keys.name ?? 'name']: call.name, [keys.arguments ?? 'arguments']: call.arguments });
}

/** Calls in one list, as `writeCallJson` writes each. */
export function writeCallList(calls: readonly WrittenCall[], keys: CallKeys = {}): string {
  return `[${calls.map((call) => writeCallJson(call, keys)).join(', ')}]`;
}
