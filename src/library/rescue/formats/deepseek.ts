// Calls of DeepSeek V3, R1 and V3.1: a name and its arguments between tokens, which occur in many spellings. V3 writes the
// word `function` before the name and a fence around the arguments.
import { skipClosers } from '../json-calls/token';
import { readHeadedCall } from '../json-calls/headed-call';
import { skipWhite } from '../text/white-space';
import type { NamedSpelling, NameReading } from '../json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { readNameBefore } from '../candidates/look-back';
import type { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import { toEmptyEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { normalizeToken, readSpecialToken } from '../text/special-tokens';
import type { SpecialToken } from '../text/special-tokens';
import { writeJson } from '../json/write-json';

const CALLS = '<｜tool▁calls▁begin｜>';
const CALLS_END = '<｜tool▁calls▁end｜>';
const CALL = '<｜tool▁call▁begin｜>';
const CALL_END = '<｜tool▁call▁end｜>';
const SEPARATOR = '<｜tool▁sep｜>';
const WORD = 'function';
/** The name of the token that opens the calls, if its last word is missing. */
const SHORT_CALLS = 'tool_calls';

const LONGEST_TOKEN = 40;
const OPENERS = [CALLS, CALL, '<｜tool', '<|tool', '<‖tool', '<｜｜tool', '<||tool'];

export const deepseekV3: RescueFormat = {
  id: 'deepseek-v3',
  title: 'DeepSeek V3 and R1: a JSON fence between tokens',
  vllmParser: 'deepseek_v3',
  sglangParser: 'deepseekv3',
  openers: OPENERS,
  closers: [CALL_END, CALLS_END],
  endTokens: ['<｜end▁of▁sentence｜>'],
  leads: [`${WORD}<`],
  evidence: 'marker',
  parse: (context, at) => readCalls(context, at, true),
  write: (calls) => writeCalls(calls.map(writeFenced), '\n'),
};

export const deepseekV31: RescueFormat = {
  id: 'deepseek-v31',
  title: 'DeepSeek V3.1: JSON between tokens',
  vllmParser: 'deepseek_v31',
  sglangParser: 'deepseekv31',
  openers: OPENERS,
  closers: [CALL_END, CALLS_END],
  evidence: 'marker',
  parse: (context, at) => readCalls(context, at, false),
  write: (calls) => writeCalls(calls.map(writePlain), ''),
};

const writeFenced = (call: WrittenCall): string =>
  `${WORD}${SEPARATOR}${call.name}\n\`\`\`json\n${writeJson(call.arguments)}\n\`\`\``;

const writePlain = (call: WrittenCall): string => `${call.name}${SEPARATOR}${writeJson(call.arguments)}`;

const writeCalls = (bodies: readonly string[], gap: string): string =>
  `${CALLS}${bodies.map((body) => `${CALL}${body}${CALL_END}`).join(gap)}${CALLS_END}`;

/** Reads one emission; null when its calls are written as in the other version. */
function readCalls(context: RescueContext, at: number, isV3: boolean): FormatReading | null {
  const { text } = context;
  const first = readSpecialToken(text, at);
  if (!first) return null;
  if (first.name === normalizeToken(SEPARATOR)) return parseUnopened(context, first, isV3);
  const isWrapper = first.name === normalizeToken(CALLS) || first.name === SHORT_CALLS;
  if (!isWrapper && first.name !== normalizeToken(CALL)) return null;
  const inner = isWrapper ? readSpecialToken(text, skipWhite(text, first.end)) : first;
  if (isWrapper && inner?.name === normalizeToken(CALLS_END)) return toEmptyEmission(at, inner.end);
  const bodyAt = skipWhite(text, inner?.name === normalizeToken(CALL) ? inner.end : first.end);
  if (isV3 !== (skipWord(context, bodyAt) !== -1)) return null;
  return readNamedCalls(context, at, isV3 ? V3_SPELLING : V31_SPELLING);
}

/** Reads `NAME<｜tool▁sep｜>{…}`, in which all tokens before the name are missing, or all but the outermost. */
function parseUnopened(context: RescueContext, separator: SpecialToken, isV3: boolean): FormatReading | null {
  const { text } = context;
  const before = readNameBefore(context, separator.start);
  if (!before || isV3 !== (before.name === WORD)) return null;
  const named = isV3
    ? readPlainName(context, skipWhite(text, separator.end))
    : { ...before, end: separator.end };
  if (!named) return null;
  const repairs = [{ kind: 'missing-open-tag', at: before.start }];
  if (separator.end - separator.start !== SEPARATOR.length || !text.startsWith(SEPARATOR, separator.start))
    repairs.push({ kind: 'token-variant', at: separator.start });
  const start = findWrapperStart(context, before.start);
  const head = { name: named.name, start, bodyAt: named.end, repairs, isFenced: isV3, ends: [CALL_END] };
  const match = (_: string, at: number, token: string): number => matchToken(context, at, token);
  return readHeadedCall(context, head, (end) => skipClosers(text, end, [CALL_END, CALLS_END], match));
}

/** Start of the wrapper's token, if it is directly before a call without its own token; otherwise the call's start. */
function findWrapperStart(context: RescueContext, callStart: number): number {
  const { text } = context;
  const from = Math.max(context.consumedTo, callStart - LONGEST_TOKEN);
  const at = text.slice(from, callStart).lastIndexOf('<') + from;
  const end = at < from ? -1 : matchToken(context, at, CALLS);
  return end !== -1 && skipWhite(text, end) === callStart ? at : callStart;
}

/** Only the first of each kind, because a model that writes one token differently writes all of them that way. */
function addFirst(log: RepairLog, kind: string, at: number): void {
  if (!log.repairs.some((repair) => repair.kind === kind)) log.add(kind, at);
}

const V31_SPELLING: NamedSpelling = {
  wrapper: { open: CALLS, close: CALLS_END },
  open: [CALL],
  separators: [SEPARATOR],
  closers: [CALL_END],
  matchToken,
};

const V3_SPELLING: NamedSpelling = {
  ...V31_SPELLING,
  separators: [],
  isFenced: true,
  readName: readAfterWord,
};

/** The offset after the word `function`; -1 when it is missing, or begins a tool's name. */
function skipWord(context: RescueContext, at: number): number {
  if (!context.text.startsWith(WORD, at)) return -1;
  const name = readPlainName(context, at)?.name ?? '';
  return context.tools.resolve(name) ? -1 : at + WORD.length;
}

/** Reads the name in `function<｜tool▁sep｜>NAME` and in its damaged forms `function<NAME>` and `functionNAME`. */
function readAfterWord(context: RescueContext, at: number, log: RepairLog): NameReading | null {
  const { text } = context;
  const wordEnd = skipWord(context, at);
  const from = wordEnd === -1 ? at : skipWhite(text, wordEnd);
  const token = matchToken(context, from, SEPARATOR, log);
  if (token !== -1) return readPlainName(context, skipWhite(text, token));
  addFirst(log, 'missing-separator', from);
  const isAngled = text.charAt(from) === '<';
  const named = readPlainName(context, isAngled ? from + 1 : from);
  return named && isAngled && text.charAt(named.end) === '>' ? { ...named, end: named.end + 1 } : named;
}

function matchToken({ text }: RescueContext, at: number, token: string, log?: RepairLog): number {
  const found = readSpecialToken(text, at);
  const wanted = normalizeToken(token);
  if (!found || (found.name !== wanted && !(token === CALLS && found.name === SHORT_CALLS))) return -1;
  if (log && text.slice(found.start, found.end) !== token) addFirst(log, 'token-variant', at);
  return found.end;
}
