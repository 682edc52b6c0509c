// Reads values without quotes or delimiters, as in damaged calls: a number or a literal if possible, otherwise the text up
// to the beginning of the next member. Independent of calls.
import { skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';
import type { RepairLog } from '../core/repair-log';
import { findMatchEnd } from '../text/match-end';
import { findLiteral, findWordEnd, toNumber } from '../text/words';
import type { TextSource } from '../core/rescue-context';

export interface BareStyle {
  /** Texts that cannot be part of a value. Each begins with an angle bracket. */
  stops: readonly string[];
  /** Those of them that delimit strings. */
  delimiters: readonly string[];
  /** Those of them that end the call, so that a value before one is complete. */
  ends: readonly string[];
  /** The only keys of the outermost object, if they are known. */
  keys?: ReadonlySet<string> | undefined;
  /** Those keys whose values are text, whatever they look like. */
  texts?: ReadonlySet<string> | undefined;
  /** Whether any comma ends a value, and not only one before the next member. @default false */
  endsAtComma?: boolean;
  /** The value that is written without quotes; undefined when it is damage. @default a literal or a number */
  readScalar?: (written: string) => { value: unknown } | undefined;
}

export interface BarePlace {
  isList: boolean;
  /** Whether the value belongs to the outermost object, so that the call may end after it. */
  isOutermost: boolean;
  /** The key of the value; '' in a list. */
  key: string;
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
  const { text } = source;
  const end = findBareEnd(text, at, style, place);
  source.meter.spend(at, end);
  if (end === text.length) return { value: undefined, end, failure: 'truncated' };
  const written = text.slice(at, end).trim();
  if (holdsMore(written, style)) return { value: undefined, end: at, failure: 'malformed' };
  const closer = written === '' ? undefined : findCloser(text, end, style);
  if (closer !== undefined) {
    log.add('unquoted-string', at, 'the string has no delimiter at its start');
    return { value: written, end: end + closer.length };
  }
  const isStopped = startsWithAny(text, end, style.stops);
  const isEnded = place.isOutermost && startsWithAny(text, end, style.ends);
  const isMissing = written === '' && (isStopped || !place.isOutermost);
  if ((isStopped && !isEnded) || isMissing) return { value: undefined, end, failure: 'malformed' };
  if (written === '') {
    log.add('unquoted-string', at, 'no value where one is expected');
    return { value: '', end };
  }
  const isText = place.isOutermost && style.texts?.has(place.key) === true;
  const scalar = isText ? undefined : (style.readScalar ?? readScalar)(written);
  if (scalar) return { value: scalar.value, end };
  log.add('unquoted-string', at);
  return { value: isText ? findEmptyLines(text, at) + written : written, end };
}

const startsWithAny = (text: string, at: number, tokens: readonly string[]): boolean =>
  tokens.some((token) => text.startsWith(token, at));

/** The literal or the number that this is; undefined when it is neither. */
function readScalar(written: string): { value: boolean | number | null } | undefined {
  const value = toNumber(written);
  return value === undefined ? findLiteral(written) : { value };
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

/**
 * Whether text that does not stand between two delimiters holds a part of one, or another parameter of the tool, so that it
 * is more than the value.
 */
export const holdsMore = (text: string, { delimiters, keys }: BareStyle): boolean =>
  delimiters.some((item) => findHalves(item).some((half) => text.includes(half))) ||
  (keys !== undefined &&
    [...text.replaceAll(QUOTED, '').matchAll(MEMBER)].some(([, key = '']) => keys.has(key)));

/** Of a delimiter with one damaged character, one of these is left. */
const findHalves = (delimiter: string): string[] => {
  const half = Math.floor(delimiter.length / 2);
  return [delimiter.slice(0, half), delimiter.slice(-half)];
};

const QUOTED = /(["'])[^\n]{0,512}?\1/g;
const MEMBER = /[,;\n]\W{0,8}([\w.$-]{1,128})["']?\s{0,8}[:=]/g;

/** Text without any sign at which a value may end, or which changes what ends it. */
const PLAIN = /[^,[\]{}"'<]*/y;

function findBareEnd(text: string, at: number, style: BareStyle, place: BarePlace): number {
  const [opener, closer] = place.isList ? '[]' : '{}';
  let open = 0;
  for (let end = findMatchEnd(PLAIN, text, at); end < text.length; end = findMatchEnd(PLAIN, text, end + 1)) {
    const character = text.charAt(end);
    if (character === opener) open += 1;
    else if (character === closer) {
      if (open === 0 || isLastBracket(text, end, style, place)) return end;
      open -= 1;
    } else if (character === ',' && endsMember(text, at, end, style, place, open > 0)) return end;
    else if (character === '<' && startsWithAny(text, end, style.stops)) return end;
    else end = skipQuoted(text, end);
  }
  return text.length;
}

/** Whether the bracket precedes the call's end token, and so closes the call, however many brackets the value has opened. */
const isLastBracket = (text: string, at: number, { ends }: BareStyle, { isOutermost }: BarePlace): boolean =>
  isOutermost && startsWithAny(text, skipWhite(text, at + 1), ends);

/** Whether the comma ends the value that begins at `from`. */
function endsMember(
  text: string,
  from: number,
  comma: number,
  { keys, texts, endsAtComma }: BareStyle,
  { isList, isOutermost, key }: BarePlace,
  isInside: boolean,
): boolean {
  if (isList || endsAtComma) return !isInside;
  const known = isOutermost ? keys : undefined;
  // Inside brackets of the value itself, only a declared key begins a member.
  if ((!isInside || known) && isMemberAhead(text, comma + 1, known)) return true;
  // After `5` for a parameter that is no text, as in `5,exact:true`, an undeclared member may follow, or one with `=`.
  const isTyped = known?.has(key) === true && texts?.has(key) !== true;
  return (
    isTyped &&
    readScalar(text.slice(from, comma).trim()) !== undefined &&
    isMemberAhead(text, comma + 1, undefined, ':=')
  );
}

/** The last character of a quoted part, which belongs to the value with all its brackets and commas; else `at` itself. */
function skipQuoted(text: string, at: number): number {
  const quote = text.charAt(at);
  if ((quote !== '"' && quote !== "'") || /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return at;
  const rest = text.slice(at + 1, at + LONGEST_QUOTED);
  const quoted = rest.slice(0, Math.max(0, rest.indexOf(quote)));
  const isQuoted = rest.includes(quote) && !quoted.includes('\n') && !quoted.includes('<');
  return isQuoted ? at + 1 + quoted.length : at;
}

const LONGEST_QUOTED = 512;
const LONGEST_KEY = 160;
const QUOTED_KEY = /^"([^"\n]+)"/;

/**
 * Whether a member begins, or the object ends: `unit: …` does, `see http://…` does not.
 * @param keys The only keys that it may have. @default any word
 * @param signs Characters that may follow the key.
 */
function isMemberAhead(text: string, at: number, keys?: ReadonlySet<string>, signs = ':'): boolean {
  const start = skipWhite(text, at);
  if (text.charAt(start) === '}') return true;
  const [quoted = '', inside] = QUOTED_KEY.exec(text.slice(start, start + LONGEST_KEY)) ?? [];
  const wordEnd = keys ? findKeyEnd(text, start) : findDottedEnd(text, start);
  const end = inside === undefined ? wordEnd : start + quoted.length;
  const colon = skipWhite(text, end);
  if (
    end === start ||
    colon >= text.length ||
    !signs.includes(text.charAt(colon)) ||
    text.startsWith('//', colon + 1)
  )
    return false;
  return keys?.has(inside ?? text.slice(start, end)) ?? true;
}

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
