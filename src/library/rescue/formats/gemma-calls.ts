// Calls of FunctionGemma and Gemma 4: `call:NAME{key:<escape>text<escape>,count:3}` between tokens. Each of the two has its
// own tokens and string delimiters. Also reads what damaged models and servers make of them.
import { NAMED_PATTERN } from '../candidates/start-patterns';
import type { RescueRepair } from '../../../types';
import { readCallCloser } from '../core/call-closer';
import { findEarlyEnd } from '../pythonic/early-end';
import { rejectCut } from '../core/refusals';
import { skipWhite } from '../text/white-space';
import { endsLine, standsAlone } from '../regions/line-position';
import { readJsonCalls } from '../json-calls/read-json-calls';
import { RepairLog } from '../core/repair-log';
import { findOverrun } from '../json/arguments-object';
import { skipExtraClosers } from '../json/call-block';
import { readBareObject } from '../brackets/bare-object-reader';
import type { BareStyle } from '../brackets/bare-values';
import { readBrackets } from '../pythonic/read-python-call';
import { toRecord } from '../../util/json';
import type { PythonCall } from '../pythonic/read-python-call';
import { findNameEnd, findNameStart } from '../text/names';
import type { CallRun } from '../pythonic/read-call-run';
import { readPythonicBlock, toFailedRun } from '../pythonic/read-pythonic-block';
import type { RescueContext } from '../core/rescue-context';
import { toSingleEmission } from '../core/rescue-format';
import type { FormatReading, ReadCall, RescueFormat, WrittenCall } from '../core/rescue-format';

interface GemmaSpelling {
  open: string;
  close: string;
  /** Written on both sides of a string. */
  delimiter: string;
}

const FUNCTION_GEMMA: GemmaSpelling = {
  open: '<start_function_call>',
  close: '<end_function_call>',
  delimiter: '<escape>',
};

const GEMMA_4: GemmaSpelling = { open: '<|tool_call>', close: '<tool_call|>', delimiter: '<|"|>' };

const FUNCTION_RESPONSE = '<start_function_response>';
const CHANNEL = '<|channel>';

export const functionGemma: RescueFormat = {
  ...createFormat('functiongemma', 'FunctionGemma: `call:name{…}` between tokens', FUNCTION_GEMMA),
  endTokens: [FUNCTION_RESPONSE],
};

/** What remains of the opener when it was broken up. */
const GEMMA_4_PIECE = '<call>';
/** What remains of it, and of the label behind it, when both became one. A name with its bracket has to follow. */
const COLLAPSED = [
  '<|tool_call',
  '<tool_call:',
  '<tool_call=',
  '<tool_call|:',
  '<|call:',
  '<call:',
  '<tool_call>call ',
  '<tool_call>:',
];

const GEMMA_4_FORMAT = createFormat('gemma4', 'Gemma 4: `call:name{…}` between tokens', GEMMA_4);

export const gemma4: RescueFormat = {
  ...GEMMA_4_FORMAT,
  openers: [GEMMA_4.open, GEMMA_4_PIECE, ...COLLAPSED],
  parse(context, at, opener) {
    if (opener === GEMMA_4_PIECE) return parsePiece(context, at);
    return COLLAPSED.includes(opener)
      ? parseCollapsed(context, at, opener)
      : GEMMA_4_FORMAT.parse(context, at, opener);
  },
  endTokens: ['<|tool_response>', '<turn|>', '<|turn>model'],
  reasoningTags: ['<|channel>thought\n', '<|channel>thought', CHANNEL].map((open) => ({
    open,
    close: '<channel|>',
    // A doubled opener opens the reasoning only once.
    notBefore: CHANNEL,
  })),
};

function createFormat(id: string, title: string, spelling: GemmaSpelling): RescueFormat {
  return {
    id,
    title,
    vllmParser: id,
    openers: [spelling.open],
    closers: [spelling.close],
    // For replies in which the opener was removed as a special token.
    firstCharacters: '{(',
    startPattern: NAMED_PATTERN,
    leads: ['call:', '^call ', '^tool_call:'],
    evidence: 'marker',
    parse: (context, at, opener) =>
      opener === '' ? parseStripped(context, at, spelling) : parseMarked(context, at, opener, spelling),
    write: (calls) => calls.map((call) => writeGemmaCall(call, spelling)).join(''),
  };
}

