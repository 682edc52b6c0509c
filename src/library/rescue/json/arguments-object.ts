// Reads the arguments of a call where nothing else of the call is in JSON, and finds out whether they end where they seem
// to. Independent of what is around them.
import type { JsonReading, ReadFailure } from '../core/json-reading';
import type { TextSource } from '../core/rescue-context';
import { skipWhite } from '../text/white-space';
import { isKeyAhead, isQuote, LONGEST_KEY } from './quotes';
import { readJson } from './read-json';
import { readTolerant } from './tolerant-reader';
import { skipBrackets } from './value-quote';

/** Reads the arguments at `at`. It is a failure if they go on behind their last bracket, because it came too early then. */
export function readArgumentsObject(source: TextSource, at: number): JsonReading {
  const reading = readJson(source, at, 'arguments');
  const failure = reading.failure ?? findOverrun(source, reading.end);
  if (!failure || reading.failure) return reading;
  // With a bracket and a quote in a string, its beginning may be valid JSON.
  const again = readTolerant(source, at, 'arguments');
  return again.failure || findOverrun(source, again.end) ? { ...reading, failure } : again;
}

/** The failure of arguments behind whose closing brackets a key, a second object, or the rest of a string follows. */
export function findOverrun(source: TextSource, from: number): ReadFailure | undefined {
  const { text } = source;
  const { end } = skipBrackets(text, from);
  const next = text.charAt(end) === ',' ? skipWhite(text, end + 1) : end;
  const isSameLine = !text.slice(from, end).includes('\n');
  const isOver =
    (text.charAt(next) === '{' && (isSameLine || next > end || opensArguments(source, next))) ||
    isKeyAhead(text, next) ||
    (isSameLine && isQuote(text.charAt(end))) ||
    (!source.isStopAt(end) && closesString(source, end));
  return isOver ? { reason: 'malformed', at: next, inside: 'the arguments' } : undefined;
}

/** Whether the first key of the object is a parameter of a tool. On a line of its own, any other object may be a result. */
function opensArguments(source: TextSource, at: number): boolean {
  const [, key = ''] = FIRST_KEY.exec(source.text.slice(at, at + LONGEST_KEY)) ?? [];
  return source.declares(key) !== 'unknown';
}

const FIRST_KEY = /^\{\s*["']([\w-]+)["']\s*:/;

/** Whether the first bracket up to the next token of a call closes something, directly behind a quote. */
function closesString(source: TextSource, from: number): boolean {
  const { text, meter } = source;
  const token = source.findCallToken(from);
  const rest = text.slice(from, Math.min(from + LONGEST_REST, token === -1 ? text.length : token));
  const at = rest.search(BRACKET);
  meter.spend(from, from + (at === -1 ? rest.length : at));
  return at !== -1 && STRING_END.test(rest.slice(Math.max(0, at - 1), at + 1));
}

const LONGEST_REST = 4096;
const BRACKET = /[{}[\]]/;
const STRING_END = /["'”’][}\]]/;
