// Finds the end of a well-formed JSON value in one pass, which stops at the first character that JSON cannot have. Only
// searches; JSON.parse decides.
import type { TextSource } from '../core/rescue-context';
import { skipWhite } from '../text/white-space';

/** Deeper nesting is refused. The limit also keeps every later recursion over the value shallow. */
export const DEEPEST = 128;

const PLAIN = new Uint8Array(128);
for (const character of ' \t\r\n,:0123456789+-.eEtrufalsn') PLAIN[character.charCodeAt(0)] = 1;

/** Characters that may follow a string. */
const AFTER_STRING = new Uint8Array(128);
for (const character of ',:}]') AFTER_STRING[character.charCodeAt(0)] = 1;

/** Offset after the bracket that closes the one at `at`, or -1. */
export function findStrictEnd(source: TextSource, at: number): number {
  const { text } = source;
  let depth = 0;
  let next = at;
  let end = -1;
  while (next < text.length && end === -1) {
    const code = text.charCodeAt(next);
    if (code === 34) {
      const after = skipString(text, next);
      next = Math.abs(after);
      if (after < 0 || AFTER_STRING[text.charCodeAt(next)] !== 1) break;
      continue;
    }
    next = code === 32 ? skipWhite(text, next) : next + 1;
    if (code === 123 || code === 91) {
      depth += 1;
      if (depth > DEEPEST) break;
    } else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) end = next;
    } else if (PLAIN[code] !== 1) break;
  }
  source.meter.spend(at, next);
  return end;
}

/** Offset of what follows the string; negative where the string cannot continue. */
function skipString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', skipEscapes(text, end + 1));
  const stop = end === -1 ? text.length : end;
  // JSON.parse would find the line break too, like anything else that is invalid in a string, but is slow to reject a text.
  const lineEnd = text.slice(at, stop).indexOf('\n');
  if (lineEnd !== -1) return -(at + lineEnd);
  return end === -1 ? -stop : skipWhite(text, end + 1);
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === 92) start -= 1;
  return (at - start) % 2 === 1;
}

/** Skips a run of escapes at once, because a search for each of them would be slow. */
function skipEscapes(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === 92) next += 2;
  return next;
}
