// What opens a call written as pairs, and the name of its tool: in the tag, after it, or in an element inside.
import { skipWhite } from '../json/blank';
import type { RescueContext } from '../rescue-context';
import { findProperties } from '../schema-types';
import { countEdits } from './garbled-tag';
import type { CallHead } from './call-parts';
import type { PairSpelling } from './spelling';
import type { Tag } from './tag';

const LONGEST_NAME = 128;
const NAME = /^[^\s<>{}[\]()"'`,;=]{1,128}$/;
const FUNCTION = 'function=';

/** Null when no call opens at `at`. `wrapper` is the element around it, if there is one. */
export function readHead(
  context: RescueContext,
  spelling: PairSpelling,
  from: number,
  wrapper: Tag | undefined,
): CallHead | null {
  const at = skipWhite(context.text, from);
  const tag = spelling.readTag(context, at);
  if (!tag) return wrapper && spelling.hasBrokenHeads ? readBrokenHead(context, spelling, at) : null;
  if (tag.role !== 'call' || tag.isCloser) return null;
  if (spelling.hasNamesInText) return readTextHead(context.text, tag);
  if (tag.label !== undefined) return { start: at, end: tag.end, name: tag.label, tag };
  const next = spelling.readTag(context, skipWhite(context.text, tag.end));
  return next?.role === 'call-name' ? { start: at, end: tag.end, name: '', tag } : null;
}

/** `<tool_call>NAME`, and `<tool_call>function=NAME>` out of another dialect. */
function readTextHead(text: string, tag: Tag): CallHead | null {
  const start = skipWhite(text, tag.end);
  const isBroken = text.startsWith(FUNCTION, start);
  const from = isBroken ? start + FUNCTION.length : start;
  const end = findWordEnd(text, from);
  const name = text.slice(from, end);
  if (end >= text.length || !isCallName(name)) return null;
  return { start: tag.start, end: isBroken && text.charAt(end) === '>' ? end + 1 : end, name, tag, isBroken };
}

/** In the wrapper, a call whose own tag lost its `<`, or of which only the name is left. */
function readBrokenHead(context: RescueContext, spelling: PairSpelling, at: number): CallHead | null {
  const { text, tools } = context;
  const [written = '', word = ''] = BROKEN_HEAD.exec(text.slice(at, at + LONGEST_OPENING)) ?? [];
  const isCall = CALL_WORDS.some((item) => countEdits(word, item) <= MOST_EDITS);
  const opening = isCall ? written : '';
  const wordEnd = findWordEnd(text, at + opening.length);
  const name = text
    .slice(at + opening.length, wordEnd)
    .replace(/["']$/, '')
    .trim();
  const tool = isCallName(name) ? tools.resolve(name)?.tool : undefined;
  if (!tool) return null;
  const end = text.charAt(wordEnd) === '>' ? wordEnd + 1 : wordEnd;
  const next = spelling.readTag(context, skipWhite(text, end));
  const isOwn =
    next?.role === undefined && Object.hasOwn(findProperties(tool.parameters) ?? {}, next?.name ?? '');
  const isPair = next?.role === 'parameter' || isOwn;
  const isEnd =
    opening !== '' && next?.isCloser === true && (next.role === 'call' || next.role === 'wrapper');
  return isPair || isEnd ? { start: at, end, name, isBroken: true } : null;
}

/** A tag without its first bracket, or with a wrong letter: `function=NAME>`, `<nvoke name="NAME">`. */
const BROKEN_HEAD = /^<?([a-z]{3,12})(?:=| name=)["']?/;
const CALL_WORDS = ['function', 'invoke'];
const MOST_EDITS = 2;
const LONGEST_OPENING = 32;

/** The name that stands before a first pair whose call was not opened, as servers swallow special tokens. */
export function readHeadBefore(context: RescueContext, at: number): CallHead | null {
  const { text, floor, tools } = context;
  const limit = Math.max(floor, at - LONGEST_NAME - MOST_BLANKS);
  let end = at;
  while (end > limit && text.charAt(end - 1).trim() === '') end -= 1;
  let start = end;
  while (start > limit && NAME.test(text.charAt(start - 1))) start -= 1;
  const before = text.charAt(start - 1);
  const name = text.slice(start, end);
  const isAlone = start === 0 || start === floor || before === '\n' || before === '>';
  if (!isAlone || !isCallName(name) || !tools.resolve(name)) return null;
  return { start, end, name };
}

const MOST_BLANKS = 4;

/** `function=NAME>` before a first parameter, where the tag lost its `<`. */
export function readFunctionBefore(context: RescueContext, at: number): CallHead | null {
  const { text, floor, tools } = context;
  const limit = Math.max(floor, at - LONGEST_NAME - FUNCTION.length - MOST_BLANKS);
  let end = at;
  while (end > limit && text.charAt(end - 1).trim() === '') end -= 1;
  const start = text.slice(limit, end).lastIndexOf(FUNCTION) + limit;
  const name = text.slice(start + FUNCTION.length, end - 1);
  const isTag = start >= limit && text.charAt(end - 1) === '>' && isCallName(name);
  return isTag && tools.resolve(name) ? { start, end, name, isBroken: true } : null;
}

export const isCallName = (name: string): boolean => NAME.test(name) && !name.endsWith(':');

function findWordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + LONGEST_NAME + 1);
  let end = from;
  while (end < limit && !' \t\r\n<>{'.includes(text.charAt(end))) end += 1;
  return end;
}
