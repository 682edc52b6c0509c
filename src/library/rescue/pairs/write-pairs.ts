// Writes calls as pairs, and reads the result back: a value that would not survive is not written at all.
import { skipWhite } from '../text/white-space';
import type { Dialects } from '../core/dialects';
import { RescueContext } from '../core/rescue-context';
import type { FormatReading, WrittenCall } from '../core/rescue-format';
import { ToolIndex } from '../core/tool-index';
import { writeJson } from '../json/write-json';
import type { ToolType } from '../../../types';
import { isRecord } from '../../util/json';

/** Text unchanged, everything else as JSON. */
export const writeText = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));

/** Adds line breaks around a value that begins or ends with one, because reading removes them. */
export function writeBlock(value: unknown, breaks: 'each' | 'both'): string {
  const text = writeText(value);
  const isAtStart = /^\r?\n/.test(text);
  const isAtEnd = text.endsWith('\n');
  const isLost = breaks === 'each' ? isAtStart || isAtEnd : isAtStart && isAtEnd;
  return isLost ? `\n${text}\n` : text;
}

/** Writes each parameter, in order. */
export const writePairs = (call: WrittenCall, write: (key: string, value: unknown) => string): string =>
  toPairs(call)
    .map(([key, value]) => write(key, value))
    .join('');

const toPairs = (call: WrittenCall): [string, unknown][] =>
  Object.entries(call.arguments).filter(([, value]) => value !== undefined);

/** How the text is read back. */
export interface Readback {
  parse: (context: RescueContext, at: number, opener: string) => FormatReading | null;
  dialects: Dialects;
}

/** The text, or undefined when it would be read as other calls than these. */
export function checkWritten(
  text: string,
  calls: readonly WrittenCall[],
  { parse, dialects }: Readback,
): string | undefined {
  const context = new RescueContext(text, { tools: new ToolIndex(toTools(calls)), dialects });
  let at = 0;
  let index = 0;
  while (at < text.length) {
    const reading = parse(context, at, '');
    if (reading?.kind !== 'calls' || reading.failure || reading.end <= at) return undefined;
    for (const read of reading.calls) {
      const call = calls[index];
      if (!call || read.name !== call.name || !isSame(read.arguments ?? {}, call)) return undefined;
      index += 1;
    }
    at = skipWhite(text, reading.end);
  }
  return index === calls.length ? text : undefined;
}

/** Declares all parameters of all calls as text, so that values are read as they were written. */
function toTools(calls: readonly WrittenCall[]): ToolType[] {
  const keys = calls.flatMap((call) => toPairs(call).map(([key]) => key));
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return calls.map(({ name }) => ({ name, parameters: { type: 'object', properties } }));
}

function isSame(read: unknown, call: WrittenCall): boolean {
  const pairs = toPairs(call);
  if (!isRecord(read) || Object.keys(read).length !== pairs.length) return false;
  return pairs.every(([key, value]) => Object.hasOwn(read, key) && writeText(read[key]) === writeText(value));
}