function parseMarked(
  context: RescueContext,
  at: number,
  opener: string,
  spelling: GemmaSpelling,
): FormatReading | null {
  const { text } = context;
  const start = skipWhite(text, at + opener.length);
  const isDoubled = text.startsWith(':call', start);
  const from = isDoubled ? start + 1 : start;
  const character = text.charAt(from);
  const repairs: RescueRepair[] = [{ kind: 'foreign-body', at: from }];
  const isJson = (character === '{' || character === '[') && !text.startsWith('call:', from + 1);
  if (isJson)
    return readJsonCalls(context, { start: at, opener, from, repairs }, { closers: [spelling.close] });
  if (character === '`')
    return readPythonicBlock(context, at, opener, { close: spelling.close, fence: 'foreign', repairs });
  const read = readGemmaCall(context, from);
  if (!read) return isCutName(text, from) ? rejectCut(context, at, undefined, 'before its arguments') : null;
  const colon = { kind: 'broken-tag', at: start, note: 'a colon comes before `call:`' };
  return toReading(context, at, read, spelling, isDoubled ? [colon] : []);
}

/** Reads a call after `<call>`. Requires Gemma's string delimiter, because many models write JSON or elements there. */
function parsePiece(context: RescueContext, at: number): FormatReading | null {
  const read = readGemmaCall(context, at + GEMMA_4_PIECE.length);
  if (!read?.call || !context.text.slice(at, read.end).includes(GEMMA_4.delimiter)) return null;
  return toReading(context, at, read, GEMMA_4, [{ kind: 'tag-alias', at }]);
}

/** Reads `<tool_call:NAME{…}`, in which the opener lost its end. Only the name of a tool shows that it is a call. */
function parseCollapsed(context: RescueContext, at: number, opener: string): FormatReading | null {
  const read = readGemmaCall(context, at + opener.length);
  if (!context.isTool(read?.name ?? '')) return null;
  return read && toReading(context, at, read, GEMMA_4, [{ kind: 'broken-tag', at }]);
}

/** Reads the calls between one pair of tokens. @param repairs Repairs of the opener. */
function toReading(
  context: RescueContext,
  start: number,
  first: PythonCall,
  { close }: GemmaSpelling,
  repairs: readonly RescueRepair[],
): FormatReading {
  const run = { ...readRun(context, first), repairs };
  if (run.damage) return toFailedRun(start, run, run.damage, context.findAfter(close, start));
  const closer = readCallCloser(context, run.end, close);
  return { ...run, ...closer, start, repairs: [...repairs, ...closer.repairs] };
}

/** Reads the calls that follow the first one directly, whether or not their tools are offered. */
function readRun(context: RescueContext, first: PythonCall): CallRun {
  const calls: ReadCall[] = [];
  let read: PythonCall | null = first;
  let end = first.start;
  while (read?.call) {
    calls.push(read.call);
    end = read.end;
    const next = skipWhite(context.text, end);
    read = context.text.startsWith('call:', next) ? readGemmaCall(context, next) : null;
  }
  const damage = read?.failure && { ...read.failure, name: read.name, start: read.start };
  const { start } = first;
  return { kind: 'calls', start, end, calls, repairs: [], isList: false, isOpen: false, damage };
}

