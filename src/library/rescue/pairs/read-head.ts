// Reads the opening of a call written as pairs, and the name of its tool: in the tag, after it, or in an element inside.
import { skipBlanksBefore, readNameBefore } from '../candidates/look-back';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import { findProperties } from '../schema/schema-types';
import { countEdits } from '../text/edit-distance';
import type { EmissionHead } from './emission';
import type { Tag } from './tags/tag';
import type { TagSource } from './tags/tag-source';

const LONGEST_NAME = 128;
const NAME = /^[^\s<>{}[\]()"'`,;=]{1,128}$/;

type ReplyTags = TagSource<RescueContext>;

/** Null when no call opens after `from`. @param wrapper The element around the call, if there is one. */
export function readHead(tags: ReplyTags, from: number, wrapper: Tag | undefined): EmissionHead | null {
  const { text, spelling } = tags;
  const at = skipWhite(text, from);
  const tag = tags.readNext(at);
  if (!tag) return wrapper && !spelling.hasNamesInText ? readBrokenHead(tags, at) : null;
  // The wrapper is the only tag around the call.
  if (tag.role === 'call-name' && !tag.isCloser && wrapper) return { start: at, end: at, name: '' };
  if (tag.role !== 'call' || tag.isCloser) return null;
  if (spelling.hasNamesInText) return readTextHead(tags, tag);
  if (tag.label !== undefined) return { start: at, end: tag.end, name: tag.label, tag };
  const named = spelling.callNames ? readElementHead(tags, tag) : undefined;
  if (named) return named;
  return tags.readNext(tag.end)?.role === 'call-name' ? { start: at, end: tag.end, name: '', tag } : null;
}

/** Reads a name between the tags that open and close the call, with the parameters after them, or an element around these. */
function readElementHead(tags: ReplyTags, tag: Tag): EmissionHead | undefined {
  const { text } = tags;
  const limit = text.slice(tag.end, tag.end + LONGEST_NAME + 1).indexOf('<');
  const name = limit === -1 ? '' : text.slice(tag.end, tag.end + limit).trim();
  if (!isCallName(name) || !tags.source.tools.resolve(name)) return undefined;
  const closer = tags.read(tag.end + limit);
  if (!closer?.isCloser || closer.role !== 'call') return undefined;
  const next = tags.readNext(closer.end);
  if (next?.isCloser !== false || (next.role !== 'parameter' && next.role !== 'group')) return undefined;
  return { start: tag.start, end: closer.end, name, tag, isBroken: true };
}

/** Reads a name after the tag, which may be written as in another dialect. */
function readTextHead(tags: ReplyTags, tag: Tag): EmissionHead | null {
  const { text } = tags;
  const { foreignHead = '' } = tags.spelling;
  const start = skipWhite(text, tag.end);
  const isBroken = foreignHead !== '' && text.startsWith(foreignHead, start);
  const from = isBroken ? start + foreignHead.length : start;
  const end = findWordEnd(text, from);
  const name = text.slice(from, end);
  if (end >= text.length || !isCallName(name)) return null;
  const glued = isBroken ? undefined : findGlued(tags, name);
  if (glued !== undefined) return { start: tag.start, end: from + glued.length, name: glued, tag };
  return { start: tag.start, end: isBroken && text.charAt(end) === '>' ? end + 1 : end, name, tag, isBroken };
}

/** The only tool of whose name and one of whose keys the word consists, where the tag between them was lost, or half of it. */
function findGlued({ source: { tools }, spelling }: ReplyTags, word: string): string | undefined {
  if (tools.resolve(word)) return undefined;
  const [name, ...others] = tools.names.filter((item) => {
    const key = word.startsWith(item) ? word.slice(item.length) : '';
    const isTag = key !== '' && key === spelling.keyName;
    return isTag || Object.hasOwn(findProperties(tools.resolve(item)?.tool.parameters) ?? {}, key);
  });
  return others.length === 0 ? name : undefined;
}

/** Reads a call inside the wrapper whose own tag lost its `<`, or of which only the name is left. */
function readBrokenHead(tags: ReplyTags, at: number): EmissionHead | null {
  const { text } = tags;
  const { callNames } = tags.spelling;
  if (!callNames) return null;
  const [written = '', word = ''] = BROKEN_HEAD.exec(text.slice(at, at + LONGEST_OPENING)) ?? [];
  const isCall = callNames.some((item) => countEdits(word, item) <= MAX_EDITS);
  const opening = isCall ? written : '';
  const wordEnd = findWordEnd(text, at + opening.length);
  const name = text
    .slice(at + opening.length, wordEnd)
    .replace(/["']$/, '')
    .trim();
  const tool = isCallName(name) ? tags.source.tools.resolve(name)?.tool : undefined;
  if (!tool) return null;
  const end = text.charAt(wordEnd) === '>' ? wordEnd + 1 : wordEnd;
  const next = tags.readNext(end);
  const isOwn =
    next?.role === undefined && Object.hasOwn(findProperties(tool.parameters) ?? {}, next?.name ?? '');
  const isPair = next?.role === 'parameter' || isOwn;
  const isEnd =
    opening !== '' && next?.isCloser === true && (next.role === 'call' || next.role === 'wrapper');
  return isPair || isEnd ? { start: at, end, name, isBroken: true } : null;
}

/** A tag without its first bracket, or with a typo: the name of an element before `=` or an attribute. */
const BROKEN_HEAD = /^<?([a-z]{3,12})(?:=| name=)["']?/;
const MAX_EDITS = 2;
const LONGEST_OPENING = 32;

/** Reads the name before a first pair whose call was not opened, because some servers remove special tokens. */
export function readHeadBefore(context: RescueContext, at: number): EmissionHead | null {
  const { text, consumedTo, tools } = context;
  const end = skipBlanksBefore(context, at);
  const named = readNameBefore(context, end);
  if (!named || !tools.resolve(named.name)) return null;
  const { name, start } = named;
  const isAlone = start === consumedTo || '\n>'.includes(text.charAt(start - 1));
  return isAlone ? { start, end, name } : null;
}

/** Reads `word` and a name before a first parameter, where the call's tag lost its first bracket. */
export function readHeadTagBefore(context: RescueContext, at: number, word: string): EmissionHead | null {
  const { text, consumedTo, tools } = context;
  const end = skipBlanksBefore(context, at);
  const named = text.charAt(end - 1) === '>' ? readNameBefore(context, end - 1) : null;
  const start = (named?.start ?? 0) - word.length;
  if (!named || start < consumedTo || !text.startsWith(word, start)) return null;
  return tools.resolve(named.name) ? { start, end, name: named.name, isBroken: true } : null;
}

export const isCallName = (name: string): boolean => NAME.test(name) && !name.endsWith(':');

function findWordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + LONGEST_NAME + 1);
  let end = from;
  while (end < limit && !' \t\r\n<>{'.includes(text.charAt(end))) end += 1;
  return end;
}
