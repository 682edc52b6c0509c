// Reads the tags of DSML, `<｜DSML｜invoke name="…">`, also with the bars and marks that models garble.
import { isBar } from '../text/special-tokens';
import type { TextSource } from '../core/rescue-context';
import type { PairSpelling } from '../pairs/spelling';
import { readTagRest } from '../pairs/tag';
import { TagCache } from '../pairs/tag-cache';
import { findTagNameEnd } from '../text/names';
import type { Tag, TagRole } from '../pairs/tag';

const ROLES: Readonly<Record<string, TagRole>> = {
  function_calls: 'wrapper',
  tool_calls: 'wrapper',
  calls: 'wrapper',
  invoke: 'call',
  parameter: 'parameter',
};

/** The marks in the tags; models of different makers have different names for the same markup. */
const MARKS = ['DSML', 'GCML'];
const LONGEST_RUN = 8;

export const DSML_SPELLING: PairSpelling = {
  lead: '<',
  slash: '/',
  readTag: readDsmlTag,
  isCloserCut: (rest) => /^<[|｜‖ ]{0,8}\//.test(rest),
  breaks: 'both',
};

const CACHE = new TagCache();

function readDsmlTag(source: TextSource, at: number): Tag | null {
  const known = source.text.charCodeAt(at) === 60 ? CACHE.find(source.text, at) : undefined;
  const tag = known ?? readNewTag(source, at);
  if (tag && !known) CACHE.add(source.text, tag);
  return tag;
}

function readNewTag(source: TextSource, at: number): Tag | null {
  const { text } = source;
  if (text.charCodeAt(at) !== 60) return null;
  const markAt = skipRun(text, at + 1);
  const mark = MARKS.find((item) => text.slice(markAt, markAt + item.length).toUpperCase() === item);
  if (mark === undefined) return null;
  const nameAt = skipRun(text, markAt + mark.length);
  const nameEnd = findWordEnd(text, nameAt);
  const name = text.slice(nameAt, nameEnd);
  const role = Object.hasOwn(ROLES, name.toLowerCase()) ? ROLES[name.toLowerCase()] : undefined;
  const written = text.slice(at, nameAt);
  const bar = trailingBar(text, nameEnd);
  const rest =
    role === undefined
      ? null
      : (readTagRest(source, nameEnd, '>') ?? readTagRest(source, nameEnd, `${bar}>`));
  if (!rest) return null;
  const isCloser = written.includes('/');
  // Some models write a space after the mark.
  const isExact =
    written.trimEnd() === `<${isCloser ? '/' : ''}｜${mark}｜` && !isBar(text.charAt(rest.end - 2));
  const damage = rest.damage ?? (isExact ? undefined : 'token-variant');
  return { start: at, isCloser, space: mark.toLowerCase(), name, role, ...rest, damage };
}

/** The offset after the bars, slashes and spaces at `from`. */
function skipRun(text: string, from: number): number {
  let at = from;
  while (at - from < LONGEST_RUN && (isBar(text.charAt(at)) || '/ \\▁'.includes(text.charAt(at) || '\n')))
    at += 1;
  return at;
}

function findWordEnd(text: string, from: number): number {
  const limit = findTagNameEnd(text, from);
  let end = from;
  while (end < limit && !isBar(text.charAt(end))) end += 1;
  return end;
}

/** The bars before the tag's `>`; '' when there are none. */
function trailingBar(text: string, from: number): string {
  const limit = Math.min(text.length, from + LONGEST_TAG);
  let at = from;
  while (at < limit && text.charCodeAt(at) !== 62) at += 1;
  let start = at;
  while (start > from && isBar(text.charAt(start - 1))) start -= 1;
  return text.slice(start, at);
}

const LONGEST_TAG = 200;
