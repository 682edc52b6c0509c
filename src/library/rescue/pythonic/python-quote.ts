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

/** The end of the string whose first quote is at `first`; `first` itself when no later quote can be the end. */
export function findPythonEnd(
  source: TextSource,
  first: number,
  style: QuoteStyle,
  place: PythonPlace,
): number {
  const { text } = source;
  const limit = Math.min(text.length, first + LONGEST_SEARCH);
  let isInner = false;
  for (let at = first; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '\n' && text.charAt(at + 1) === '\n') break;
    else if (!closes(style, character.charCodeAt(0))) continue;
    else if (isInner && closesInner(text, at)) isInner = false;
    else if (opensInner(text, at)) isInner = true;
    else if (endsString(source, at + 1, place)) {
      source.meter.spend(first, at);
      return at;
    }
  }
  source.meter.spend(first, limit);
  // More text may contain a later quote that ends the string.
  if (limit === text.length) source.meter.isDoubtful = true;
  return first;
}

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

/** Whether the next quote opens another string that ends properly: adjacent strings are one. */
function isOwnString(text: string, at: number): boolean {
  const piece = text.slice(at + 1, at + LONGEST_SEARCH);
  const end = piece.indexOf(text.charAt(at));
  if (end <= 0) return false;
  const behind = text.charAt(skipWhite(text, at + end + 2));
  return behind === '' || ',)]}'.includes(behind) || isQuote(behind);
}
