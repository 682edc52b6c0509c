// What a reader of literals gives back, and what it can say about text that is none.
import { isBlank } from '../text/white-space';
import { findWordEnd } from '../text/words';
import type { TextSource } from '../core/rescue-context';

export interface LiteralFailure {
  reason: 'truncated' | 'malformed' | 'too-deep' | 'non-literal-argument';
  at: number;
  /** What was being read, for a sentence: the argument `city`. */
  inside: string;
}

export interface LiteralReading {
  value: unknown;
  /** After the value, or where the reading failed. */
  end: number;
  failure?: LiteralFailure | undefined;
}

/** After a value these make it an expression. */
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

/** Past white space, comments and broken lines. */
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

/** Why a value cannot end before what stands at `at`. */
export function judgeRest(text: string, at: number): LiteralFailure['reason'] {
  if (at >= text.length) return 'truncated';
  if (OPERATORS.includes(text.charAt(at))) return 'non-literal-argument';
  const end = findWordEnd(text, at);
  if (end === text.length) return 'truncated';
  return OPERATOR_WORDS.has(text.slice(at, end)) ? 'non-literal-argument' : 'malformed';
}
