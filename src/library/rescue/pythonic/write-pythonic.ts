// Writes calls as Python does. Independent of wrappers.
import type { WrittenCall } from '../core/rescue-format';
import { findWordEnd } from '../text/words';
import { findNameEnd } from '../text/names';

/** Writes `name(key="value")`; undefined when the name or a key cannot be written like this. */
export function writePythonCall({ name, arguments: value }: WrittenCall): string | undefined {
  if (!isCallName(name)) return undefined;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (!entries.every(([key]) => isKeyword(key))) return undefined;
  return `${name}(${entries.map(([key, item]) => `${key}=${writePythonValue(item)}`).join(', ')})`;
}

/** Undefined when one of the calls cannot be written. */
export function writePythonCalls(calls: readonly WrittenCall[], separator: string): string | undefined {
  const written = calls.map(writePythonCall);
  return written.includes(undefined) ? undefined : written.join(separator);
}

export const isCallName = (name: string): boolean => name !== '' && findNameEnd(name, 0) === name.length;

export const isKeyword = (key: string): boolean => key !== '' && findWordEnd(key, 0) === key.length;

/** @param value JSON-safe. */
function writePythonValue(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(writePythonValue).join(', ')}]`;
  // The escapes of JSON are valid in Python too.
  if (typeof value !== 'object' || value === null)
    return value === null ? 'None' : (JSON.stringify(value) ?? 'None');
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}: ${writePythonValue(item)}`);
  return `{${members.join(', ')}}`;
}
