// Values without quotes or delimiters, as damaged calls have them: a number or a word where it is one, else
// text up to where the next member begins. Knows no call.
import { skipWhite } from '../text/white-space';
import type { RepairLog } from '../core/repair-log';
import { findLiteral, findWordEnd, toNumber } from '../text/words';
import type { TextSource } from '../core/rescue-context';

export interface BareStyle {
  /** What can be no part of a value. */
  stops: readonly string[];
  /** Those of them that end the call: what stands before one is whole. */
  ends?: readonly string[] | undefined;
  /** The only keys of the outermost object, when they are known. */
  keys?: ReadonlySet<string> | undefined;
  /** Those of them whose values are text, whatever they look like. */
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
  const isMember = place.depth === 1 && !place.isList;
  const isStopped = style.stops.some((stop) => source.text.startsWith(stop, end));
  const isEnded = isMember && style.ends?.some((stop) => source.text.startsWith(stop, end)) === true;
  if ((isStopped && !isEnded) || (text === '' && (isStopped || !isMember)))
    return { value: undefined, end, failure: 'malformed' };
  if (text === '') {
    log.add('unquoted-string', at, 'nothing stands where a value is due');
    return { value: '', end };
  }
  const isText = place.depth === 1 && style.texts?.has(place.key) === true;
  const literal = findLiteral(text);
  const value = literal ? literal.value : toNumber(text);
  if (value !== undefined && !isText) return { value, end };
  log.add('unquoted-string', at);
  return { value: text, end };
}

function findBareEnd(source: TextSource, at: number, style: BareStyle, place: BarePlace): number {
  const { text } = source;
  const closer = place.isList ? ']' : '}';
  const stops = new Set(style.stops.map((stop) => stop.charAt(0)));
  let end = at;
  for (; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === closer) break;
    if (character === ',' && (place.isList || isMemberAhead(text, end + 1, style, place))) break;
    end = skipQuoted(text, end, stops);
    if (stops.has(character) && style.stops.some((stop) => text.startsWith(stop, end))) break;
  }
  source.meter.spend(at, end);
  return end;
}

/** What stands in quotes belongs to the value, brackets, commas and all; the last sign of it. */
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

/** The end of a key: a word, also several with dots between them. */
export function findKeyEnd(text: string, at: number): number {
  let end = findWordEnd(text, at);
  while (end > at && text.charAt(end) === '.') {
    const next = findWordEnd(text, end + 1);
    if (next === end + 1) return end;
    end = next;
  }
  return end;
}

/** `unit: …` goes on with the next member, `see http://…` does not. */
function isMemberAhead(text: string, at: number, { keys }: BareStyle, { depth }: BarePlace): boolean {
  const start = skipWhite(text, at);
  if (text.charAt(start) === '}') return true;
  const quote = text.charAt(start) === '"' ? 1 : 0;
  const end = findKeyEnd(text, start + quote);
  const colon = skipWhite(text, end + quote);
  if (end === start + quote || text.charAt(colon) !== ':' || text.startsWith('//', colon + 1)) return false;
  return depth > 1 || keys === undefined || keys.has(text.slice(start + quote, end));
}
