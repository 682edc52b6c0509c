// Tells whether a call is only quoted in data: a string or an element begins before the call and goes on after it, as in
// `{"text": "then it writes ⟨call⟩ and waits"}`. The data may be damaged, so it is not parsed; only the text beside the call is
// looked at. Independent of formats.
import { skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';

const LONGEST_SIDE = 2048;
const QUOTES = ['"', "'"];
/** Characters that come before a string in data. In prose, other characters come before a quote. */
const VALUE_SIGNS = ':=([{,';
/** What follows the closing quote of a string in data. */
const STRING_END = /^\s{0,16}(?:[}\]),;]|<\/|<\w+\||$)/;
const CLOSING_TAG = /<\/([\w.:-]{1,64})>/;
const LAST_TAG = /<[^<>]{0,64}>$/;

/** Whether the call from `start` to `end` is part of data. `to` is where the next call begins, or the end of the text. */
export function standsInData(text: string, start: number, end: number, to: number): boolean {
  if (start === 0) return false;
  const before = text.slice(Math.max(0, start - LONGEST_SIDE), start);
  const after = text.slice(end, Math.min(to, end + LONGEST_SIDE));
  const quote = QUOTES.find((sign) => opensString(before, sign));
  const piece = quote === undefined ? '' : before.slice(before.lastIndexOf(quote) + 1);
  if (quote !== undefined && isOnLine(piece) && !(after.trim() === '' && CLOSED.test(piece))) return true;
  // No text follows that could continue the data.
  if (skipWhite(after, 0) === after.length) return false;
  if (quote !== undefined) {
    if (closesString(after, quote)) return true;
    const closer = LAST_TAG.exec(text.slice(Math.max(start, end - 64), end))?.[0];
    if (closer !== undefined && after.includes(closer)) return true;
  }
  return isInElement(before, after);
}

/**
 * Whether the open string goes up to the call on one line. If it ends with a bracket or a token, it is no open string: it was
 * complete, and only its closing quote is lost.
 */
const isOnLine = (piece: string): boolean => !piece.includes('\n') && !STRING_LOST.test(piece);

const STRING_LOST = /(?:[}\]]\s{0,16}(?:<\/[^<>]{1,64}>)?|[|｜]>)\s{0,16}$/;

/** Matches if a closing tag comes directly before the call: an earlier call with that string in it ended there. */
const CLOSED = /<\/[^<>]{1,64}>$/;

/** Whether the last quote of that kind opens a string in data, because a sign such as `:` is before it. */
function opensString(before: string, sign: string): boolean {
  // Usually there is no such quote, and a search from the front finds that out sooner.
  if (!before.includes(sign)) return false;
  let at = before.lastIndexOf(sign);
  while (at > 0 && before.charAt(at - 1) === '\\') at = before.lastIndexOf(sign, at - 1);
  const last = at === -1 ? '' : before.charAt(skipWhiteBefore(before, at) - 1);
  return last !== '' && VALUE_SIGNS.includes(last);
}

function closesString(after: string, sign: string): boolean {
  let at = after.indexOf(sign);
  while (at > 0 && after.charAt(at - 1) === '\\') at = after.indexOf(sign, at + 1);
  return at !== -1 && STRING_END.test(after.slice(at + 1));
}

/** Whether the call has words on both sides of it on its line, and one element encloses all of them. */
function isInElement(before: string, after: string): boolean {
  const [, name] = CLOSING_TAG.exec(after) ?? [];
  const opened = name === undefined ? -1 : before.lastIndexOf(`<${name}>`);
  if (name === undefined || opened === -1 || before.indexOf(`</${name}>`, opened) !== -1) return false;
  const line = before.slice(before.lastIndexOf('\n') + 1).replace(/^.*>/, '');
  return line.trim() !== '' && /^[^\n<]*\w/.test(after);
}
