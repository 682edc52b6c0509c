// Writes the parameters of a call as pairs of a key and a text.
import type { WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

/** Text unchanged, everything else as JSON. */
export const writeText = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));

/** Adds line breaks around a value that begins and ends with one, because reading removes them. */
export function writeBlock(value: unknown): string {
  const text = writeText(value);
  return /^\r?\n/.test(text) && text.endsWith('\n') ? `\n${text}\n` : text;
}

/** Writes each parameter, in order. */
export const writePairs = (call: WrittenCall, write: (key: string, value: unknown) => string): string =>
  Object.entries(call.arguments)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => write(key, value))
    .join('');
