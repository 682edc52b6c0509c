// Calls of Kimi K2: `functions.NAME:INDEX`, which is the call's id, between tokens, followed by the arguments. Servers often
// remove the tokens.
import { NUMBERED_PATTERN } from '../candidates/start-patterns';
import { readHeadedCall } from '../json-calls/headed-call';
import { findMatchEnd } from '../text/match-end';
import { skipWhite } from '../text/white-space';
import type { NamedSpelling, NameReading } from '../json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { skipClosers, skipToken } from '../json-calls/token';
import { readNameBefore, toToolName } from '../candidates/look-back';
import type { NameBefore } from '../candidates/look-back';
import type { RescueContext } from '../core/rescue-context';
import { toEmptyEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

const SECTION = '<|tool_calls_section_begin|>';
const SECTION_END = '<|tool_calls_section_end|>';
const SINGULAR = '<|tool_call_section_begin|>';
const CALL = '<|tool_call_begin|>';
const ARGUMENTS = '<|tool_call_argument_begin|>';
const CALL_END = '<|tool_call_end|>';
const WRAPPER = {
  open: [SECTION, SINGULAR],
  close: [SECTION_END, '<|tool_call_section_end|>'],
};
const NAMESPACE = 'functions.';
const INDEX = /\d{0,6}/y;

export const kimiK2: RescueFormat = {
  id: 'kimi-k2',
  title: 'Kimi K2: functions.NAME:INDEX between tokens',
  vllmParser: 'kimi_k2',
  sglangParser: 'kimi_k2',
  openers: [SECTION, SINGULAR, CALL],
  closers: [CALL_END, ...WRAPPER.close],
  firstCharacters: ':',
  startPattern: NUMBERED_PATTERN,
  evidence: 'marker',
  parse(context, at, opener) {
    if (opener === '') return parseStripped(context, at);
    const { text } = context;
    const reading = readNamedCalls(context, at, SPELLING);
    if (!reading) return opener === CALL ? null : parseEmpty(text, at, opener);
    const isUsual = reading.kind !== 'calls' || !text.startsWith(SINGULAR, at);
    return isUsual ? reading : { ...reading, repairs: [{ kind: 'token-variant', at }, ...reading.repairs] };
  },
  write: (calls) => `${SECTION}${calls.map(writeCall).join('')}${SECTION_END}`,
};

const SPELLING: NamedSpelling = {
  wrapper: WRAPPER,
  open: [CALL],
  separators: [ARGUMENTS],
  closers: [CALL_END],
  readName: readId,
};

/**
 * Reads the id, which is the name and its place in the conversation. Null when it has neither namespace nor index and the
 * token after it is missing too.
 */
function readId(context: RescueContext, at: number): NameReading | null {
  const { text } = context;
  const word = readPlainName(context, at);
  if (!word) return null;
  const colon = word.name.lastIndexOf(':');
  const isMarked = colon > 0 || word.name.startsWith(NAMESPACE);
  if (!isMarked && skipToken(text, word.end, ARGUMENTS) === -1) return null;
  const recipient = colon > 0 ? word.name.slice(0, colon) : word.name;
  const name = toToolName(context, recipient);
  return { name, end: word.end, ...(isMarked && { id: word.name }) };
}

/** Reads a section without calls. */
function parseEmpty(text: string, at: number, opener: string): FormatReading | null {
  const end = skipToken(text, at + opener.length, WRAPPER.close);
  return end === -1 ? null : toEmptyEmission(at, end);
}

/** Reads `functions.NAME:INDEX{…}`, in which all tokens or the first ones are missing. `at` is the offset of the colon. */
function parseStripped(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const indexEnd = findMatchEnd(INDEX, text, at + 1);
  if (indexEnd === at + 1) return null;
  const tokenEnd = skipToken(text, indexEnd, ARGUMENTS);
  const bodyAt = skipWhite(text, tokenEnd === -1 ? indexEnd : tokenEnd);
  const written = text.charAt(bodyAt) === '{' ? readRecipient(context, at) : null;
  if (!written) return null;
  const { start } = written;
  const kind = tokenEnd === -1 ? 'stripped-special-tokens' : 'missing-open-tag';
  // Without the namespace, other texts look the same.
  const evidence = text.startsWith(NAMESPACE, start) ? ('marker' as const) : ('shape' as const);
  const id = text.slice(start, indexEnd);
  const head = { ...written, id, bodyAt, evidence, repairs: [{ kind, at: start }], ends: [CALL_END] };
  return readHeadedCall(context, head, (from) => skipClosers(text, from, [CALL_END, WRAPPER.close]));
}

/** The name before the colon, if it has the namespace of the format, or is an offered one at the start of a line. */
function readRecipient(context: RescueContext, colon: number): NameBefore | null {
  const { text, consumedTo } = context;
  const word = readNameBefore(context, colon);
  const written = word?.name ?? '';
  const inName = written.lastIndexOf(NAMESPACE);
  if (word && inName !== -1) {
    const start = word.start + inName;
    return { start, name: toToolName(context, text.slice(start, colon)) };
  }
  if (!word || !context.tools.resolve(written)) return null;
  const isAlone = word.start === consumedTo || '\n>'.includes(text.charAt(word.start - 1));
  return isAlone ? word : null;
}

const writeCall = ({ name, arguments: value, id }: WrittenCall, index: number): string =>
  `${CALL}${id?.startsWith(NAMESPACE) ? id : `${NAMESPACE}${name}:${index}`}${ARGUMENTS}${writeJson(value)}${CALL_END}`;
