// Matches the tokens around a call, whole or cut off by the end of the text. Independent of formats.
import type { Closer } from '../core/call-closer';
import type { RescueContext } from '../core/rescue-context';
import { skipWhite } from '../text/white-space';

/** One spelling, or several equivalent ones, the usual one first. */
export type Token = string | readonly string[];

/** The end of the token at `at`, compared without regard to ASCII case; -1 when it is not there. */
function matchLiteral(text: string, at: number, token: string): number {
  const end = at + token.length;
  if (text.startsWith(token, at)) return end;
  return text.slice(at, end).toLowerCase() === token.toLowerCase() ? end : -1;
}

const toSpellings = (token: Token): readonly string[] => (typeof token === 'string' ? [token] : token);

/** Skips white space and the token; -1 when the token is not there. */
export function skipToken(text: string, from: number, token: Token, match = matchLiteral): number {
  const at = skipWhite(text, from);
  for (const spelling of toSpellings(token)) {
    const end = match(text, at, spelling);
    if (end !== -1) return end;
  }
  return -1;
}

/** Skips closers that a server may have removed; the call is open when the text ends without any of them. */
export function skipClosers(
  text: string,
  from: number,
  closers: readonly Token[],
  match = matchLiteral,
): Closer {
  let end = from;
  for (const token of closers) end = Math.max(end, skipToken(text, end, token, match));
  return { end, repairs: [], isOpen: end === from && skipWhite(text, end) >= text.length };
}

/**
 * Where the text goes on after a call that cannot be read: after its closer, even if a string ran past it; for a form
 * without a closer, at the next opener. Undefined when it is not there.
 */
export function findNextCall(
  context: RescueContext,
  from: number,
  close: Token = [],
  open: Token = [],
): number | undefined {
  // The first spelling is the usual one.
  const [closer] = toSpellings(close);
  const [opener] = toSpellings(open);
  if (closer !== undefined) return context.findAfter(closer, from);
  return opener === undefined ? undefined : context.findFirst([opener], from)?.start;
}

/** Whether the text ends inside the token or before it. */
export function isCutBefore(text: string, from: number, token: Token): boolean {
  const at = skipWhite(text, from);
  if (at >= text.length) return true;
  return toSpellings(token).some(
    (spelling) => text.length - at < spelling.length && spelling.startsWith(text.slice(at)),
  );
}
