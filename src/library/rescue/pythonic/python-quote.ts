// Decides whether a quote ends a string of Python: only if what follows may follow a value there. Any other quote is text
// that was not escaped. With an operator it would be an expression, which is never repaired. Does not handle escapes.
import type { TextSource } from '../core/rescue-context';
import { closes, isKeyAhead, isQuote } from '../json/quotes';
import type { QuoteStyle } from '../json/quotes';
import { skipWhite } from '../text/white-space';
import { findWordEnd, startsNumber } from '../text/words';
import { OPERATOR_WORDS } from './python-syntax';

/** Where the string is: after `keyword=`, in a list, in a dictionary, or `value` when that is not known. */
export type PythonPlace = 'keyword' | 'list' | 'dictionary' | 'value';

const LONGEST_SEARCH = 512;
const OPERATORS = '+-*/%@&|^<>=!~#;`';

/**
 * The end of the string from `from` on, whose first quote is at `first`. The quotes before it must be pairs around quoted
 * words: otherwise one is missing, and the string would swallow what follows it. If no quote is the end, it is `first` where
 * reading on shows the damage, and undefined where the call would close with a part of the text.
 */
export function findPythonEnd(
  source: TextSource,
  from: number,
  first: number,
  style: QuoteStyle,
  place: PythonPlace,
): number | undefined {
  const { text } = source;
  const none = ')]}'.includes(text.charAt(skipWhite(text, first + 1)) || ' ') ? undefined : first;
  let limit = Math.min(text.length, first + LONGEST_SEARCH);
  let isWhole = false;
  let seen = first;
  let inner: 'none' | 'quoted' | 'maybe' = 'none';
  for (let at = first; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') {
      at += 1;
      continue;
    }
    if (character === '\n' && text.charAt(at + 1) === '\n' && !isWhole) break;
    if (!closes(style, character.charCodeAt(0))) continue;
    source.meter.spend(seen, at);
    seen = at;
    const mayOpen = mayOpenInner(text, at);
    const isOpener = mayOpen && WORD_AHEAD.test(text.slice(at + 1, at + 3));
    const isEnd =
      !isOpener && !(inner !== 'none' && closesInner(text, at)) && endsString(source, at + 1, style, place);
    if (inner === 'none') {
      if (isEnd) return at;
      if (isOpener && followsKeyword(source, at)) return none;
      if (isOpener || (mayOpen && at > from))
        inner = LONE_OPENER.test(text.slice(at - 2, at)) ? 'maybe' : 'quoted';
      else if (!isApostrophe(text, at) && !isLone(text, at)) return none;
    } else if (!isApostrophe(text, at)) {
      if (isOpener) return none;
      if (isEnd && !isInText(source, from, at)) return inner === 'maybe' && place === 'keyword' ? at : none;
      inner = 'none';
    }
    if (at === first) isWhole = CALL_END.test(source.readBeforeCallToken(first));
    if (isWhole) limit = Math.max(limit, source.findCallToken(first));
  }
  source.meter.spend(seen, limit);
  // More text may contain a later quote that ends the string.
  if (limit === text.length) source.meter.isDoubtful = true;
  return none;
}

/** A quote and the brackets of a call, directly before the next token that ends or opens calls. */
const CALL_END = /["'”’]\s{0,16}\)[\s)\]]{0,16}$/;

const AFTER_VALUE = /[\p{L}\p{N}_)\]}]/u;
const PREFIXED = /[^\p{L}\p{N}_)\]}][rbfu]{1,2}$/iu;
const WORD_AHEAD = /^[\p{L}\p{N}_]/u;
/** After a word and a space, an apostrophe may stand for letters that are left out. */
const LONE_OPENER = /[\p{L}\p{N}] $/u;

/** Whether the quote may open a word inside the text: not directly after a word, except for the prefix of a string. */
const mayOpenInner = (text: string, at: number): boolean =>
  !AFTER_VALUE.test(text.charAt(at - 1)) ||
  (PREFIXED.test(text.slice(Math.max(0, at - 3), at)) && /[^\s,;:)\]}]/.test(text.charAt(at + 1)));

/** Whether a comma and a keyword that a tool has come directly before the quote. */
function followsKeyword(source: TextSource, at: number): boolean {
  const [, keyword] = KEYWORD_BEHIND.exec(source.text.slice(Math.max(0, at - LONGEST_KEYWORD), at)) ?? [];
  return keyword !== undefined && isDeclared(source, keyword);
}

const KEYWORD_BEHIND = /,\s{0,16}([A-Za-z_]\w{0,63})\s{0,4}=\s{0,4}$/;

const isDeclared = (source: TextSource, keyword: string): boolean =>
  (source.declares(keyword) ?? 'unknown') !== 'unknown';

/** Whether the quote closes such a word: the text continues as no literal does, with a space and a path, option or word. */
const closesInner = (text: string, at: number): boolean =>
  !/\s/.test(text.charAt(at - 1)) &&
  /^ (?:[-/.~$]{0,2}[\p{L}\p{N}_]|&&|\|)/u.test(text.slice(at + 1, at + 6));

