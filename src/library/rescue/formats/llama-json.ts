// Calls of Llama 3 in JSON: `{"name": …, "parameters": …}`, without a marker or after a token, several of them separated by
// `; `; and `<function=NAME>{…}</function>`, as Llama 3.1 and Functionary write it.
import { isRecord } from '../../util/json';
import { readNameBefore } from '../candidates/look-back';
import { toBlockPattern } from '../candidates/start-patterns';
import { readCallCloser } from '../core/call-closer';
import type { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { readBareCalls } from '../json-calls/bare-calls';
import { readOpened } from '../json-calls/read-json-calls';
import type { NamedSpelling, NameReading } from '../json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { skipToken } from '../json-calls/token';
import { writeCallJson, writeJson } from '../json/write-json';
import { startsLine } from '../regions/line-position';
import { BLANK } from '../text/prefilter';
import type { StartPattern } from '../text/prefilter';
import { skipWhite } from '../text/white-space';

/** The closers of each token. Tokens that end a turn are not closers. */
const CLOSERS: Readonly<Record<string, readonly string[]>> = {
  '<|python_tag|>': [],
  '<|python_start|>': ['<|python_end|>'],
};
const HEADER = '<|start_header_id|>';
const HEADER_END = '<|end_header_id|>';
const ROLE = 'assistant';

export const llamaJson: RescueFormat = {
  id: 'llama-json',
  title: 'Llama 3: JSON with `parameters`',
  vllmParser: 'llama3_json',
  sglangParser: 'llama3',
  openers: [...Object.keys(CLOSERS), HEADER],
  closers: Object.values(CLOSERS).flat(),
  endTokens: [
    '<|eot_id|>',
    '<|eom_id|>',
    `${HEADER}${ROLE}${HEADER_END}`,
    `<|header_start|>${ROLE}<|header_end|>`,
  ],
  firstCharacters: '{',
  startPattern: toBlockPattern,
  evidence: 'marker',
  parse(context, at, opener) {
    if (opener === '') return asShape(readBareCalls(context, at, (values) => values.every(hasParameters)));
    if (opener === HEADER) return parseHeaded(context, at);
    return readMarked(context, at, opener);
  },
  write: (calls) => calls.map((call) => writeCallJson(call, { arguments: 'parameters' })).join('; '),
};

const hasParameters = (value: unknown): boolean =>
  isRecord(value) && typeof value['name'] === 'string' && Object.hasOwn(value, 'parameters');

/** Reads the header of a turn, which a server should have removed. It is no evidence of a call. */
function parseHeaded(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const roleEnd = at + HEADER.length + ROLE.length;
  if (!text.startsWith(ROLE, at + HEADER.length) || !text.startsWith(HEADER_END, roleEnd)) return null;
  const bodyAt = skipWhite(text, roleEnd + HEADER_END.length);
  const opener = Object.keys(CLOSERS).find((token) => text.startsWith(token, bodyAt));
  const reading =
    opener === undefined ? asShape(readBareCalls(context, bodyAt)) : readMarked(context, bodyAt, opener);
  if (reading?.kind !== 'calls') return reading;
  const repairs = [{ kind: 'leaked-special-tokens', at }, ...reading.repairs];
  return { ...reading, start: at, repairs };
}

const readMarked = (context: RescueContext, at: number, opener: string): FormatReading | null =>
  readOpened(context, at, opener, { closers: CLOSERS[opener] ?? [] });

const asShape = <Reading extends FormatReading>(reading: Reading | null): Reading | null =>
  reading?.kind === 'calls' ? { ...reading, evidence: 'shape' as const } : reading;

const FUNCTION = '<function=';
const FUNCTION_END = '</function>';
/** The beginning of a parameter in the format that has the same opener. */
const PARAMETER = /^<param/;
/** The closer without its slash, or with the name. */
const WRONG_END = /^<(?:function|\/function=[^\s<>]{1,128})>/;
/** The name in a tag that has the arguments in it, written like a call in a program or not. */
const BROKEN_NAME = /^([^\s<>{}[\]()"'`,=]{1,128})[=,(]?[ \t]{0,8}(?=\{)/;
/** What closes the broken tag behind the arguments. */
const BROKEN_END = /^\)?>?/;
const LONGEST_TAG = 144;

/** What may stand between the name and the arguments when the tag around the name was lost, or is broken. */
const NAME_END = '[)>(=,]{0,2}';
/** At the bracket of the arguments behind a name whose tag was lost. */
const HEADLESS_PATTERN: StartPattern = (_first, { end }) => ({ before: `${end}${NAME_END}${BLANK}{0,4}` });
/** What is left of the tag before the name. */
const HEAD_REST = /(?:[<(]?function[=/(:]\s{0,2}|[<(])$/;
const LONGEST_REST = 16;

export const llamaFunctionTag: RescueFormat = {
  id: 'llama-function-tag',
  title: 'Llama 3.1: <function=NAME>{…}</function>',
  nativeHint: 'Functionary’s own server reads it natively.',
  openers: [FUNCTION],
  firstCharacters: '{',
  startPattern: HEADLESS_PATTERN,
  evidence: 'marker',
  parse(context, at, opener) {
    if (opener === '') return parseHeadless(context, at);
    const named = readName(context, at + FUNCTION.length);
    if (!named || context.text.charAt(skipWhite(context.text, named.end)) !== '{') return null;
    return readNamedCalls(context, at, FUNCTION_SPELLING);
  },
  write: (calls) =>
    calls.map((call) => `${FUNCTION}${call.name}>${writeJson(call.arguments)}${FUNCTION_END}`).join('\n'),
};

/**
 * Reads `name{…}</function>` at the start of a line, as Groq quotes it: of the tag around the name nothing is left, or only a
 * part. The closer is the evidence.
 */
function parseHeadless(context: RescueContext, at: number): FormatReading | null {
  const { text, tools, consumedTo } = context;
  const nameEnd =
    at - (HEADLESS_END.exec(text.slice(Math.max(consumedTo, at - LONGEST_REST), at))?.[0].length ?? 0);
  const named = readNameBefore(context, nameEnd);
  if (!named || !tools.resolve(named.name)) return null;
  const before = text.slice(Math.max(consumedTo, named.start - LONGEST_REST), named.start);
  const start = named.start - (HEAD_REST.exec(before)?.[0].length ?? 0);
  if (!startsLine(context, start)) return null;
  const reading = readNamedCalls(context, start, FUNCTION_SPELLING, { name: named.name, end: at });
  const isClosed = reading?.kind === 'calls' && text.slice(0, reading.end).endsWith(FUNCTION_END);
  return isClosed ? reading : null;
}

const HEADLESS_END = new RegExp(`${NAME_END}\\s{0,4}$`);

/** Reads the name, quoted or not, and the bracket after it. Without the bracket, only an offered tool is meant. */
function readName(context: RescueContext, at: number, log?: RepairLog): NameReading | null {
  const { text, tools } = context;
  const [head = '', broken = ''] = BROKEN_NAME.exec(text.slice(at, at + LONGEST_TAG)) ?? [];
  if (broken !== '' && tools.resolve(broken)) {
    log?.add('broken-tag', at);
    return { name: broken, end: at + head.length };
  }
  const quote = text.charAt(at) === '"' ? 1 : 0;
  const named = readPlainName(context, at + quote);
  const end = (named?.end ?? at) + quote;
  return named && text.charAt(end) === '>' ? { name: named.name, end: end + 1 } : null;
}

const FUNCTION_SPELLING: NamedSpelling = {
  open: [FUNCTION],
  separators: [],
  closers: [FUNCTION_END],
  readName,
  matchToken,
  foreignBody: PARAMETER,
};

function matchToken(context: RescueContext, at: number, token: string, log: RepairLog): number {
  const { text } = context;
  if (token !== FUNCTION_END) return skipToken(text, at, token);
  const [rest = ''] = BROKEN_END.exec(text.slice(at, at + 2)) ?? [];
  const from = skipWhite(text, at + rest.length);
  const [wrong] = WRONG_END.exec(text.slice(from, from + LONGEST_TAG)) ?? [];
  const closer =
    wrong === undefined
      ? readCallCloser(context, from, FUNCTION_END)
      : { end: from + wrong.length, repairs: [{ kind: 'wrong-close-tag', at: from }] };
  const [repair] = closer.repairs;
  if (repair?.kind === 'missing-close-tag' && !rest.endsWith('>')) return -1;
  if (repair) log.add(repair.kind, from);
  return closer.end;
}
