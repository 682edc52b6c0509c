// Calls of Hermes and Qwen, `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, and their misspellings: the most common
// format of all. Bodies that are not JSON belong to other formats with the same tag.
import { isRecord } from '../../util/json';
import { readCallCloser } from '../core/call-closer';
import { rejectCut } from '../core/refusals';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, ReadCall } from '../core/rescue-format';
import { decodeArguments } from '../json-calls/envelope';
import { readHeadedCall } from '../json-calls/headed-call';
import type { JsonCallHead } from '../json-calls/headed-call';
import { createJsonFormat, readJsonCalls } from '../json-calls/read-json-calls';
import type { JsonRest } from '../json-calls/read-json-calls';
import { writeCallJson } from '../json/write-json';
import { skipWhite } from '../text/white-space';

const TAG = '<tool_call>';
const LABELLED_TAG = '<tool_call ';
const CLOSE = '</tool_call>';
const RESULT_TAG = '<tool_response>';
const RESULT_CLOSE = '</tool_response>';
const ALIASES = [
  '<function_call>',
  '<function-call>',
  '<functioncall>',
  '<tool_use>',
  '<tool-use>',
  '<tool_request>',
  '<toolcall>',
  '<tool-call>',
  '<tools>',
  '<tool>',
  '<call>',
];
const CODE = '<code>';
const CODE_CLOSE = '</code>';

export const hermesJson = createJsonFormat({
  id: 'hermes-json',
  title: 'Hermes and Qwen: JSON in <tool_call>',
  vllmParser: 'hermes',
  sglangParser: 'hermes',
  openers: [TAG, LABELLED_TAG, RESULT_TAG, ...ALIASES],
  closers: [CLOSE],
  endTokens: ['<|im_end|>', '<|im_start|>assistant', '<|im_start|>user', '</response>'],
  answerTags: [{ open: '<response>', close: '</response>' }],
  readRest: readCode,
  read(context, at, opener) {
    if (opener === '') return undefined;
    if (opener === LABELLED_TAG) return parseLabelled(context, at);
    return opener === RESULT_TAG ? parseResult(context, at) : parseTagged(context, at, opener);
  },
  write: (calls) => calls.map((call) => `${TAG}\n${writeCallJson(call)}\n${CLOSE}`).join('\n'),
});

function parseTagged(context: RescueContext, at: number, opener: string): FormatReading | null {
  const from = at + opener.length;
  const isTag = context.text.startsWith(TAG, at);
  const repairs = isTag ? [] : [{ kind: 'tag-alias', at }];
  const spelling = { closers: [`</${opener.slice(1)}`], readRest: readCode };
  const reading = readJsonCalls(context, { start: at, opener, from, repairs }, spelling);
  if (!reading) return isTag ? parseAddressed(context, at) : null;
  // An element with the name of an alias may contain JSON that is not a call.
  const isOther = opener !== TAG && reading.kind === 'rejection' && reading.name === undefined;
  return isOther && reading.reason === 'malformed' ? null : reading;
}

/** Reads `<tool_call>assistant to=functions.NAME json` and only arguments: a header of harmony in this tag. */
function parseAddressed(context: RescueContext, start: number): FormatReading | null {
  const { text } = context;
  const from = start + TAG.length;
  const [header, name] = ADDRESS.exec(text.slice(from, from + LONGEST_TAG)) ?? [];
  if (header === undefined || name === undefined) return null;
  const bodyAt = from + header.length;
  const repairs = [{ kind: 'foreign-body', at: from, note: 'a header that names the recipient' }];
  return readHeaded(context, { name, start, bodyAt, repairs });
}

const readHeaded = (context: RescueContext, head: JsonCallHead): FormatReading | null =>
  readHeadedCall(context, { ...head, ends: [CLOSE] }, (end) => readCallCloser(context, end, CLOSE));

const ADDRESS = /^\s{0,8}(?:assistant\s{1,4})?to=([\w.\-:/]{1,128})(?:\s{1,4}(?:json|code))?\s{0,8}(?=\{)/;

/** Reads `<tool_call name="NAME">` and only arguments; the tag may have an id. */
function parseLabelled(context: RescueContext, start: number): FormatReading | null {
  const { text } = context;
  const [tag = ''] = LABELLED.exec(text.slice(start, start + LONGEST_TAG)) ?? [];
  const [, name] = NAME.exec(tag) ?? [];
  if (name === undefined) return null;
  const [, id] = ID.exec(tag) ?? [];
  const repairs = [{ kind: 'attribute-form', at: start }];
  return readHeaded(context, { name, id, start, bodyAt: start + tag.length, repairs });
}

const LONGEST_TAG = 256;
const LABELLED = /^<[^<>]{1,254}>/;
const NAME = /\sname ?= ?["']?([^"'<>\s]{1,128})/i;
const ID = /\s(?:call_)?id ?= ?["']?([^"'<>\s]{1,64})/i;

/** Reads the `<code>` after JSON with an empty `code`. Qwen-Agent writes programs there, where quotes need no escapes. */
function readCode(context: RescueContext, from: number, calls: readonly ReadCall[]): JsonRest | undefined {
  const { text } = context;
  const at = skipWhite(text, from);
  const last = calls.at(-1);
  const value = last && decodeArguments(last.arguments);
  const isEmpty = value === undefined || (isRecord(value) && (value['code'] ?? '') === '');
  if (!last || !isEmpty || !text.startsWith(CODE, at)) return undefined;
  const end = findCodeEnd(context, at + CODE.length);
  if (end === -1) return toCutCode(context, calls.slice(0, -1), last);
  const code = trimBreaks(text.slice(at + CODE.length, end));
  const done = { ...last, arguments: { ...(isRecord(value) && value), code }, end: end + CODE_CLOSE.length };
  return { calls: [...calls.slice(0, -1), done], end: done.end };
}

/** The first `</code>` before a `</tool_call>`, because a program may contain `</code>`; otherwise the first of all. */
function findCodeEnd(context: RescueContext, from: number): number {
  const first = context.find(CODE_CLOSE, from);
  for (let at = first; at !== -1; at = context.find(CODE_CLOSE, at + 1)) {
    if (context.text.startsWith(CLOSE, skipWhite(context.text, at + CODE_CLOSE.length))) return at;
  }
  return first;
}

function toCutCode(context: RescueContext, calls: readonly ReadCall[], { name, start }: ReadCall): JsonRest {
  return { calls, end: start, failure: rejectCut(context, start, name, 'inside its `<code>`') };
}

const trimBreaks = (code: string): string =>
  code.slice(code.startsWith('\n') ? 1 : 0, code.length > 1 && code.endsWith('\n') ? -1 : undefined);

/** Rejects the result of a call, which the model invented or repeated. */
function parseResult(context: RescueContext, at: number): FormatReading {
  const end = context.findAfter(RESULT_CLOSE, at) ?? at + RESULT_TAG.length;
  const detail = 'This is the result of a call, which only the caller writes.';
  return { kind: 'rejection', start: at, end, reason: 'result-echo', detail };
}
