// Reads JSON from text: strictly if it is valid, otherwise with repairs.
import { TextSource } from '../core/rescue-context';
import type { JsonReading, JsonRole } from '../core/json-reading';
import { readTolerant } from './tolerant-reader';
import { skipWhite } from '../text/white-space';
import { DEEPEST, findStrictEnd } from './strict-end';

// JSON text in a JSON string, and so on; more levels than this are not meant seriously.
const MAX_DECODINGS = 4;

/** Reads the value at `at`; `failure` says where this was not possible. */
export function readJson(source: TextSource, at: number, role: JsonRole = 'call'): JsonReading {
  return readStrict(source, at) ?? readTolerant(source, at, role);
}

/** The value of this part of the text, if the whole part is valid JSON; otherwise undefined. */
export function readWholeJson(source: TextSource, from: number, to: number): JsonReading | undefined {
  if (!hasStrictKey(source.text, from)) return undefined;
  try {
    const value: unknown = JSON.parse(source.text.slice(from, to));
    // A short text cannot be nested too deep.
    if (to - from > 2 * DEEPEST && isTooDeep(value, DEEPEST)) return undefined;
    source.meter.spend(from, to);
    return { value, end: to, repairs: [], isPartial: false };
  } catch {
    return undefined;
  }
}

/** Whether the key of the first object is in quotation marks. An error of JSON.parse costs more than all of the reading. */
function hasStrictKey(text: string, from: number): boolean {
  let at = skipWhite(text, from);
  while (text.charCodeAt(at) === 91) at = skipWhite(text, at + 1);
  if (text.charCodeAt(at) !== 123) return true;
  return '"}'.includes(text.charAt(skipWhite(text, at + 1)));
}

const isTooDeep = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1)));

function readStrict(source: TextSource, at: number): JsonReading | undefined {
  const first = source.text.charAt(at);
  const end = first === '{' || first === '[' ? findStrictEnd(source, at) : -1;
  if (end === -1) return undefined;
  try {
    return { value: JSON.parse(source.text.slice(at, end)) as unknown, end, repairs: [], isPartial: false };
  } catch {
    return undefined;
  }
}

/** Decodes JSON text, which may be encoded more than once; undefined when it is not one complete value. */
export function decodeJsonText(text: string): unknown {
  let value: unknown = text;
  for (let round = 0; round < MAX_DECODINGS && typeof value === 'string'; round += 1) {
    const reading = readWhole(value);
    if (!reading) return undefined;
    value = reading.value;
  }
  return typeof value === 'string' ? undefined : value;
}

function readWhole(text: string): JsonReading | undefined {
  const source = new TextSource(text);
  const reading = readJson(source, skipWhite(text, 0));
  const isWhole = !reading.failure && !reading.isPartial && skipWhite(text, reading.end) === text.length;
  return isWhole ? reading : undefined;
}

// Limit for the work on broken beginnings, all in all: this many times the length of the text, plus some steps.
const SPARE_READINGS = 4;
const SPARE_STEPS = 65_536;
const LARGEST_TEXT = 8 * 1024 * 1024;

/**
 * The first object or list in a text that is JSON or can be repaired. Undefined when there is none, when it is incomplete, or
 * when the text is longer than 8 Mi UTF-16 code units.
 */
export function findJson(text: string): unknown {
  if (text.length > LARGEST_TEXT) return undefined;
  const source = new TextSource(text);
  const allowance = SPARE_READINGS * text.length + SPARE_STEPS;
  for (let at = nextBracket(text, 0); at < text.length; at = nextBracket(text, at)) {
    source.meter.begin(at);
    const reading = readJson(source, at);
    if (!reading.failure && !reading.isPartial) return reading.value;
    at = source.meter.steps > allowance ? Math.max(at + 1, source.meter.reached) : at + 1;
  }
  return undefined;
}

function nextBracket(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 123 && text.charCodeAt(at) !== 91) at += 1;
  return at;
}
