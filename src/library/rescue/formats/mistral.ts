// Calls of Mistral: `[TOOL_CALLS]` with a list in JSON (until tokenizer v7), or with a name and `[ARGS]` (from v11 on).
// Servers remove one or all of the tokens.
import { readNameBefore } from '../candidates/look-back';
import { NAMED_PATTERN } from '../candidates/start-patterns';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { readHeadedCall } from '../json-calls/headed-call';
import { createJsonFormat } from '../json-calls/read-json-calls';
import type { NamedSpelling, NameReading } from '../json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { writeJson } from '../json/write-json';
import { startsLine } from '../regions/line-position';
import { skipWhite } from '../text/white-space';

const OPEN = '[TOOL_CALLS]';
const CLOSE = '[/TOOL_CALLS]';
const CALL_ID = '[CALL_ID]';
const ARGUMENTS = '[ARGS]';
const LONGEST_ID = 80;
const ID_BEFORE = /\[CALL_ID\](\w{1,64})$/;

export const mistralArray = createJsonFormat({
  id: 'mistral-array',
  title: 'Mistral: a list of calls after [TOOL_CALLS]',
  sglangParser: 'mistral',
  vllmParser: 'mistral',
  openers: [OPEN],
  // The format has no closer, but some templates print one.
  wrongClosers: [CLOSE],
  reasoningTags: [{ open: '[THINK]', close: '[/THINK]' }],
  write: (calls) =>
    `${OPEN} ${writeJson(calls.map(({ name, arguments: value, id }) => ({ name, arguments: value, id })))}`,
});

export const mistralArgs: RescueFormat = {
  id: 'mistral-args',
  title: 'Mistral: name[ARGS]{…} after [TOOL_CALLS]',
  sglangParser: 'mistral',
  vllmParser: 'mistral',
  openers: [OPEN, ARGUMENTS],
  endTokens: [CLOSE],
  firstCharacters: '{',
  startPattern: NAMED_PATTERN,
  evidence: 'marker',
  parse(context, at, opener) {
    if (opener === '') return parseNameOnly(context, at);
    if (opener === ARGUMENTS) return parseUnopened(context, at);
    return readNamedCalls(context, at, SPELLING);
  },
  write: (calls) =>
    calls.map((call) => `${OPEN}${call.name}${ARGUMENTS}${writeJson(call.arguments)}`).join(''),
};

const SPELLING: NamedSpelling = {
  open: [OPEN],
  separators: [ARGUMENTS],
  separatorDamage: 'missing-args-token',
  closers: [],
  readName: readNameWithId,
};

/** Reads `NAME`, or `NAME[CALL_ID]abcdefghi`, as between tokenizers v11 and v13. */
function readNameWithId(context: RescueContext, at: number): NameReading | null {
  const { text } = context;
  const named = readPlainName(context, at);
  if (!named || !text.startsWith(CALL_ID, named.end)) return named;
  const id = readPlainName(context, named.end + CALL_ID.length);
  return id ? { name: named.name, end: id.end, id: id.name } : named;
}

/** Reads `name[ARGS]{…}`: the first token is missing, and the name precedes the second. */
function parseUnopened(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const bodyAt = at + ARGUMENTS.length;
  if (text.charAt(skipWhite(text, bodyAt)) !== '{') return null;
  const [written = '', id] =
    ID_BEFORE.exec(text.slice(Math.max(context.consumedTo, at - LONGEST_ID), at)) ?? [];
  const named = readNameBefore(context, at - written.length);
  if (!named) return null;
  const repairs = [{ kind: 'missing-open-tag', at: named.start }];
  return readHeadedCall(context, { ...named, id, bodyAt, repairs });
}

/** Reads `name{…}` at the start of a line: both tokens are missing, so the shape is the only evidence. */
function parseNameOnly(context: RescueContext, at: number): FormatReading | null {
  const { text, tools } = context;
  const nameEnd = text.charAt(at - 1) === ' ' ? at - 1 : at;
  const named = readNameBefore(context, nameEnd);
  if (!named || !tools.resolve(named.name) || !startsLine(context, named.start)) return null;
  const repairs = [{ kind: 'stripped-special-tokens', at: named.start }];
  return readHeadedCall(context, { ...named, bodyAt: at, repairs, evidence: 'shape' });
}
