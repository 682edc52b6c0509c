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

/** The end of the string from `from` on, whose first quote is at `first`; `first` itself when no later quote can be the end. */
export function findPythonEnd(
  source: TextSource,
  from: number,
  first: number,
  style: QuoteStyle,
  place: PythonPlace,
): number {
  const { text } = source;
  let limit = Math.min(text.length, first + LONGEST_SEARCH);
  let isWhole = false;
  let isInner = false;
  let quotes = 0;
  for (let at = first; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') {
      at += 1;
      continue;
    }
    if (character === '\n' && text.charAt(at + 1) === '\n' && !isWhole) break;
    if (!closes(style, character.charCodeAt(0))) continue;
    const isWord = isInner ? closesInner(text, at) : opensInner(text, at);
    if (!isWord && endsString(source, at + 1, place) && !(quotes % 2 === 1 && isInText(source, from, at))) {
      source.meter.spend(first, at);
      return at;
    }
    if (isWord) isInner = !isInner;
    quotes += 1;
    if (quotes === 1) isWhole = CALL_END.test(source.readBeforeCallToken(first));
    if (isWhole) limit = Math.max(limit, source.findCallToken(first));
  }
  source.meter.spend(first, limit);
  // More text may contain a later quote that ends the string.
  if (limit === text.length) source.meter.isDoubtful = true;
  return first;
}

/** A quote and the brackets of a call, directly before the next token that ends or opens calls. */
const CALL_END = /["'”’]\s{0,16}\)[\s)\]]{0,16}$/;

/** Whether the quote opens a quoted word inside the text: after white space and directly before a letter or digit. */
const opensInner = (text: string, at: number): boolean =>
  /\s/.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at + 1));

/** Whether the quote closes such a word: the text continues as no literal does, with a space and a path, option or word. */
const closesInner = (text: string, at: number): boolean =>
  !/\s/.test(text.charAt(at - 1)) &&
  /^ (?:[-/.~$]{0,2}[\p{L}\p{N}_]|&&|\|)/u.test(text.slice(at + 1, at + 6));

function endsString({ text }: TextSource, after: number, place: PythonPlace): boolean {
  const character = text.charAt(after);
  if (character === '(' || character === '[') return true;
  if (character === '.') return findWordEnd(text, after + 1) > after + 1;
  const next = skipWhite(text, after);
  const sign = text.charAt(next);
  if (sign === '' || OPERATORS.includes(sign)) return true;
  if (sign === ',') return goesOn(text, next + 1, place);
  if (')]}'.includes(sign)) return closesCall(text, next);
  if (sign === ':') return place === 'dictionary' || place === 'value';
  if (isQuote(sign)) return isOwnString(text, next);
  return OPERATOR_WORDS.has(text.slice(next, findWordEnd(text, next)));
}

/**
 * After a comma: whether a keyword follows, or a key in a dictionary. In a list, any comma ends the string: joining what
 * may be two strings would be worse than a failure.
 */
function goesOn(text: string, from: number, place: PythonPlace): boolean {
  const at = skipWhite(text, from);
  const sign = text.charAt(at);
  if (place === 'list' || place === 'value' || sign === '' || ')]}#'.includes(sign)) return true;
  const wordEnd = findWordEnd(text, at);
  const behind = text.charAt(skipWhite(text, wordEnd));
  if (wordEnd > at) return behind === '=' || behind === ':';
  if (isQuote(sign)) return isKeyAhead(text, at, LONGEST_SEARCH, ':=');
  return place === 'dictionary' && startsNumber(text.charCodeAt(at));
}

/** Whether the text does not continue with a quote directly after the closing brackets. */
function closesCall(text: string, at: number): boolean {
  let next = at;
  while (')]} '.includes(text.charAt(next) || '.')) next += 1;
  return !isQuote(text.charAt(next));
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

/** Whether the next quote opens another string that ends properly: adjacent strings are one. */
function isOwnString(text: string, at: number): boolean {
  const piece = text.slice(at + 1, at + LONGEST_SEARCH);
  const end = piece.indexOf(text.charAt(at));
  if (end <= 0) return false;
  const behind = text.charAt(skipWhite(text, at + end + 2));
  return behind === '' || ',)]}'.includes(behind) || isQuote(behind);
}
