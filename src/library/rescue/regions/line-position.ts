// Tells whether something is alone on its line, and whether it is surrounded by program code. Formats without a marker
// depend on that. Independent of single formats.
import { isAtLineStart } from './fence';
import { isBlank } from '../text/white-space';
import { isProgramLine, isOnlyClosers } from './program-lines';
import type { TaggedText } from './region-syntax';

const LONGEST_LINE = 240;
const MAX_BLANKS = 64;

/** What may stand before a call on its line in a program. */
const PROGRAM_PREFIX =
  /^[ \t]{0,40}(?:>>> (?:print\()?|print\(|await |return |(?:(?:export )?(?:const|let|var) )?[A-Za-z_][\w.]{0,60}(?:: ?\w{1,40})? ?= ?(?:await )?)$/;

/** What else comes before data on a line of a program, comment or table; keys such as `"tool_calls":` are excluded. */
const CODE_PREFIX =
  /(?:(?:\w|=> ?)\(|=>|(?:^|[{,[])[ \t]{0,40}["'](?!(?:tool|function)_?[Cc]alls?["'])[^"']{0,64}["']:|(?:^|[ \t])(?:\/\/|#)|^[ \t]{0,40}(?:--|\|.{0,200}\|))[ \t]{0,8}$/;

/** Whether only up to three blanks, or a complete tag, come before `at` on its line. */
export function startsLine({ text, regions }: TaggedText, at: number): boolean {
  if (isAtLineStart(text, at)) return true;
  let start = at;
  while (at - start < 4 && text.charAt(start - 1) === ' ') start -= 1;
  return isAfterTag({ text, regions }, start, at) || regions.reasoning.isBracketedBefore(text, start);
}

/**
 * Whether a control token, or a tag that begins its line, ends at `end`. Prompts, types in programs and names in chats end
 * with `>` too.
 */
function isAfterTag({ text, regions }: TaggedText, end: number, at: number): boolean {
  if (text.charCodeAt(end - 1) !== 62) return false;
  const before = text.slice(Math.max(0, end - LONGEST_TAG), end);
  if (CONTROL_TOKEN.test(before)) return true;
  const [tag] = TAG.exec(before) ?? [];
  if (tag === undefined) return false;
  if (regions.reasoning.find(text, end - tag.length)) return true;
  if (!isAtLineStart(text, end - tag.length)) return false;
  return tag.startsWith('</') || end === at;
}

const LONGEST_TAG = 96;
const CONTROL_TOKEN = /(?:[|｜]|<\|?[\w▁]{1,40}\|)>$/;
const TAG = /<\/?[a-z][^<>\s]{0,80}>$/i;

/** Whether `at` begins its line, or follows the end of a sentence. */
export function standsAlone(source: TaggedText, at: number): boolean {
  const { text } = source;
  let end = at;
  while (at - end < 4 && text.charAt(end - 1) === ' ') end -= 1;
  const last = text.charAt(end - 1);
  // One letter or digit before a dot does not end a sentence: "e.g.", "z. B.", the number of a list.
  const isShort = last === '.' && ' .\n'.includes(text.charAt(end - 3));
  return startsLine(source, at) || (last !== '' && SENTENCE_ENDS.includes(last) && !isShort);
}

// Without the colon, because it introduces examples as well.
const SENTENCE_ENDS = '.!?…。！？';

/** Whether only white space or a tag follows on the line. */
export function endsLine(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) !== 10 && isBlank(text.charCodeAt(at))) at += 1;
  return at >= text.length || text.charAt(at) === '\n' || text.charAt(at) === '<';
}

/** The start of the line of `at`, but at most LONGEST_LINE characters before it. */
function findLineStart(text: string, at: number): number {
  const limit = Math.max(0, at - LONGEST_LINE);
  let start = at;
  while (start > limit && text.charAt(start - 1) !== '\n') start -= 1;
  return start;
}

/** The last line before that of `at` that is not blank, trimmed; '' when there is none nearby. */
export function lineBefore(text: string, at: number): { line: string; start: number; indent: number } {
  let end = findLineStart(text, at);
  for (
    let blanks = 0;
    blanks < MAX_BLANKS && end > 0 && ' \t\r\n'.includes(text.charAt(end - 1));
    blanks += 1
  )
    end -= 1;
  const start = findLineStart(text, end);
  const written = text.slice(start, end);
  return { line: written.trim(), start, indent: written.length - written.trimStart().length };
}

/** Whether the call at `at` is a statement of a program: its line uses the result, or the line before it is code. */
export function isInProgram(source: TaggedText, at: number): boolean {
  const { text } = source;
  const prefix = text.slice(findLineStart(text, at), at);
  return PROGRAM_PREFIX.test(prefix) || (startsLine(source, at) && followsProgram(text, at));
}

/** Whether the nearest line before `at` that gives evidence is a line of a program. */
function followsProgram(text: string, at: number): boolean {
  let from = at;
  for (let lines = 0; lines < MAX_LINES; lines += 1) {
    const { line, start, indent } = lineBefore(text, from);
    if (line === '') return false;
    if (isProgramLine(line)) return true;
    if (indent < MIN_INDENT && !isOnlyClosers(line)) return false;
    from = start;
  }
  return false;
}

const MAX_LINES = 8;
/** A line with at least this indent belongs to a block, of a program or of a list. */
const MIN_INDENT = 2;

/** Whether the data at `at` is part of a line of code, of a table, or of other data. */
export function followsCode(text: string, at: number): boolean {
  if (isAtLineStart(text, at)) return false;
  const prefix = text.slice(findLineStart(text, at), at);
  // Directly after the sign of a line in a diff.
  return prefix === '+' || prefix === '-' || PROGRAM_PREFIX.test(prefix) || CODE_PREFIX.test(prefix);
}

/** Whether a line of prose introduces what begins at `at`. */
export function isIntroduced(text: string, at: number): boolean {
  const introduction = lineBefore(text, at).line;
  return introduction !== '' && !introduction.endsWith('>');
}
