// What a format declares of its dialect beside its grammar: tokens, tags, names. Data; the parsers derive from it what
// they have to know of other formats.
import type { ReasoningTag, StrippedReasoning } from '../regions/reasoning-tags';

/** What a dialect writes around its calls. Everything else that needs to know it derives it from here. */
export interface Dialect {
  /** Literal strings, compared ignoring ASCII case. Where several match, the longest is tried first. */
  openers?: readonly string[] | undefined;
  /** What closes calls: models also write the closer of another format, and one too many. */
  closers?: readonly string[] | undefined;
  /** What else may follow calls without being an answer: the ends of turns, the openers of results. */
  endTokens?: readonly string[] | undefined;
  /** Around reasoning; a format without tags for it returns a `ReasoningReading`. */
  reasoningTags?: readonly ReasoningTag[] | undefined;
  /** What is left of the reasoning where a server strips the special tokens. */
  strippedReasoning?: readonly StrippedReasoning[] | undefined;
  /** A first line that is markup where `before` follows somewhere. */
  leadLines?: readonly { line: string; before: string }[] | undefined;
  /** Around the visible answer. */
  answerTags?: readonly { open: string; close: string }[] | undefined;
  /** Info strings of code fences that may hold calls of any format, in lower case. */
  infoStrings?: readonly string[] | undefined;
  /** Names in lower case that mark the final answer instead of a tool. */
  finalAnswers?: readonly string[] | undefined;
  /** Names in lower case that stand for calling nothing. */
  noTools?: readonly string[] | undefined;
}

/** Whole tokens: words, fences and beginnings of tags have other uses. */
const TOKEN = /^[^\w\s`~].*(?:[>\]=]|\P{ASCII})$/u;
/** Of ASCII; other characters are telling enough. */
const SHORTEST_TOKEN = 5;
/** A literal that has no other use than to open, to close or to separate calls. */
export const isToken = (literal: string): boolean =>
  (literal.length >= SHORTEST_TOKEN || /^\P{ASCII}/u.test(literal)) && TOKEN.test(literal);
