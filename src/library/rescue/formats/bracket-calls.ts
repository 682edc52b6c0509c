// Calls in JSON between or in square brackets: `[TOOL_REQUEST]`, which LM Studio asks models to write, `[TOOL_CALL]`, tags
// named after the tool, and `[Calling tool: NAME({…})]`. vllm-mlx writes past calls into the prompt in the last form, and
// models repeat it.
import { BRACKET_NAME_PATTERN } from '../candidates/start-patterns';
import { describeCall, rejectCut } from '../core/refusals';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading, toSingleEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { readArguments, rejectArguments } from '../json-calls/read-arguments';
import { createJsonFormat } from '../json-calls/read-json-calls';
import type { NameReading } from '../json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { skipToken } from '../json-calls/token';
import { writeCallJson, writeJson } from '../json/write-json';
import { readHeadless } from '../pairs/pair-format';
import { startsLine } from '../regions/line-position';
import { skipWhite } from '../text/white-space';
import { FUNCTION_SPELLING } from './element-tags';

const REQUEST = '[TOOL_REQUEST]';
const REQUEST_CLOSE = '[END_TOOL_REQUEST]';
const NAMED_REQUEST = '[tool:';
const LONGEST_NAME = 128;

export const lmstudio = createJsonFormat({
  id: 'lmstudio',
  title: 'LM Studio: JSON in [TOOL_REQUEST]',
  nativeHint:
    'LM Studio returns it natively from `/v1/chat/completions` and `/api/v0`, when the tools are in the request and not in the prompt.',
  openers: [REQUEST, NAMED_REQUEST],
  closers: [REQUEST_CLOSE],
  wrongClosers: ['[/TOOL_REQUEST]'],
  read: (context, at, opener) =>
    opener === NAMED_REQUEST ? readNamedRequest(context, at, at + opener.length) : undefined,
  write: (calls) => calls.map((call) => `${REQUEST}\n${writeCallJson(call)}\n${REQUEST_CLOSE}`).join('\n'),
});

export const bracketToolCall: RescueFormat = createJsonFormat({
  id: 'bracket-tool-call',
  title: 'JSON in [TOOL_CALL]',
  openers: ['[TOOL_CALL]'],
  closers: ['[/TOOL_CALL]'],
  write: (calls) => calls.map((call) => `[TOOL_CALL]\n${writeCallJson(call)}\n[/TOOL_CALL]`).join('\n'),
});

export const bracketName: RescueFormat = {
  id: 'bracket-name',
  title: 'The arguments in brackets named after the tool',
  openers: [],
  firstCharacters: '[',
  startPattern: BRACKET_NAME_PATTERN,
  evidence: 'label',
  parse(context, at) {
    const head = readBracketName(context, at + 1);
    const isObject = head && context.text.charAt(skipWhite(context.text, head.end)) === '{';
    return isObject ? readNamedObject(context, at, head) : null;
  },
  write: (calls) =>
    calls.map(({ name, arguments: value }) => `[${name}]\n${writeJson(value)}\n[/${name}]`).join('\n'),
};

/** The name of an offered tool between `from` and the closing bracket; null for any other text. */
function readBracketName({ text, tools }: RescueContext, from: number): NameReading | null {
  const rest = text.slice(from, from + LONGEST_NAME + 1);
  const length = rest.indexOf(']');
  const name = rest.slice(0, Math.max(0, length)).trim();
  return name !== '' && tools.resolve(name) ? { name, end: from + length + 1 } : null;
}

/** Reads arguments in JSON after a bracket with the name. Without a closing tag, the shape is the only evidence. */
function readNamedObject(context: RescueContext, at: number, head: NameReading): FormatReading | null {
  const spelling = { open: [], separators: [], closers: [[`[/${head.name}]`, REQUEST_CLOSE]] };
  const reading = readNamedCalls(context, at, spelling, head);
  if (reading?.kind !== 'calls') return reading;
  const isClosed = context.text.charAt(reading.end - 1) === ']';
  return { ...reading, evidence: isClosed ? 'label' : 'shape' };
}

/** Reads `[tool:NAME]`, followed by an object or by parameters as elements. */
function readNamedRequest(context: RescueContext, at: number, from: number): FormatReading | null {
  const head = readBracketName(context, from);
  if (!head) return null;
  const next = context.text.charAt(skipWhite(context.text, head.end));
  if (next === '{') return readNamedObject(context, at, head);
  const emission = next === '<' ? readHeadless(context, FUNCTION_SPELLING, { start: at, ...head }) : null;
  return emission && withoutCloser(context, emission.reading);
}

/** Drops the repair of a missing closing tag: the request's closer is no element, so the reader of pairs misses it. */
function withoutCloser({ text }: RescueContext, reading: FormatReading): FormatReading {
  if (reading.kind !== 'calls' || reading.failure) return reading;
  const next = skipWhite(text, reading.end);
  const end = text.startsWith(REQUEST_CLOSE, next) ? next + REQUEST_CLOSE.length : reading.end;
  const calls = reading.calls.map((call) => ({
    ...call,
    repairs: call.repairs.filter(({ kind, at }) => kind !== 'missing-close-tag' || at < call.end),
  }));
  return { ...reading, calls, end };
}

const CALLING = '[Calling tool:';
const CALLING_END = ')]';

export const callingTool: RescueFormat = {
  id: 'calling-tool',
  title: 'vllm-mlx: [Calling tool: NAME({…})]',
  nativeHint: 'No server reads it as a call: use the chat template of the model.',
  openers: [CALLING],
  evidence: 'label',
  parse: (context, at) => (startsLine(context, at) ? parseCalling(context, at) : null),
  write: (calls) =>
    calls.map((call) => `${CALLING} ${call.name}(${writeJson(call.arguments)}${CALLING_END}`).join('\n'),
};

function parseCalling(context: RescueContext, start: number): FormatReading | null {
  const { text } = context;
  const named = readPlainName(context, skipWhite(text, start + CALLING.length));
  if (!named) return null;
  const { name } = named;
  const bracket = skipWhite(text, named.end);
  if (bracket >= text.length) return rejectCut(context, start, name, 'before its end');
  const body = text.charAt(bracket) === '(' ? readArguments(context, bracket + 1) : null;
  if (!body) return null;
  const lineEnd = context.findFirst(['\n'], start)?.start;
  if (body.failure) return rejectArguments(context, { start, name }, body.failure, lineEnd);
  const closer = skipWhite(text, body.end);
  if (closer >= text.length || text.slice(closer) === ')')
    return rejectCut(context, start, name, 'before its end');
  const end = text.charAt(closer) === ')' ? skipToken(text, closer + 1, ']') : -1;
  if (end === -1) {
    const detail = `${describeCall(name)} breaks at offset ${closer}: expected \`${CALLING_END}\`.`;
    return toRejectionReading({ start, end: lineEnd ?? text.length }, name, { reason: 'malformed', detail });
  }
  const { value, repairs, issues } = body;
  const call = { name, arguments: value, start, end, repairs, issues };
  return toSingleEmission(call, { needsEnd: true });
}
