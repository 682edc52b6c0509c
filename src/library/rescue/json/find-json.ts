// Finds the first object or list in a text that is JSON or can be repaired. Independent of calls.
import { readJson } from './read-json';
import { TextSource } from '../core/rescue-context';

// Limit for the work on broken beginnings, all in all: this many times the length of the text, plus some steps.
const SPARE_READINGS = 4;
const SPARE_STEPS = 65_536;
const LARGEST_TEXT = 8 * 1024 * 1024;

/** Undefined when there is none, when it is incomplete, or when the text is longer than 8 Mi UTF-16 code units. */
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
