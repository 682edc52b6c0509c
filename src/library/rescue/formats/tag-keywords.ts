// `<tool_call>NAME key=value key=value</tool_call>`, which GLM 4.7 sometimes writes. Only declared keys and their values may
// be in the tag, because a sentence in it looks much the same.
import { readJson } from '../json/read-json';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { CallArguments } from '../pairs/call-arguments';
import { INVOKE_SPELLING } from './element-tags';
import { writePairs, writeText } from '../pairs/write-pairs';

const TAG = '<tool_call>';
const CLOSE = '</tool_call>';
const LONGEST_HEAD = 384;
const HEAD = /^\s{0,16}([\w.:-]{1,128})\s{1,16}(?=[\w.$-]{1,128}=)/;
const KEY = /^([\w.$-]{1,128})=/;

export const tagKeywords: RescueFormat = {
  id: 'tag-keywords',
  title: 'GLM 4.7: <tool_call>NAME key=value',
  nativeHint:
    'No server reads it as a call: GLM writes `<arg_key>` and `<arg_value>` with its chat template.',
  openers: [TAG],
  evidence: 'marker',
  parse,
  write: (calls) => calls.map(writeCall).join('\n'),
};

function parse(context: RescueContext, start: number): CallsReading | null {
  const { text } = context;
  const from = start + TAG.length;
  const [head = '', name = ''] = HEAD.exec(text.slice(from, from + LONGEST_HEAD)) ?? [];
  const values = new CallArguments(context, INVOKE_SPELLING, name);
  let at = from + head.length;
  while (!text.startsWith(CLOSE, at)) {
    const [written = '', key = ''] = KEY.exec(text.slice(at, at + LONGEST_HEAD)) ?? [];
    if (values.declares(key) !== true || !values.isNew(key)) return null;
    const value = readValue(context, at + written.length);
    if (!value) return null;
    values.add(key, { text: value.text, at: at + written.length, hint: {} });
    at = skipWhite(text, value.end);
    if (at === value.end && !text.startsWith(CLOSE, at)) return null;
  }
  if (values.isEmpty) return null;
  context.meter.spend(start, at);
  const end = at + CLOSE.length;
  const call = { name, start, end, ...values.finish(false) };
  return { kind: 'calls', start, end, calls: [call], repairs: [], isOpen: false };
}

/** Reads a value in quotes, in brackets, or up to the next white space; null when it is empty, damaged or cut off. */
function readValue(context: RescueContext, at: number): { text: string; end: number } | null {
  const { text } = context;
  const first = text.charAt(at);
  if (first === '"' || first === "'") {
    const end = context.find(first, at + 1);
    return end === -1 ? null : { text: text.slice(at + 1, end), end: end + 1 };
  }
  if (first === '[' || first === '{') {
    const { end, failure, isPartial } = readJson(context, at, 'arguments');
    return failure || isPartial ? null : { text: text.slice(at, end), end };
  }
  let end = at;
  while (end < text.length && !/[\s<]/.test(text.charAt(end))) end += 1;
  return end === at ? null : { text: text.slice(at, end), end };
}

const writeCall = (call: WrittenCall): string =>
  `${TAG}${call.name}${writePairs(call, (key, value) => ` ${key}=${writeValue(value)}`)}${CLOSE}`;

/** In the quotes that the text does not have. */
function writeValue(value: unknown): string {
  const quote = typeof value === 'string' ? (['"', "'"].find((sign) => !value.includes(sign)) ?? '') : '';
  return `${quote}${writeText(value)}${quote}`;
}