/** Whether it is a sign of its own, as in `5" pipe` and `the dogs' bed`. */
const isLone = (text: string, at: number): boolean =>
  /^[\p{L}\p{N}] [\p{L}\p{N}]/u.test(text.charAt(at - 1) + text.slice(at + 1, at + 4));

/** Between two letters, an apostrophe is part of a word, because no letter can follow a literal. */
export const isApostrophe = (text: string, at: number): boolean =>
  "'’".includes(text.charAt(at)) &&
  LETTER.test(text.charAt(at - 1)) &&
  LETTER.test(text.charAt(at + 1)) &&
  !mayOpenInner(text, at);

const LETTER = /^\p{L}$/u;

function endsString(source: TextSource, after: number, style: QuoteStyle, place: PythonPlace): boolean {
  const { text } = source;
  const character = text.charAt(after);
  if (character === '(' || character === '[') return true;
  if (character === '.') return findWordEnd(text, after + 1) > after + 1;
  const next = skipWhite(text, after);
  const sign = text.charAt(next);
  if (sign === '' || OPERATORS.includes(sign)) return true;
  if (sign === ',') return goesOn(source, next + 1, place);
  if (')]}'.includes(sign)) return closesCall(text, next, style);
  if (sign === ':') return place === 'dictionary' || place === 'value';
  if (isQuote(sign)) return next > after && isOwnString(text, next);
  return OPERATOR_WORDS.has(text.slice(next, findWordEnd(text, next))) || isKeywordAhead(source, after);
}

/** Whether white space and a keyword that a tool has follow, so that only the comma is missing. */
export function isKeywordAhead(source: TextSource, after: number): boolean {
  const [, keyword] = MISSING_COMMA.exec(source.text.slice(after, after + LONGEST_KEYWORD)) ?? [];
  return keyword !== undefined && isDeclared(source, keyword);
}

const LONGEST_KEYWORD = 100;
const MISSING_COMMA = /^\s{1,16}([A-Za-z_]\w{0,63})\s{0,4}=(?!=)/;

/**
 * After a comma: whether a keyword follows, or a key in a dictionary. In a list, any comma ends the string: joining what
 * may be two strings would be worse than a failure.
 */
function goesOn(source: TextSource, from: number, place: PythonPlace): boolean {
  const { text } = source;
  const at = skipWhite(text, from);
  const sign = text.charAt(at);
  if (place === 'list' || place === 'value' || sign === '' || ',)]}#'.includes(sign)) return true;
  const wordEnd = findWordEnd(text, at);
  const behind = text.charAt(skipWhite(text, wordEnd)) || ' ';
  // Between a keyword that a tool has and a quote, only the sign is missing.
  if (wordEnd > at)
    return '=:'.includes(behind) || (isQuote(behind) && isDeclared(source, text.slice(at, wordEnd)));
  if (isQuote(sign)) return isKeyAhead(text, at, LONGEST_SEARCH, ':=');
  return place === 'dictionary' && startsNumber(text.charCodeAt(at));
}

/** Whether the text does not continue with such a quote directly after the closing brackets. */
function closesCall(text: string, at: number, style: QuoteStyle): boolean {
  let next = at;
  while (')]} '.includes(text.charAt(next) || '.')) next += 1;
  return !closes(style, text.charCodeAt(next));
}

/**
 * Whether the quote, the second of a pair in the string, belongs to the text: the brackets behind it close those that the
 * string has opened, with none left for the call, or a keyword follows that no tool has.
 */
function isInText(source: TextSource, from: number, at: number): boolean {
  const { text } = source;
  const [, keyword] = KEYWORD.exec(text.slice(at + 1, at + LONGEST_TEXT)) ?? [];
  if (keyword !== undefined) return source.declares(keyword) === 'unknown';
  const written = text.slice(Math.max(from, at - LONGEST_TEXT), at);
  const [behind = ''] = CLOSERS.exec(text.slice(at + 1, at + LONGEST_CLOSERS)) ?? [];
  if (countOf(written, /[([{]/g) <= countOf(written, /[)\]}]/g)) return false;
  return behind !== '' && countOf(behind, /\)/g) <= countOf(written, /\(/g) - countOf(written, /\)/g);
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const KEYWORD = /^\s{0,16},\s{0,16}([A-Za-z_]\w{0,63})\s{0,4}=/;
const LONGEST_TEXT = 4096;
const LONGEST_CLOSERS = 64;
const CLOSERS = /^\s*[)\]}][\s)\]}]*/;

/** Whether the next quote opens another string that ends properly: strings with white space between them are one. */
function isOwnString(text: string, at: number): boolean {
  const piece = text.slice(at + 1, at + LONGEST_SEARCH);
  const end = piece.indexOf(text.charAt(at));
  if (end <= 0) return false;
  const after = at + end + 2;
  const next = skipWhite(text, after);
  const behind = text.charAt(next);
  return behind === '' || ',)]}'.includes(behind) || (isQuote(behind) && next > after);
}
