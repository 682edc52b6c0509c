// Where forms without a marker may begin, as marks that a search over the whole text can skip the rest with. All of them
// look at a bounded stretch, hold in more places than calls begin at, and name no format.
import { isBlank } from './json/blank';
import { isWordCode } from './json/words';
import { LiteralTrie } from './literal-trie';
import type { Mark } from './mark-search';
import { findNameEnd as findTagNameEnd } from './pairs/tag';
import { findNameEnd, isNameCode } from './pythonic/read-python-call';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz_';
const DIGITS = '0123456789';
const WHITE = ' \t\n\v\f\r';
/** Where there are more nothing is said. */
const MOST_BLANKS = 8;
const LONGEST_NAME = 128;

const isNamed: Mark['isAt'] = (text, at, names) => names.mayEnd(text, at);

/** After `{` an object with a key, after `[` a list with an object or a string. */
export const toBlockAnchor = (first: string): Mark => (first === '{' ? OBJECT : OBJECT_LIST);

const OBJECT: Mark = {
  after: `${LETTERS}${WHITE}$"'/`,
  isAt(text, at) {
    const next = skipBlanks(text, at + 1);
    if (next === -1 || next >= text.length || isKeyStart(text.charCodeAt(next))) return true;
    let end = next;
    while (isWordCode(text.charCodeAt(end))) end += 1;
    const colon = skipBlanks(text, end);
    return end > next && (colon === -1 || text.charCodeAt(colon) === 58);
  },
};

const OBJECT_LIST: Mark = {
  after: `${WHITE}"{`,
  isAt(text, at) {
    const next = skipBlanks(text, at + 1);
    return next === -1 || text.charCodeAt(next) === 34 || text.charCodeAt(next) === 123;
  },
};

/** At the bracket of `name{` or `name(`; a few blanks and line breaks may stand between them. */
export const NAMED_ANCHOR: Mark = { isAt: isNamed };

/** After the bracket of a list of Python calls. */
export const LIST_ANCHOR: Mark = {
  after: LETTERS + WHITE,
  isAt(text, at) {
    const start = skipBlanks(text, at + 1);
    if (start === -1) return true;
    const end = findNameEnd(text, start);
    return end > start && (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 40);
  },
};

/** The same where the list begins its line. */
export const LINE_LIST_ANCHOR: Mark = { ...LIST_ANCHOR, before: ' \n>' };

/** At the bracket of a list that stands behind a word. */
export function createWordListAnchor(word: string): Mark {
  const last = word.charCodeAt(word.length - 1);
  return {
    before: word.slice(-1) + WHITE,
    isAt(text, at) {
      let end = at;
      while (end > 0 && at - end < MOST_BLANKS && isBlank(text.charCodeAt(end - 1))) end -= 1;
      // in prose there is some word before every bracket
      return end > 0 && text.charCodeAt(end - 1) === last && text.endsWith(word, end);
    },
  };
}

/** At the last character of a label. */
export const createLabelAnchor = (label: string): Mark => ({
  before: label.slice(-2, -1),
  isAt: (text, at) => text.slice(at + 1 - label.length, at + 1).toLowerCase() === label.toLowerCase(),
});

/** After the bracket with a name in it and an object behind it. */
export const BRACKET_NAME_ANCHOR: Mark = {
  isAt(text, at, names) {
    const start = skipBlanks(text, at + 1);
    if (start !== -1 && !names.mayStart(text, start)) return false;
    const end = text.slice(at, at + LONGEST_NAME + 2).indexOf(']');
    const next = end === -1 ? end : skipBlanks(text, at + end + 1);
    return end !== -1 && (next === -1 || text.charCodeAt(next) === 123);
  },
};

/** At the bracket of an element that has nothing but a name. */
export const ELEMENT_ANCHOR: Mark = {
  after: `${LETTERS}${DIGITS}-./:|`,
  isAt: (text, at, names) =>
    names.mayStart(text, at + 1) && AFTER_NAME.includes(text.charAt(findTagNameEnd(text, at + 1))),
};

const AFTER_NAME = `${WHITE}>/`;

/** At the colon of `Action:`, decorated or numbered. */
export const ACTION_ANCHOR: Mark = {
  before: `n${DIGITS}*_"'\` \t`,
  isAt: (text, at) => ACTION.test(text.slice(Math.max(0, at - LONGEST_LABEL), at)),
};

const ACTION = /action(?: ?#?\d{1,3})?[*_"'`]{0,3}[ \t]{0,2}$/i;
const LONGEST_LABEL = 16;

/** At the bracket of an element with one of the names, whatever its namespace. */
export function createElementAnchor(names: readonly string[]): Mark {
  const trie = new LiteralTrie<true>();
  for (const name of names) trie.add(name, true);
  return {
    after: `${LETTERS}${DIGITS}-:`,
    second: `${LETTERS}${DIGITS}-:`,
    isAt(text, at) {
      let local = at + 1;
      for (let next = local; next - at < LONGEST_SPACE && isNameCode(text.charCodeAt(next)); next += 1)
        if (text.charCodeAt(next) === 58) local = next + 1;
      return trie.has(text, local);
    },
  };
}

const LONGEST_SPACE = 28;

/** Before a digit. */
export const DIGIT_ANCHOR: Mark = { after: DIGITS };

/** A quote of any kind, or a comment before it. */
const isKeyStart = (code: number): boolean =>
  code === 34 || code === 39 || code === 47 || (code >= 0x2018 && code <= 0x201f);

/** The first place from `at` that is not blank; -1 when it is far. */
function skipBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) {
    next += 1;
    if (next - at > MOST_BLANKS) return -1;
  }
  return next;
}
