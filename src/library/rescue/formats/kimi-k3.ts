// Calls of Kimi K3: elements whose brackets are special tokens, `<|open|>call tool="…"<|sep|>`. Declares the spelling;
// `pairs` parses it.
import { jsonTypeOf } from '../../util/json-words';
import { createPairFormat } from '../pairs/pair-format';
import type { Emission } from '../pairs/emission';
import type { PairSpelling } from '../pairs/tags/spelling';
import { encodeEntities } from '../pairs/tags/tag';
import { CUT_HINT } from '../core/refusals';
import { findTagNameEnd } from '../text/names';
import { skipWhite } from '../text/white-space';
import type { Tag, TagRole } from '../pairs/tags/tag';
import { createTagReader } from '../pairs/tags/tag-reader';
import type { TagHead } from '../pairs/tags/tag-reader';
import { writeBlock, writePairs } from '../pairs/write-pairs';
import type { RescueContext } from '../core/rescue-context';
import { readReasoning, toEmptyEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';

const OPEN = '<|open|>';
const CLOSE = '<|close|>';
const SEPARATOR = '<|sep|>';

const ROLES: Readonly<Record<string, TagRole>> = { tools: 'wrapper', call: 'call', argument: 'parameter' };
/** Channels of the answer: their tags are cut from it, and their content is kept. */
const ANSWERS: ReadonlySet<string> = new Set(['response', 'message', 'text', 'final']);
const THOUGHTS: ReadonlySet<string> = new Set(['think', 'thinking', 'reasoning', 'analysis']);

/** An opening tag that is cut off before its separator or at any character of it. */
const CUT_OPENER = /^<\|open\|>[^<>\n]{0,160}(?:<(?:\|(?:s(?:e(?:p\|?)?)?)?)?)?$/;

const SPELLING: PairSpelling = {
  lead: '<|',
  slash: CLOSE,
  readTag: createTagReader({ lead: '<|', roles: ROLES, hasAttributes: true, closing: SEPARATOR, readHead }),
  isCloserCut: (rest) => rest.length > 2 && (CLOSE.startsWith(rest) || rest.startsWith(CLOSE)),
  isOpenerCut: (rest) => CUT_OPENER.test(rest),
  marks: ['|open|', '|close|'],
  toCloser: ({ name }) => `${CLOSE}${name}${SEPARATOR}`,
  breaks: 'both',
  hasTypedTags: true,
};

function readHead(text: string, at: number): TagHead | null {
  const isCloser = text.startsWith(CLOSE, at);
  if (!isCloser && !text.startsWith(OPEN, at)) return null;
  const from = at + (isCloser ? CLOSE : OPEN).length;
  const nameEnd = findTagNameEnd(text, from);
  return nameEnd === from ? null : { isCloser, space: '', name: text.slice(from, nameEnd), nameEnd };
}

export const kimiK3: RescueFormat = createPairFormat({
  id: 'kimi-k3',
  title: 'Kimi K3: <|open|>call tool="…"<|sep|>',
  sglangParser: 'kimi_k3',
  openers: [OPEN, CLOSE],
  spelling: SPELLING,
  // The opener may be in the prompt.
  reasoningTags: [{ open: `${OPEN}think${SEPARATOR}`, close: `${CLOSE}think${SEPARATOR}` }],
  needsWrapper: true,
  label: 'attribute',
  read: readChannel,
  write: (calls) => `${OPEN}tools${SEPARATOR}${calls.map(writeCall).join('')}${CLOSE}tools${SEPARATOR}`,
});

/** Reads a tag that belongs to no call; undefined for tags that may belong to one. */
function readChannel(context: RescueContext, at: number): Emission | FormatReading | null | undefined {
  const tag = SPELLING.readTag(context, at);
  if (opensAtEnd(context.text, at, tag))
    return { kind: 'rejection', start: at, end: context.text.length, ...CUT };
  if (!tag || tag.role !== undefined) return tag && !tag.isCloser ? undefined : null;
  const { start, end } = tag;
  if (ANSWERS.has(tag.name)) return toEmptyEmission(start, end);
  if (!THOUGHTS.has(tag.name) || tag.isCloser) return null;
  return readReasoning(context, start, end, `${CLOSE}${tag.name}${SEPARATOR}`);
}

const CUT = {
  reason: 'truncated',
  detail: 'The calls open, and there the reply was cut. Nothing was run.',
  hint: CUT_HINT,
} as const;

/** Whether the wrapper opens, possibly without the last of its tokens, and nothing follows. */
function opensAtEnd(text: string, at: number, tag: Tag | null): boolean {
  if (tag) return tag.role === 'wrapper' && !tag.isCloser && skipWhite(text, tag.end) >= text.length;
  const rest = text.slice(at, at + LONGEST_WRAPPER);
  return rest.startsWith(`${OPEN}tools`) && at + rest.length === text.length && CUT_OPENER.test(rest);
}

const LONGEST_WRAPPER = 64;

function writeCall(call: WrittenCall, index: number): string {
  const pairs = writePairs(call, writeArgument);
  return `${OPEN}call tool="${encodeEntities(call.name)}" index="${index}"${SEPARATOR}${pairs}${CLOSE}call${SEPARATOR}`;
}

const writeArgument = (key: string, value: unknown): string =>
  `${OPEN}argument key="${encodeEntities(key)}" type="${jsonTypeOf(value)}"${SEPARATOR}${writeBlock(value)}${CLOSE}argument${SEPARATOR}`;
