// Whether something has its lines for itself, and whether a program stands around it. Forms without a marker need to
// know; it knows no form.
import { isAtLineStart } from './fence';
import { isBlank, skipWhite } from './json/blank';
import { REASONING_TAGS } from './reasoning-tags';

const LONGEST_LINE = 240;
const MOST_BLANKS = 64;

/** Lines of programs: imports, definitions, blocks, assignments, prompts. */
const PROGRAM_LINES: readonly RegExp[] = [
  /^(?:import [\w.{*]|from [\w.]{1,80} import )/,
  /^(?:async )?(?:def|class|for|while|with|if|elif|else|try|except|finally)\b.{0,200}[:{]$/,
  /^(?:async )?function\b.{0,200}\(/,
  /^(?:(?:export )?(?:const|let|var) )?[A-Za-z_][\w.]{0,60}(?:: ?\w{1,40})? = /,
  /^(?:@\w|#!|>>> |\$ )/,
];
/** What may stand before a call on its line in a program. */
const PROGRAM_PREFIX =
  /^[ \t]{0,40}(?:>>> (?:print\()?|print\(|await |return |(?:(?:export )?(?:const|let|var) )?[A-Za-z_][\w.]{0,60}(?:: ?\w{1,40})? ?= ?(?:await )?)$/;

/** What else may stand before data in a program, a comment or a table; a key that says what follows is a call is none. */
const CODE_PREFIX =
  /(?:(?:\w|=> ?)\(|=>|(?:^|[{,[])[ \t]{0,40}["'](?!(?:tool|function)_?[Cc]alls?["'])[^"']{0,64}["']:|(?:^|[ \t])(?:\/\/|#)|^[ \t]{0,40}(?:--|\|.{0,200}\|))[ \t]{0,8}$/;

/** Nothing but up to three blanks, or a tag that closed, stands before it on its line. */
export function startsLine(text: string, at: number): boolean {
  if (isAtLineStart(text, at)) return true;
  let start = at;
  while (at - start < 4 && text.charAt(start - 1) === ' ') start -= 1;
  return TAG_END.test(text.slice(Math.max(0, start - 2), start)) || endsWithBracketTag(text, start);
}

// `=>` and `->` are arrows
const TAG_END = /[a-z|｜]>$/i;
const BRACKET_TAGS = REASONING_TAGS.filter((tag) => tag.endsWith(']'));

const endsWithBracketTag = (text: string, end: number): boolean =>
  text.charAt(end - 1) === ']' && BRACKET_TAGS.some((tag) => text.endsWith(tag, end));

/** It begins its line, or a sentence ended before it. */
export function standsAlone(text: string, at: number): boolean {
  let end = at;
  while (at - end < 4 && text.charAt(end - 1) === ' ') end -= 1;
  const last = text.charAt(end - 1);
  // one letter or digit before a dot: "e.g.", "z. B.", the number of a list
  const isShort = last === '.' && ' .\n'.includes(text.charAt(end - 3));
  return startsLine(text, at) || (last !== '' && SENTENCE_ENDS.includes(last) && !isShort);
}

// a colon introduces examples as well
const SENTENCE_ENDS = '.!?…。！？';

/** Only white space or a tag follows on the line. */
export function endsLine(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) !== 10 && isBlank(text.charCodeAt(at))) at += 1;
  return at >= text.length || text.charAt(at) === '\n' || text.charAt(at) === '<';
}

/** After the line of `at` the text has nothing more to say. */
export const isLastLine = (text: string, lineEnd: number): boolean =>
  lineEnd === -1 || skipWhite(text, lineEnd) >= text.length;

/** The start of the line that `at` stands on, unless that is far away. */
function findLineStart(text: string, at: number): number {
  const limit = Math.max(0, at - LONGEST_LINE);
  let start = at;
  while (start > limit && text.charAt(start - 1) !== '\n') start -= 1;
  return start;
}

/** The line before the one of `at` that is not blank, trimmed; '' when there is none nearby. */
export function lineBefore(text: string, at: number): { line: string; start: number } {
  let end = findLineStart(text, at);
  for (
    let blanks = 0;
    blanks < MOST_BLANKS && end > 0 && ' \t\r\n'.includes(text.charAt(end - 1));
    blanks += 1
  )
    end -= 1;
  const start = findLineStart(text, end);
  return { line: text.slice(start, end).trim(), start };
}

/** The call at `at` is a step of a program: its result is used on its line, or code stands before it. */
export function isInProgram(text: string, at: number): boolean {
  const prefix = text.slice(findLineStart(text, at), at);
  return PROGRAM_PREFIX.test(prefix) || (startsLine(text, at) && isCode(lineBefore(text, at).line));
}

/** The data at `at` is part of a program's line, of a table's, or of other data. */
export function followsCode(text: string, at: number): boolean {
  if (isAtLineStart(text, at)) return false;
  const prefix = text.slice(findLineStart(text, at), at);
  return PROGRAM_PREFIX.test(prefix) || CODE_PREFIX.test(prefix);
}

const isCode = (line: string): boolean => PROGRAM_LINES.some((pattern) => pattern.test(line));

/** Text was written to introduce what begins at `at`. */
export function isIntroduced(text: string, at: number): boolean {
  const introduction = lineBefore(text, at).line;
  return introduction !== '' && !introduction.endsWith('>');
}