/** Reads `call:NAME{…}` without its opener: anywhere if a closer follows, otherwise only on a line of its own. */
function parseStripped(context: RescueContext, at: number, spelling: GemmaSpelling): FormatReading | null {
  const { text, tools } = context;
  const whole = findCallStart(context, at);
  const start = whole === -1 ? findDamagedStart(context, at) : whole;
  if (start === -1) return null;
  const hasCloser = context.find(spelling.close, at) !== -1;
  const isAlone = standsAlone(context, start) || start === context.consumedTo;
  const read = hasCloser || isAlone ? readGemmaCall(context, start) : null;
  if (!read?.call) return null;
  const { call, end } = read;
  // Only the string delimiters distinguish the two formats; without any, it is read as Gemma 4.
  const isDelimited = text.slice(start, end).includes(spelling.delimiter);
  const isOurs = spelling === GEMMA_4 || isDelimited;
  if ((!isOurs && !hasCloser) || (whole === -1 && !isDelimited)) return null;
  const { calls, end: last } = readRun(context, read);
  // A call of a tool that is not offered counts only next to one that is.
  if (!calls.some(({ name }) => tools.resolve(name))) return null;
  const closer = skipWhite(text, end);
  if (hasCloser && text.startsWith(spelling.close, closer)) {
    const repairs = [{ kind: 'missing-open-tag', at: start }];
    return toSingleEmission(call, { end: closer + spelling.close.length, repairs });
  }
  if (!isOurs || !isAlone || !endsLine(text, last)) return null;
  const repairs = [{ kind: 'stripped-special-tokens', at: start }];
  return { kind: 'calls', start, end: last, calls, repairs, evidence: 'shape', isOpen: false };
}

/** The offset of `call:` before the name that ends at the bracket; -1 when it is not there. */
function findCallStart({ text, consumedTo, meter }: RescueContext, bracket: number): number {
  let end = bracket;
  while (bracket - end < 3 && text.charAt(end - 1) === ' ') end -= 1;
  const nameStart = findNameStart(text, end, consumedTo);
  meter.spend(nameStart, bracket);
  const name = text.slice(nameStart, end);
  if (name.startsWith('call:') && name.length > 5) return nameStart;
  let label = nameStart;
  while (nameStart - label < 3 && text.charAt(label - 1) === ' ') label -= 1;
  const start = label - 'call:'.length;
  return start >= consumedTo && name !== '' && text.startsWith('call:', start) ? start : -1;
}

/** The same for `call ` and `tool_call:`, which are also words: the string delimiters have to show that it is a call. */
function findDamagedStart({ text, consumedTo }: RescueContext, bracket: number): number {
  const [, written] = DAMAGED_START.exec(text.slice(Math.max(consumedTo, bracket - 192), bracket)) ?? [];
  return written === undefined ? -1 : bracket - written.length;
}

const DAMAGED_START = /(?:^|[\s>])((?:call |(?:[<|]{0,2}tool_)?call:\s?)[\w.-]{1,128} {0,3})$/;

const isCutName = (text: string, from: number): boolean =>
  from < text.length && text.length - from < 128 && /^[\w.:/ -]{1,128}$/.test(text.slice(from));

const SPELLINGS = [GEMMA_4, FUNCTION_GEMMA];
const DELIMITERS = SPELLINGS.map(({ delimiter }) => delimiter);
const CLOSERS = SPELLINGS.map(({ close }) => close);
const STOPS = [...SPELLINGS.map(({ open }) => open), ...CLOSERS, FUNCTION_RESPONSE, ...DELIMITERS];
const LABEL = 'call';

/** Reads the call at `at`; null when there is no name followed by a bracket, with or without `call:` before it. */
function readGemmaCall(context: RescueContext, at: number): PythonCall | null {
  const { text } = context;
  const { start, hasLabel, note } = readLabel(context, at);
  const repairs: RescueRepair[] = note === undefined ? [] : [{ kind: 'broken-tag', at, note }];
  const nameEnd = findNameEnd(text, start);
  const bracket = skipWhite(text, nameEnd);
  const name = text.slice(start, nameEnd);
  if (name === '') return null;
  if (hasLabel && CLOSERS.some((closer) => text.startsWith(closer, bracket)))
    return readBareName(name, at, nameEnd);
  if (!'{('.includes(text.charAt(bracket) || ' ')) return null;
  const read =
    text.charAt(bracket) === '{' ? readBraces(context, name, bracket) : readKeywords(context, name, bracket);
  const { call } = read;
  if (!call) return { ...read, start: at };
  const log = new RepairLog();
  const end = skipExtraClosers(text, read.end, log, '})');
  const failure = findEarlyEnd(context, call, end);
  if (failure) return { start: at, end, name, failure };
  const all = [...repairs, ...call.repairs, ...log.repairs];
  return { ...read, start: at, end, call: { ...call, start: at, end, repairs: all } };
}

