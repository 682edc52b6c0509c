// Calls of Solar Open 2: pairs between special tokens, `<|tool_arg:start|>KEY<|tool_arg:value|>VALUE<|tool_arg:end|>`.
// Declares the spelling; `pairs` parses it.
import { createPairFormat, readUnopened } from '../pairs/pair-format';
import type { PairSpelling } from '../pairs/tags/spelling';
import { NO_ATTRIBUTES } from '../pairs/tags/tag';
import type { Tag, TagRole } from '../pairs/tags/tag';
import { writeBlock, writePairs } from '../pairs/write-pairs';
import type { TextSource } from '../core/rescue-context';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';

const CALL = '<|tool_call:start|>';
const CALL_END = '<|tool_call:end|>';
const KEY = '<|tool_arg:start|>';
const VALUE = '<|tool_arg:value|>';
const VALUE_END = '<|tool_arg:end|>';

const TAGS: readonly { literal: string; role: TagRole; isCloser: boolean }[] = [
  { literal: CALL, role: 'call', isCloser: false },
  { literal: CALL_END, role: 'call', isCloser: true },
  { literal: KEY, role: 'key', isCloser: false },
  { literal: VALUE, role: 'value', isCloser: false },
  { literal: VALUE_END, role: 'value', isCloser: true },
];

function readTag({ text }: TextSource, at: number): Tag | null {
  const tag = TAGS.find(({ literal }) => text.startsWith(literal, at));
  if (!tag) return null;
  const { literal, ...kind } = tag;
  const name = kind.role === 'call' ? 'tool_call' : 'tool_arg';
  const end = at + literal.length;
  return { ...kind, name, start: at, end, isEmpty: false, space: '', attributes: NO_ATTRIBUTES };
}

const SPELLING: PairSpelling = {
  lead: '<|tool_',
  slash: ':end|>',
  readTag,
  isCloserCut: (rest) => rest.length > '<|tool_'.length && CALL_END.startsWith(rest),
  toCloser: ({ role }) => (role === 'call' ? CALL_END : VALUE_END),
  breaks: 'both',
  hasNamesInText: true,
};

export const solar: RescueFormat = createPairFormat({
  id: 'solar',
  title: 'Solar Open 2: <|tool_call:start|>NAME',
  openers: [CALL, KEY],
  reasoningTags: [{ open: '<|think:start|>', close: '<|think:end|>' }],
  spelling: SPELLING,
  read: (context, at, opener) => (opener === KEY ? readUnopened(context, at, SPELLING) : undefined),
  write: (calls) => calls.map(writeCall).join('\n'),
});

const writeCall = (call: WrittenCall): string =>
  `${CALL}${call.name}\n${writePairs(call, (key, value) => `${KEY}${key}${VALUE}${writeBlock(value)}${VALUE_END}\n`)}${CALL_END}`;
