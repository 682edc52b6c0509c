// Defines which characters the names of tools and tags consist of. Independent of formats.
import { findMatchEnd } from './match-end';

const LONGEST_NAME = 128;

const isLetterCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  (code > 0xbf && !(code >= 0x2000 && code <= 0x206f) && code < 0xff00);

/** Characters in the names of tools: letters, digits, `_`, and the characters that join their parts. */
const isNameCode = (code: number): boolean => isLetterCode(code) || (code >= 45 && code <= 58);

/** The end of the name at `at`; `at` itself when there is none. */
export function findNameEnd(text: string, at: number): number {
  if (!isLetterCode(text.charCodeAt(at))) return at;
  let end = at + 1;
  const limit = Math.min(text.length, at + LONGEST_NAME);
  while (end < limit && isNameCode(text.charCodeAt(end))) end += 1;
  return end;
}

/** The start of the name that ends at `end`, not before `floor`; `end` itself when there is none. */
export function findNameStart(text: string, end: number, floor: number): number {
  let start = end;
  const limit = Math.max(floor, end - LONGEST_NAME);
  while (start > limit && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  while (start < end && !isLetterCode(text.charCodeAt(start))) start += 1;
  return start;
}

/** Letters, digits, and the other characters that dialects use in the names of tags. */
const TAG_NAME = /[\w:.|\-\u00c0-\u1fff\u3000-\ufeff]{0,80}/y;

/** The end of the tag name at `at`; `at` itself when there is none. */
export const findTagNameEnd = (text: string, at: number): number => findMatchEnd(TAG_NAME, text, at);
