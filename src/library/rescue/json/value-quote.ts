// Decides whether a quote ends a string of damaged JSON: only if what follows may follow a value there, up to the end of the
// call. Any other quote is text. Does not handle escapes.
import type { TextSource } from '../core/rescue-context';
import { findLiteral, findWordEnd, startsNumber } from '../text/words';
import { skipWhite } from '../text/white-space';
import { isKeyAhead, isQuote, LONGEST_KEY } from './quotes';

/** The place of a value: whether it is in a list or in an object, and the number of brackets around it. */
export interface StringPlace {
  isList: boolean;
  depth: number;
}

/** @param after Offset after the quote. */
export function endsValue(source: TextSource, after: number, place: StringPlace): boolean {
  const { text } = source;
  const next = skipWhite(text, after);
  const character = text.charAt(next);
  if (character === ',') return goesOn(source, next + 1, place);
  if (character === '}' || character === ']') return closesCall(source, next, place);
  return character === '' || isComment(text, next) || isMissingComma(text, next) || isCloserLast(text, next);
}

/** Whether the text after the quote begins as if the value ended there. */
export const mayEndValue = (text: string, after: number): boolean =>
  ',:}]'.includes(text.charAt(skipWhite(text, after)) || ' ');

const isMissingComma = (text: string, at: number): boolean =>
  isQuote(text.charAt(at)) && isKeyAhead(text, at);

const isComment = (text: string, at: number): boolean =>
  text.startsWith('//', at) || text.startsWith('/*', at);

/** After a comma: whether a key with its colon follows in an object, or a value in a list. */
function goesOn(source: TextSource, from: number, { isList }: StringPlace): boolean {
  const { text } = source;
  const at = skipWhite(text, from);
  const character = text.charAt(at);
  if (character === '' || '}]{'.includes(character) || isComment(text, at) || source.isStopAt(at))
    return true;
  if (isList) return startsValue(text, at);
  return isQuote(character) ? isKeyAhead(text, at, LONGEST_KEY) || isCutKey(text, at) : isWordKey(text, at);
}

/** Whether the text ends inside the key. */
const isCutKey = (text: string, at: number): boolean =>
  text.length - at < LONGEST_KEY && !text.slice(at + 1).includes(text.charAt(at));

/** Whether a word, its colon and a value follow; in prose, no value does. */
function isWordKey(text: string, at: number): boolean {
  const end = findWordEnd(text, at);
  const colon = skipWhite(text, end);
  return end > at && text.charAt(colon) === ':' && startsValue(text, skipWhite(text, colon + 1));
}

function startsValue(text: string, at: number): boolean {
  const character = text.charAt(at);
  if (character === '' || '{['.includes(character) || isQuote(character)) return true;
  return (
    startsNumber(text.charCodeAt(at)) || findLiteral(text.slice(at, findWordEnd(text, at))) !== undefined
  );
}

/** After closing brackets: whether JSON continues, or the brackets close the call. */
function closesCall(source: TextSource, at: number, { depth }: StringPlace): boolean {
  const { text } = source;
  let count = 0;
  let next = at;
  while (count < MAX_BRACKETS && '}]'.includes(text.charAt(next) || ' ')) {
    count += 1;
    next = skipWhite(text, next + 1);
  }
  const character = text.charAt(next);
  if (character === '' || ',{['.includes(character) || isComment(text, next) || source.isStopAt(next))
    return true;
  return isQuote(character) ? isKeyAhead(text, next, LONGEST_KEY) : count >= depth;
}

const MAX_BRACKETS = 256;

/** Whether the call is closed by a tag although brackets are missing, with nothing or another tag after it. */
function isCloserLast(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 60) return false;
  const [closer] = CLOSER.exec(text.slice(at, at + LONGEST_CLOSER)) ?? [];
  if (closer === undefined) return false;
  const next = text.charAt(skipWhite(text, at + closer.length));
  return next === '' || next === '<';
}

const LONGEST_CLOSER = 64;
const CLOSER =
  /^<(?:\/(?:\w{1,24}:)?(?:tool|function|invoke|call)[\w-]{0,24}|[|｜]\w{1,40}[_▁]end[|｜]|\w{1,24}\|)>/i;
