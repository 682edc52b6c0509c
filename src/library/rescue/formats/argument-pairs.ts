// Calls of GLM, `<tool_call>NAME` with `<arg_key>` and `<arg_value>` or with `key=value`, and of IQuest, Hunyuan, LongCat and
// K2-Horizon, which add a prefix or a suffix to every tag. Declares the dialects; `pairs` parses them.
import { NAMED_PATTERN } from '../candidates/start-patterns';
import { readHeadedCall } from '../json-calls/headed-call';
import { readNameLine } from '../candidates/look-back';
import { createPairFormat, readOrphan, readUnopened } from '../pairs/pair-format';
import type { PairDialect } from '../pairs/pair-format';
import type { Traits } from '../pairs/emission';
import { createAngleSpelling } from '../pairs/tags/angle-spelling';
import type { AngleOptions } from '../pairs/tags/angle-spelling';
import type { PairSpelling } from '../pairs/tags/spelling';
import { writeBlock, writePairs, writeText } from '../pairs/write-pairs';
import { toReasoningElements } from '../regions/reasoning-tags';
import type { RescueContext } from '../core/rescue-context';
import { toSingleEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat, WrittenCall, CallsReading } from '../core/rescue-format';
import { readJson } from '../json/read-json';
import { skipWhite } from '../text/white-space';
import { CallArguments } from '../pairs/call/call-arguments';
import { INVOKE_SPELLING } from './element-tags';

const PREFIXES = ['longcat_', 'iquest_', 'iquestcoder_', 'ifm|'];

/** Splits a tag's name into prefix and suffix, which all tags of a call share, and the rest; null for other dialects. */
function locate(fullName: string): { space: string; name: string } | null {
  const folded = fullName.toLowerCase();
  const prefix = PREFIXES.find((item) => folded.startsWith(item)) ?? '';
  const colon = folded.indexOf(':');
  const suffix = colon === -1 ? '' : folded.slice(colon);
  const name = fullName.slice(prefix.length, fullName.length - suffix.length);
  return name === '' || name.includes('|') ? null : { space: `${prefix}${suffix}`, name };
}

const TAGS: AngleOptions = {
  roles: {
    tool_calls: 'wrapper',
    tool_call: 'call',
    tool_sep: 'separator',
    arg_key: 'key',
    arg_type: 'type',
    arg_value: 'value',
  },
  locate,
};

const SPELLING = createAngleSpelling(TAGS, {
  breaks: 'both',
  hasAffixes: true,
  hasNamesInText: true,
  keyName: 'arg_key',
  callNames: ['function', 'invoke'],
  foreignHead: 'function=',
});

const JSON_SPELLING: PairSpelling = { ...SPELLING, hasJsonBodies: true };

const spaceOf = ({ call, parameter, wrapper }: Traits): string => (call ?? parameter ?? wrapper)?.space ?? '';

const createArgumentFormat = (dialect: PairDialect): RescueFormat =>
  createPairFormat({
    ...dialect,
    read: (context, at, opener) =>
      opener.includes('arg_key')
        ? (readUnopened(context, at, dialect.spelling) ?? readOrphan(context, at, dialect.spelling))
        : dialect.read?.(context, at, opener),
  });

/** Adds what all tags of a dialect have to the name of a tag. */
type ToTag = (name: string) => string;

/** @param gap White space between the elements. */
function writeCall(call: WrittenCall, gap: string, toTag: ToTag, separator = ''): string {
  const [tag, key, value] = ['tool_call', 'arg_key', 'arg_value'].map(toTag);
  const pairs = writePairs(
    call,
    (name, item) => `<${key}>${name}</${key}>${gap}<${value}>${writeBlock(item)}</${value}>${gap}`,
  );
  const rest = pairs === '' && separator === '' ? '' : `${gap}${pairs}`;
  return `<${tag}>${call.name}${separator}${rest}</${tag}>`;
}

/** Writes the calls in the wrapper of the dialect. */
const writeWrapped = (calls: readonly WrittenCall[], gap: string, toTag: ToTag, separator?: string): string =>
  [
    `<${toTag('tool_calls')}>`,
    ...calls.map((call) => writeCall(call, gap, toTag, separator)),
    `</${toTag('tool_calls')}>`,
  ].join(gap);

const isPlain = ({ wrapper, hasSeparator }: Traits): boolean => wrapper === undefined && !hasSeparator;
const isSuffixed = (traits: Traits): boolean =>
  spaceOf(traits).startsWith(':') || (spaceOf(traits) === '' && !isPlain(traits));

export const glmXml: RescueFormat = createArgumentFormat({
  id: 'glm-xml',
  title: 'GLM: <tool_call>NAME with <arg_key> and <arg_value>',
  sglangParser: 'glm45',
  vllmParser: 'glm45',
  nativeHint: 'From GLM 4.7 on the parser of both is `glm47`.',
  openers: ['<tool_call>', '<arg_key>'],
  firstCharacters: '{',
  startPattern: NAMED_PATTERN,
  spelling: SPELLING,
  isOurs: (traits) => spaceOf(traits) === '' && isPlain(traits),
  read: (context, at, opener) => (opener === '' ? readNamedObject(context, at) : undefined),
  write: (calls) => calls.map((call) => writeCall(call, '\n', (name) => name)).join('\n'),
});

/** Reads a call of GLM-4-9B, which writes no tags: the name is on one line, the arguments are in JSON on the next. */
function readNamedObject(context: RescueContext, at: number): FormatReading | null {
  const named = readNameLine(context, at);
  return named ? readHeadedCall(context, { ...named, bodyAt: at, repairs: [], evidence: 'shape' }) : null;
}

