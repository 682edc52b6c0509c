// Reads values without quotes or delimiters, as in damaged calls: a number or a literal if possible, otherwise the text up
// to the beginning of the next member. Independent of calls.
import { skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';
import type { RepairLog } from '../core/repair-log';
import { findLiteral, findWordEnd, toNumber } from '../text/words';
import type { TextSource } from '../core/rescue-context';

export interface BareStyle {
  /** Texts that cannot be part of a value. */
  stops: readonly string[];
  /** Those of them that delimit strings. */
  delimiters: readonly string[];
  /** Those of them that end the call, so that a value before one is complete. */
  ends: readonly string[];
  /** The only keys of the outermost object, if they are known. */
  keys?: ReadonlySet<string> | undefined;
  /** Those keys whose values are text, whatever they look like. */
  texts?: ReadonlySet<string> | undefined;
}

export interface BarePlace {
  isList: boolean;
  key: string;
  /** 1 in the outermost object. */
  depth: number;
}

export interface BareReading {
  value: unknown;
  end: number;
  failure?: 'truncated' | 'malformed' | undefined;
}

export function readBareValue(
  source: TextSource,
  at: number,
  style: BareStyle,
  place: BarePlace,
  log: RepairLog,
): BareReading {
  const end = findBareEnd(source, at, style, place);
  if (end === source.text.length) return { value: undefined, end, failure: 'truncated' };
  const text = source.text.slice(at, end).trim();
  const isText = place.depth === 1 && style.texts?.has(place.key) === true;
  const closer = text === '' ? undefined : findCloser(source.text, end, style);
  if (closer !== undefined) {
    log.add('unquoted-string', at, 'the string has no delimiter at its start');
    return { value: text, end: end + closer.length };
  }
  const isMember = place.depth === 1 && !place.isList;
  const isStopped = style.stops.some((stop) => source.text.startsWith(stop, end));
  const isEnded = isMember && style.ends.some((stop) => source.text.startsWith(stop, end));
  if ((isStopped && !isEnded) || (text === '' && (isStopped || !isMember)))
    return { value: undefined, end, failure: 'malformed' };
  if (text === '') {
    log.add('unquoted-string', at, 'nothing stands where a value is due');
    return { value: '', end };
  }
  const literal = findLiteral(text);
  const value = literal ? literal.value : toNumber(text);
  if (value !== undefined && !isText) return { value, end };
  log.add('unquoted-string', at);
  return { value: isText ? findEmptyLines(source.text, at) + text : text, end };
}

/** Empty lines before a text, which belong to the value: markup has single line breaks only. */
function findEmptyLines(text: string, at: number): string {
  const start = skipWhiteBefore(text, at);
  const gap = text.slice(start, at);
  const from = gap.indexOf('\n');
  return gap.indexOf('\n', from + 1) === -1 ? '' : gap.slice(from);
}

/** The delimiter at the end of a string whose first one is missing, if the value ends after it. */
function findCloser(text: string, at: number, { delimiters }: BareStyle): string | undefined {
  const closer = delimiters.find((item) => text.startsWith(item, at));
  const next = closer === undefined ? '' : text.charAt(skipWhite(text, at + closer.length));
  return next !== '' && ',}]'.includes(next) ? closer : undefined;
}

function findBareEnd(source: TextSource, at: number, style: BareStyle, place: BarePlace): number {
  const { text } = source;
  const [opener, closer] = place.isList ? ['[', ']'] : ['{', '}'];
  const stops = new Set(style.stops.map((stop) => stop.charAt(0)));
  let end = at;
  let open = 0;
  for (; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === opener) open += 1;
    else if (character === closer) {
      if (open === 0 || isLastBracket(text, end, style, place)) break;
      open -= 1;
    } else if (character === ',' && isSeparator(text, end, style, { ...place, isInside: open > 0 })) break;
    if (character === ',' && isLiteralBefore(text, at, end, style, place)) break;
    end = skipQuoted(text, end, stops);
    if (stops.has(character) && style.stops.some((stop) => text.startsWith(stop, end))) break;
  }
  source.meter.spend(at, end);
  return end;
}

