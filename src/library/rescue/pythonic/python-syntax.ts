// What may stand between the values of Python, and what can be said about text that is not a literal.
import type { ReadFailure } from '../core/json-reading';
import type { TextSource } from '../core/rescue-context';
import { isBlank } from '../text/white-space';
import { findWordEnd } from '../text/words';

/** Words after a value that make it an expression. */
export const OPERATOR_WORDS: ReadonlySet<string> = new Set([
  'for',
  'if',
  'else',
  'in',
  'is',
  'not',
  'and',
  'or',
  'async',
]);
const OPERATORS = '([.+-*/%@&|^<>=!~?';

/** Skips white space, comments and escaped line breaks. */
export function skipPythonBlank(source: TextSource, at: number): number {
  const { text } = source;
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    if (isBlank(code)) next += 1;
    else if (code === 92 && text.charAt(next + 1) === '\n') next += 2;
    else if (code === 35) {
      const end = source.find('\n', next);
      next = end === -1 ? text.length : end + 1;
    } else return next;
  }
  return next;
}

/** Why a value cannot end before the text at `at`. */
export function judgeRest(text: string, at: number): ReadFailure['reason'] {
  if (at >= text.length) return 'truncated';
  if (OPERATORS.includes(text.charAt(at))) return 'non-literal-argument';
  const end = findWordEnd(text, at);
  if (end === text.length) return 'truncated';
  return OPERATOR_WORDS.has(text.slice(at, end)) ? 'non-literal-argument' : 'malformed';
}
