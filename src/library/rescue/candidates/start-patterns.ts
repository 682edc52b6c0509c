// Start patterns for formats without a marker: regular expression sources for the text around a format's first character,
// with which the prefilter skips nearly all of a text. Each may accept too much, but never too little. Repetitions are lazy,
// because a greedy one that fails gives back each of its characters in vain. Independent of single formats.
import { BLANK, toLiteralSource } from '../text/prefilter';
import type { StartPattern, StartSource } from '../text/prefilter';

/** Letters that are neither blanks nor typographic signs. */
const OTHER_LETTERS = '\\u00c0-\\u1fff\\u2070-\\ufefe';
const LETTER = `[A-Za-z_${OTHER_LETTERS}]`;
const NAME_CHARACTER = `[A-Za-z_\\--:${OTHER_LETTERS}]`;
/** A quote of any kind, or the start of a comment before it. */
const KEY_START = '["\'/\\u2018-\\u201f]';
const KEY = `(?:${KEY_START}|[\\w$\\-${OTHER_LETTERS}]+?${BLANK}*:)`;

/** After `{`: an object with a key. After `[`: a list with an object or a string. */
export const toBlockPattern = (first: string): StartSource => ({
  afterBlanks: first === '{' ? `(?:${KEY}|$)` : '["{]',
});

/** At the bracket of `name{` or `name(`. A few blanks and line breaks may come between them. */
export const NAMED_PATTERN: StartPattern = (_first, { end }) => ({ before: `${end}${BLANK}{0,4}` });

/** After the bracket of a list of Python calls. */
export const LIST_PATTERN: StartSource = { afterBlanks: `${LETTER}${NAME_CHARACTER}{0,127}?[ (]` };

/** At the bracket of a list that follows a word. */
export const createWordListPattern = (word: string): StartPattern => ({ before: `${word}${BLANK}{0,8}` });

/** At the last character of a label. */
export const createLabelPattern = (label: string): StartPattern => ({
  before: toLiteralSource([label.slice(0, -1)], Infinity),
});

/** After a bracket: a name, the closing bracket and an object. */
export const BRACKET_NAME_PATTERN: StartPattern = (_first, { start }) => ({
  afterBlanks: `${start}[^\\]]{0,128}?\\]${BLANK}*\\{`,
});

/** After the bracket of an element with nothing but a name. */
export const ELEMENT_PATTERN: StartPattern = (_first, { start }) =>
  `${start}[\\w.:|${OTHER_LETTERS}-]{0,128}?(?:[\\t-\\r >/]|$)`;

/** At the colon of `Action:`, which may be decorated or numbered. */
export const ACTION_PATTERN: StartPattern = {
  before: `${toLiteralSource(['action'], Infinity)}(?: ?#?\\d{1,3})?[*_"'\`]{0,3}[ \\t]{0,2}`,
};

/** After the bracket of an element with one of the names, in any namespace. */
export const createElementPattern = (names: readonly string[]): string =>
  `(?:[\\w\\-:\\u0080-\\uffff]${NAME_CHARACTER}{0,26}?:)?${toLiteralSource(names, Infinity)}`;

/** After the colon between a name and the number of its call. */
export const NUMBERED_PATTERN = `\\d{1,6}${BLANK}*[{<]`;
