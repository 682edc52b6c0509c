// Recognises a string that was read too far, because a quote was lost. In `{"a": "x, "b": "y"}` the quote after `x` is missing, so
// the reader of damaged JSON takes `x, "b": "y` for one string with quotes in it. Such a string must not become a value.
import { closes } from './quotes';
import type { QuoteStyle } from './quotes';

/**
 * Whether the unescaped quotes in a string are quotes of the JSON around it, and not the author's quotes around words. They are
 * if the text between two of a pair is a separator instead of words, as in `x", "y`; or if their number is odd and one of them
 * is beside what looks like a key or the next item of a list.
 * @param written the string without its own quotes, as it was read
 * @param isList whether it is an item of a list; otherwise it is the value of a key
 */
export function holdsDamage(written: string, style: QuoteStyle, isList: boolean): boolean {
  const plain = written.replaceAll(ESCAPE, OTHER + OTHER);
  const marked = closes(style, 34)
    ? plain.replaceAll(OTHER_QUOTE, OTHER)
    : plain.replaceAll(QUOTE, (sign) => (closes(style, sign.charCodeAt(0)) ? '"' : OTHER));
  const parts = marked.split('"');
  const isSeparated = parts.some(
    (part, index) => index % 2 === 1 && SIGNS.test(part) && WORD.test(parts[index + 1] ?? ''),
  );
  if (isSeparated || parts.length % 2 === 1) return isSeparated;
  return DOUBLED.test(marked) || OPENED.test(marked) || (isList ? ITEM : MEMBER).test(marked);
}

/** Replaces the quotes that are certainly the author's, which are escaped, or of a kind that does not close this string. */
const OTHER = "'";
const ESCAPE = /\\[^]/g;
const QUOTE = /["'“”‘’„]/g;
const OTHER_QUOTE = /['“”‘’„]/g;
/** A separator: only signs and blanks, or a comma and a key without quotes. */
const SIGNS = /^(?:[^\p{L}\p{N}_']+|\s*[,;][\s,;]*[\w-]{1,64}\s*[:=]\s*)$/u;
const WORD = /^[\p{L}\p{N}_]/u;
/** The string ends with a second quote. After a digit, that quote means inches. */
const DOUBLED = /[^\d"']"$/;
/** An object with a key begins. The one odd quote is then that of a value in it: the string has run into the next call. */
const OPENED = /\{\s{0,16}"[\w-]{1,64}"\s{0,16}:/;
const ITEM = /"\s{0,16}[,;]|[,;]\s{0,16}"/;
const KEY = '[\\w-]{1,64}';
const GAP = '\\s{0,16}';
/** The next member of an object, beside a quote. Of its key, one quote or the colon may be lost too, or all quotes. */
const MEMBER = new RegExp(
  [
    `"${GAP}[,;]${GAP}(?:$|${KEY}(?:["']${GAP}[:=]|${GAP}:))`,
    `[,;]${GAP}"${KEY}(?:["']?${GAP}[:=]|\\s{1,16}["'])`,
    `[,;]${GAP}${KEY}${GAP}:${GAP}"`,
  ].join('|'),
);
