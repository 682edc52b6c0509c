// Writes calls as Python does. Independent of wrappers.
import type { WrittenCall } from '../core/rescue-format';
import { PYTHON_VALUES, writeJson } from '../json/write-json';
import { findWordEnd } from '../text/words';
import { findNameEnd } from '../text/names';

/** Writes `name(key="value")`; undefined when the name or a key cannot be written like this. */
export function writePythonCall({ name, arguments: value }: WrittenCall): string | undefined {
  if (!isCallName(name)) return undefined;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (!entries.every(([key]) => isKeyword(key))) return undefined;
  return `${name}(${entries.map(([key, item]) => `${key}=${writeJson(item, PYTHON_VALUES)}`).join(', ')})`;
}

/** Undefined when one of the calls cannot be written. */
export function writePythonCalls(calls: readonly WrittenCall[], separator: string): string | undefined {
  const written = calls.map(writePythonCall);
  return written.includes(undefined) ? undefined : written.join(separator);
}

export const isCallName = (name: string): boolean => name !== '' && findNameEnd(name, 0) === name.length;

export const isKeyword = (key: string): boolean => key !== '' && findWordEnd(key, 0) === key.length;