export const iquest: RescueFormat = createArgumentFormat({
  id: 'iquest',
  title: 'IQuest: <iquest_tool_call> with GLM pairs',
  openers: ['<iquest_tool_call>', '<iquestcoder_tool_call>'],
  endTokens: ['<|iquest_end|>'],
  spelling: JSON_SPELLING,
  write: (calls) => calls.map((call) => writeCall(call, '\n', toIquestTag)).join(''),
});

/** Only the tag of the call has the prefix. */
const toIquestTag: ToTag = (name) => (name === 'tool_call' ? `iquest_${name}` : name);

const toHunyuanTag: ToTag = (name) => `${name}:opensource`;

export const hunyuanV3: RescueFormat = createArgumentFormat({
  id: 'hunyuan-v3',
  title: 'Hunyuan 3: <tool_call:opensource>NAME<tool_sep:opensource>',
  vllmParser: 'hy_v3',
  openers: ['<tool_calls:', '<tool_call:', '<tool_calls>', '<tool_call>', '<arg_key:'],
  spelling: SPELLING,
  isOurs: (traits) => isSuffixed(traits) && traits.hasSeparator === true,
  write: (calls) => writeWrapped(calls, '\n', toHunyuanTag, `<${toHunyuanTag('tool_sep')}>`),
});

export const hunyuanV4: RescueFormat = createArgumentFormat({
  id: 'hunyuan-v4',
  title: 'Hunyuan 4: <tool_call:opensource>NAME with pairs',
  vllmParser: 'hy_v4',
  openers: ['<tool_calls:', '<tool_call:', '<tool_calls>', '<arg_key:'],
  spelling: SPELLING,
  isOurs: (traits) => isSuffixed(traits) && !traits.hasSeparator,
  write: (calls) => writeWrapped(calls, '', toHunyuanTag),
});

export const longcat: RescueFormat = createArgumentFormat({
  id: 'longcat',
  title: 'LongCat: <longcat_tool_call> with pairs or JSON',
  vllmParser: 'longcat',
  openers: ['<longcat_tool_call>', '<longcat_arg_key>'],
  spelling: JSON_SPELLING,
  isOurs: (traits) => spaceOf(traits) === 'longcat_',
  write: (calls) => calls.map((call) => writeCall(call, '\n', (name) => `longcat_${name}`)).join('\n'),
});

export const ifmXml: RescueFormat = createArgumentFormat({
  id: 'ifm-xml',
  title: 'K2-Horizon: <ifm|tool_call> with pairs or JSON',
  openers: ['<ifm|tool_calls>', '<ifm|tool_call>', '<ifm|arg_key>'],
  reasoningTags: toReasoningElements('ifm|think', 'ifm|think_fast', 'ifm|think_faster'),
  spelling: JSON_SPELLING,
  isOurs: (traits) => spaceOf(traits) === 'ifm|',
  write: (calls) => writeWrapped(calls, '\n', (name) => `ifm|${name}`),
});

const CALL_TAG = '<tool_call>';
const CALL_TAG_END = '</tool_call>';
const LONGEST_KEYWORDS_HEAD = 384;
const KEYWORDS_HEAD = /^\s{0,16}([\w.:-]{1,128})\s{1,16}(?=[\w.$-]{1,128}=)/;
const KEYWORD = /^([\w.$-]{1,128})=/;

export const tagKeywords: RescueFormat = {
  id: 'tag-keywords',
  title: 'GLM 4.7: <tool_call>NAME key=value',
  nativeHint:
    'No server reads it as a call: GLM writes `<arg_key>` and `<arg_value>` with its chat template.',
  openers: [CALL_TAG],
  evidence: 'marker',
  parse: parseKeywords,
  write: (calls) => calls.map(writeKeywords).join('\n'),
};

function parseKeywords(context: RescueContext, start: number): CallsReading | null {
  const { text } = context;
  const from = start + CALL_TAG.length;
  const [head = '', name = ''] = KEYWORDS_HEAD.exec(text.slice(from, from + LONGEST_KEYWORDS_HEAD)) ?? [];
  const values = new CallArguments(context, INVOKE_SPELLING, name);
  let at = from + head.length;
  while (!text.startsWith(CALL_TAG_END, at)) {
    const [written = '', key = ''] = KEYWORD.exec(text.slice(at, at + LONGEST_KEYWORDS_HEAD)) ?? [];
    if (values.declares(key) !== true || !values.isNew(key)) return null;
    const value = readKeywordValue(context, at + written.length);
    if (!value) return null;
    values.add(key, { text: value.text, at: at + written.length, hint: {} });
    at = skipWhite(text, value.end);
    if (at === value.end && !text.startsWith(CALL_TAG_END, at)) return null;
  }
  if (values.isEmpty) return null;
  context.meter.spend(start, at);
  const end = at + CALL_TAG_END.length;
  return toSingleEmission(values.finish({ start, end }));
}

/** Reads a value in quotes, in brackets, or up to the next white space; null when it is empty, damaged or cut off. */
function readKeywordValue(context: RescueContext, at: number): { text: string; end: number } | null {
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

const writeKeywords = (call: WrittenCall): string =>
  `${CALL_TAG}${call.name}${writePairs(call, (key, value) => ` ${key}=${writeKeywordValue(value)}`)}${CALL_TAG_END}`;

/** In the quotes that the text does not have. */
function writeKeywordValue(value: unknown): string {
  const quote = typeof value === 'string' ? (['"', "'"].find((sign) => !value.includes(sign)) ?? '') : '';
  return `${quote}${writeText(value)}${quote}`;
}