/** Inside brackets of the value itself, only a declared key begins a member. */
function isSeparator(
  text: string,
  at: number,
  style: BareStyle,
  { isInside, ...place }: BarePlace & { isInside: boolean },
): boolean {
  if (place.isList) return !isInside;
  const isSure = !isInside || (place.depth === 1 && style.keys !== undefined);
  return isSure && isMemberAhead(text, at + 1, style, place);
}

/** Whether the bracket precedes the call's end token, and so closes the call, however many brackets the value has opened. */
function isLastBracket(text: string, at: number, { ends }: BareStyle, { isList, depth }: BarePlace): boolean {
  const next = skipWhite(text, at + 1);
  return depth === 1 && !isList && ends.some((stop) => text.startsWith(stop, next));
}

/** The last character of a quoted part, which belongs to the value with all its brackets and commas; else `at` itself. */
function skipQuoted(text: string, at: number, stops: ReadonlySet<string>): number {
  const quote = text.charAt(at);
  if ((quote !== '"' && quote !== "'") || /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return at;
  const rest = text.slice(at + 1, at + LONGEST_QUOTED);
  const length = rest.indexOf(quote);
  const isQuoted =
    length !== -1 &&
    !/\n/.test(rest.slice(0, length)) &&
    !Array.from(rest.slice(0, length)).some((sign) => stops.has(sign));
  return isQuoted ? at + 1 + length : at;
}

const LONGEST_QUOTED = 512;

/** The end of a key: a word, several words joined by dots, or several words before a colon. */
export const findKeyEnd = (text: string, at: number): number =>
  Math.max(findDottedEnd(text, at), findWordsEnd(text, at));

function findDottedEnd(text: string, at: number): number {
  let end = findWordEnd(text, at);
  while (end > at && text.charAt(end) === '.') {
    const next = findWordEnd(text, end + 1);
    if (next === end + 1) return end;
    end = next;
  }
  return end;
}

/**
 * Whether a literal ends before the comma, as in `5,exact:true` for a parameter that is no text: an undeclared member
 * follows.
 */
function isLiteralBefore(
  text: string,
  from: number,
  comma: number,
  style: BareStyle,
  place: BarePlace,
): boolean {
  const { keys, texts } = style;
  if (place.depth !== 1 || keys?.has(place.key) !== true || texts?.has(place.key) === true) return false;
  const written = text.slice(from, comma).trim();
  const isLiteral = findLiteral(written) !== undefined || toNumber(written) !== undefined;
  return isLiteral && isMemberAhead(text, comma + 1, { ...style, keys: undefined }, place);
}

/** Whether a member begins: `unit: …` does, `see http://…` does not. */
function isMemberAhead(text: string, at: number, { keys }: BareStyle, { depth }: BarePlace): boolean {
  const start = skipWhite(text, at);
  if (text.charAt(start) === '}') return true;
  const quote = text.charAt(start) === '"' ? 1 : 0;
  const end = quote > 0 ? findQuoteEnd(text, start + 1) : findDottedEnd(text, start);
  const colon = skipWhite(text, end + quote);
  const isKey = end > start + quote && text.charAt(colon) === ':' && !text.startsWith('//', colon + 1);
  if (isKey && (depth > 1 || keys === undefined)) return true;
  if (keys === undefined) return false;
  return isKey ? keys.has(text.slice(start + quote, end)) : isDeclaredWords(text, start, keys);
}

/** Whether a declared key of several words begins at `start`. */
function isDeclaredWords(text: string, start: number, keys: ReadonlySet<string>): boolean {
  const end = findWordsEnd(text, start);
  return end > start && keys.has(text.slice(start, end));
}

const findQuoteEnd = (text: string, from: number): number => {
  const length = text.slice(from, from + LONGEST_KEY).search(/["\n]/);
  return length === -1 || text.charAt(from + length) !== '"' ? from : from + length;
};

const LONGEST_KEY = 160;
/** One or several words without other characters. */
const WORDS = /^[\p{L}\p{N}_$. \t-]+$/u;

/** The end of a key of several words before a colon; `at` itself when there is none. */
function findWordsEnd(text: string, at: number): number {
  const piece = text.slice(at, at + LONGEST_KEY);
  const colon = piece.indexOf(':');
  if (colon < 1 || piece.startsWith('//', colon + 1)) return at;
  const key = piece.slice(0, colon).trimEnd();
  return WORDS.test(key) ? at + key.length : at;
}
