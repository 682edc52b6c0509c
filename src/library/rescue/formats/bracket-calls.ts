// Calls in JSON between square brackets: `[TOOL_REQUEST]`, which LM Studio asks models to write, `[TOOL_CALL]`, and tags named
// after the tool.
import { BRACKET_NAME_PATTERN } from '../candidates/start-patterns';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { createJsonFormat } from '../json-calls/read-json-calls';
import type { NameReading } from '../json-calls/read-named-calls';
import { readNamedCalls } from '../json-calls/read-named-calls';
import { writeCallJson, writeJson } from '../json/write-json';
import { readHeadless } from '../pairs/pair-format';
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
