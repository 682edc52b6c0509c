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
  /** Whether it is the name of a tool. If it holds more, no tool has it. */
  isName?: boolean;
}

/** @param after Offset after the quote. */
export function endsValue(source: TextSource, after: number, place: StringPlace): boolean {
  const { text } = source;
  const next = skipWhite(text, after);
  const character = text.charAt(next);
  if (character === ',' && goesOn(source, next + 1, place)) return true;
  if (character === ',' || character === ';') return !place.isList && isMemberAfter(text, next);
  if (character === '}' || character === ']') return closesCall(source, next, place);
  return character === '' || isComment(text, next) || isMissingComma(text, next) || isCloserLast(text, next);
}

/** Whether white space and a short string follow, as in a list whose comma is missing. */
export const isItemAhead = (text: string, after: number): boolean =>
  ITEM.test(text.slice(after, after + LONGEST_KEY));

const ITEM = /^\s{1,16}(["'])(?:(?!\1)[^\n\\]){0,200}\1\s{0,16}[,\]"']/;

/** Whether the text after the quote begins as if the value ended there. */
export const mayEndValue = (text: string, after: number): boolean =>
  ',:}]'.includes(text.charAt(skipWhite(text, after)) || ' ');

const isMissingComma = (text: string, at: number): boolean =>
  isQuote(text.charAt(at)) && isKeyAhead(text, at);

/** Whether one separator too many, or a semicolon in place of the comma, and a quoted key with its colon follow. */
export function isMemberAfter(text: string, at: number): boolean {
  const [separators = ''] = SEPARATORS.exec(text.slice(at, at + LONGEST_KEY)) ?? [];
  return separators !== '' && isMissingComma(text, at + separators.length);
}

const SEPARATORS = /^[,;]\s*,?\s*/;

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

/** At closing brackets: whether JSON continues after them, or they close the call. */
function closesCall(source: TextSource, at: number, { isList, depth }: StringPlace): boolean {
  const { text } = source;
  const { end, count } = skipBrackets(text, at);
  const character = text.charAt(end);
  if (character === '' || source.isStopAt(end)) return true;
  // An object does not end with the bracket of a list.
  if (!isList && text.charAt(at) === ']') return false;
  if (',{['.includes(character) || isComment(text, end)) return true;
  return isQuote(character) ? isKeyAhead(text, end, LONGEST_KEY) : count >= depth;
}

const MAX_BRACKETS = 256;

/** The first offset that is no closing bracket, and how many there are. */
export function skipBrackets(text: string, at: number): { end: number; count: number } {
  let count = 0;
  let end = skipWhite(text, at);
  while (count < MAX_BRACKETS && '}]'.includes(text.charAt(end) || ' ')) {
    count += 1;
    end = skipWhite(text, end + 1);
  }
  return { end, count };
}

const BRACKETS_AT_END = /["'”’][\s}\]]*$/;

/** Whether a quote and the brackets of the whole call come directly before the next token that ends or opens a call. */
export function closesLater(source: TextSource, from: number, { depth }: StringPlace): boolean {
  const [end = ''] = BRACKETS_AT_END.exec(source.readBeforeCallToken(from)) ?? [];
  return end.replaceAll(/[^}\]]/g, '').length >= depth;
}

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
