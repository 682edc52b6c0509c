// Recognises a string that holds the beginning of what follows it, because a sign between the two is lost or doubled.
import { closes } from './quotes';
import type { QuoteStyle } from './quotes';

/**
 * Whether unescaped quotes in a string are those around a separator, and not those around words of the text: two of a pair
 * have only signs or a key between them, or there is an odd number of them beside what looks like a key, or an item of a
 * list.
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
  return DOUBLED.test(marked) || (isList ? ITEM : MEMBER).test(marked);
}

/** Stands for an escaped quote, and for one that does not close the string: these are quotes of the text. */
const OTHER = "'";
const ESCAPE = /\\[^]/g;
const QUOTE = /["'“”‘’„]/g;
const OTHER_QUOTE = /['“”‘’„]/g;
/** Without letters, except for those of a key without quotes. */
const SIGNS = /^(?:[^\p{L}\p{N}_']+|\s*[,;][\s,;]*[\w-]{1,64}\s*[:=]\s*)$/u;
const WORD = /^[\p{L}\p{N}_]/u;
/** The quote at the end is no unit of length. */
const DOUBLED = /[^\d"']"$/;
const ITEM = /"\s{0,16}[,;]|[,;]\s{0,16}"/;
const KEY = '[\\w-]{1,64}';
const GAP = '\\s{0,16}';
/** One quote of the key may be lost, or its colon; or it has no quotes. */
const MEMBER = new RegExp(
  [
    `"${GAP}[,;]${GAP}(?:$|${KEY}(?:["']${GAP}[:=]|${GAP}:))`,
    `[,;]${GAP}"${KEY}(?:["']?${GAP}[:=]|\\s{1,16}["'])`,
    `[,;]${GAP}${KEY}${GAP}:${GAP}"`,
  ].join('|'),
);