interface Label {
  /** Where the name begins. */
  start: number;
  hasLabel: boolean;
  /** What is wrong about the label. */
  note?: string;
}

/** Reads `call:`, or what a damaged model makes of it before the name of a tool, such as `call ` and `call:call:`. */
function readLabel(context: RescueContext, at: number): Label {
  const { text } = context;
  const colon = skipWhite(text, at + LABEL.length);
  const hasLabel = text.startsWith(LABEL, at) && text.charAt(colon) === ':';
  const start = hasLabel ? skipWhite(text, colon + 1) : at;
  const label: Label = { start, hasLabel, ...(!hasLabel && { note: '`call:` is missing' }) };
  if (context.isTool(text.slice(start, findNameEnd(text, start)))) return label;
  DAMAGED_LABEL.lastIndex = at;
  const [written = '', name = ''] = DAMAGED_LABEL.exec(text) ?? [];
  if (!context.isTool(name)) return label;
  return { start: at + written.length - name.length, hasLabel: true, note: '`call:` is damaged' };
}

const DAMAGED_LABEL =
  /[\s|>:{]{0,4}(?:(?:tool_)?(?:calls?|function)[\s:=]{1,4}){0,3}?([A-Za-z_][\w.-]{0,127})(?=\s{0,8}[{(])/iy;

/** The call in `call:name` directly before the closer; it has no arguments. */
const readBareName = (name: string, start: number, end: number): PythonCall => ({
  start,
  end,
  name,
  call: { name, arguments: undefined, start, end, repairs: [] },
});

function readBraces(context: RescueContext, name: string, at: number): PythonCall {
  const log = new RepairLog();
  const { value, end, failure } = readBareObject(context, at, toBareStyle(context, name), log);
  const damage = failure ?? findOverrun(context, end);
  if (damage) return { start: at, end, name, failure: damage };
  return { start: at, end, name, call: { name, arguments: value, start: at, end, repairs: log.repairs } };
}

/** Reads the arguments of `call:name(key="value")`. */
function readKeywords(context: RescueContext, name: string, at: number): PythonCall {
  const read = readBrackets(context, { name, start: at }, at, DELIMITERS);
  const foreign = { kind: 'foreign-body', at, note: 'keyword arguments in parentheses' };
  return read.call ? { ...read, call: { ...read.call, repairs: [foreign, ...read.call.repairs] } } : read;
}

/** The style of values without delimiters, where only the tool's declared parameters show where a value ends. */
function toBareStyle(context: RescueContext, name: string): BareStyle {
  const tool = context.tools.resolve(name)?.tool;
  const declared = Object.entries(toRecord(toRecord(tool?.parameters)['properties']));
  const texts = declared.filter(([, schema]) => toRecord(schema)['type'] === 'string').map(([key]) => key);
  return {
    stops: STOPS,
    delimiters: DELIMITERS,
    ends: CLOSERS,
    ...(declared.length > 0 && { keys: new Set(declared.map(([key]) => key)), texts: new Set(texts) }),
  };
}

const writeGemmaCall = (
  { name, arguments: value }: WrittenCall,
  { open, close, delimiter }: GemmaSpelling,
): string => `${open}call:${name}${writeGemmaValue(value, delimiter)}${close}`;

/** @param value Any JSON value. */
function writeGemmaValue(value: unknown, delimiter: string): string {
  if (typeof value === 'string') return `${delimiter}${value}${delimiter}`;
  if (Array.isArray(value)) return `[${value.map((item) => writeGemmaValue(item, delimiter)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${key}:${writeGemmaValue(item, delimiter)}`);
  return `{${members.join(',')}}`;
}
