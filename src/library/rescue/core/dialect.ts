// What a format declares about its dialect besides its grammar: tokens, tags and names. Data only; the parsers derive from
// it what they need to know about other formats.
import type { ReasoningTag, StrippedReasoning } from '../regions/reasoning-tags';

/** What a dialect writes around its calls. All other code derives its knowledge of such tokens from here. */
export interface Dialect {
  /** Literals that open calls, compared without regard to ASCII case. If several match, the longest is tried first. */
  openers?: readonly string[] | undefined;
  /** Literals that close calls. Models also use the closer of another format, or one closer too many. */
  closers?: readonly string[] | undefined;
  /** Other literals that may follow calls without being an answer: ends of turns, openers of results. */
  endTokens?: readonly string[] | undefined;
  /** Tags around reasoning. A format without such tags returns a `ReasoningReading` instead. */
  reasoningTags?: readonly ReasoningTag[] | undefined;
  /** What is left of the reasoning tags when a server strips special tokens. */
  strippedReasoning?: readonly StrippedReasoning[] | undefined;
  /** First lines of a reply that are markup if `before` occurs in it. */
  leadLines?: readonly { line: string; before: string }[] | undefined;
  /** Tags around the visible answer. */
  answerTags?: readonly { open: string; close: string }[] | undefined;
  /** Info strings, in lower case, of code fences in which calls of any format may be written. */
  infoStrings?: readonly string[] | undefined;
  /** Names in lower case that mark the final answer instead of a tool. */
  finalAnswers?: readonly string[] | undefined;
  /** Names in lower case that mean that no tool is called. */
  noTools?: readonly string[] | undefined;
}

/** Matches distinctive literals. Words, fences and beginnings of tags have other uses, and do not match. */
const TOKEN = /^[^\w\s`~].*(?:[>\]=]|\P{ASCII})$/u;
/** Minimum length, in UTF-16 code units, of a token that begins with ASCII; other characters are distinctive enough. */
const SHORTEST_TOKEN = 5;
/** Whether a literal has no other use than to open, close or separate calls. */
export const isToken = (literal: string): boolean =>
  (literal.length >= SHORTEST_TOKEN || /^\P{ASCII}/u.test(literal)) && TOKEN.test(literal);
