// Formats with the tool's name between tokens, followed by its arguments in JSON: PLaMo 3, Qwen-Agent and Functionary. Each
// is declared as a dialect of one common reader.
import { skipWhite } from '../text/white-space';
import { readNameLine } from '../candidates/look-back';
import type { NamedSpelling } from '../json-calls/read-named-calls';
import { readNamedCalls, readPlainName } from '../json-calls/read-named-calls';
import { skipToken } from '../json-calls/token';
import type { Token } from '../json-calls/token';
import type { RescueContext } from '../core/rescue-context';
import { toEmptyEmission } from '../core/rescue-format';
import type { CallsReading, FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

const plamo = (name: string): string => `<|plamo:${name}:plamo|>`;

const PLAMO: NamedSpelling = {
  wrapper: { open: plamo('begin_tool_requests'), close: plamo('end_tool_requests') },
  open: [plamo('begin_tool_request'), plamo('begin_tool_name')],
  separators: [plamo('end_tool_name'), plamo('begin_tool_arguments')],
  closers: [plamo('end_tool_arguments'), plamo('end_tool_request')],
};

export const plamo3: RescueFormat = {
  id: 'plamo3',
  title: 'PLaMo 3: tool requests between tokens',
  vllmParser: 'plamo3',
  openers: [plamo('begin_tool_requests'), plamo('begin_tool_request'), plamo('begin_tool_name')],
  closers: [plamo('end_tool_requests'), plamo('end_tool_request')],
  evidence: 'marker',
  parse: (context, at) => readNamedCalls(context, at, PLAMO),
  write: (calls) =>
    `${plamo('begin_tool_requests')}${calls.map(writeRequest).join('')}${plamo('end_tool_requests')}`,
};

const writeRequest = ({ name, arguments: value }: WrittenCall): string =>
  `${PLAMO.open.join('')}${name}${PLAMO.separators.join('')}${writeJson(value)}${PLAMO.closers.join('')}`;

const FLOWERS: NamedSpelling = {
  open: [['✿FUNCTION✿:', '✿FUNCTION✿：', '✿FUNCTION✿']],
  separators: [['✿ARGS✿:', '✿ARGS✿：', '✿ARGS✿']],
  closers: [],
};
const RESULT = ['✿RESULT✿:', '✿RESULT✿：', '✿RESULT✿'];
const RETURN = '✿RETURN✿';

export const qwenAgent: RescueFormat = {
  id: 'qwen-agent',
  title: 'Qwen-Agent: ✿FUNCTION✿ and ✿ARGS✿',
  nativeHint:
    'Qwen-Agent reads it itself; a server returns calls natively when the tools are in the request and not in the prompt.',
  openers: ['✿FUNCTION✿', RETURN],
  closers: RESULT,
  evidence: 'marker',
  parse(context, at, opener) {
    if (opener === RETURN) return cutLabel(context, at, at + RETURN.length);
    const reading = readNamedCalls(context, at, FLOWERS);
    return reading?.kind === 'calls' && !reading.failure ? endAtResult(context, reading) : reading;
  },
  write: (calls) =>
    `${calls.map(({ name, arguments: value }) => `✿FUNCTION✿: ${name}\n✿ARGS✿: ${writeJson(value)}\n`).join('')}✿RESULT✿`,
};

/** Ends the emission at the label of the result. The model should stop there; any text after it is invented. */
function endAtResult({ text }: RescueContext, reading: CallsReading): CallsReading {
  const end = skipToken(text, reading.end, RESULT);
  if (end === -1) return reading;
  const next = skipWhite(text, end);
  if (next >= text.length) return { ...reading, end };
  const repairs = [...reading.repairs, { kind: 'hallucinated-observation', at: next }];
  return { ...reading, end, repairs, inventedTo: text.length };
}

/** An emission without calls, for a label that only introduces text for the user. */
function cutLabel({ text }: RescueContext, start: number, after: number): CallsReading {
  const end = ':：'.includes(text.charAt(after)) && after < text.length ? after + 1 : after;
  return toEmptyEmission(start, end);
}

const EVERYBODY = 'all';
const RECIPIENT = '>>>';
const FUNCTIONARY: NamedSpelling = { open: [RECIPIENT], separators: [], closers: [] };

export const functionaryV3: RescueFormat = {
  id: 'functionary-v3',
  title: 'Functionary 3.2: >>> with the recipient',
  nativeHint: 'llama-server: start it with `--jinja` and the chat template of the model.',
  openers: [RECIPIENT],
  leadLines: [{ line: EVERYBODY, before: RECIPIENT }],
  evidence: 'label',
  parse(context, at) {
    const { text } = context;
    const named = readPlainName(context, at + RECIPIENT.length);
    if (!named) return null;
    if (named.name === EVERYBODY && text.charAt(named.end) === '\n')
      return toEmptyEmission(at, named.end + 1);
    const isNamed = text.charAt(named.end) === '\n' || context.tools.resolve(named.name) !== undefined;
    const isCall = isNamed && text.charAt(skipWhite(text, named.end)) === '{';
    return isCall ? readNamedCalls(context, at, FUNCTIONARY) : null;
  },
  write: (calls) =>
    calls.map(({ name, arguments: value }) => `${RECIPIENT}${name}\n${writeJson(value)}`).join(''),
};

const FROM = '<|from|>';
const TO = '<|recipient|>';
const CONTENT = '<|content|>';
const HEADERS: NamedSpelling = { open: [FROM, 'assistant', TO], separators: [CONTENT], closers: [] };

export const functionaryV2: RescueFormat = {
  id: 'functionary-v2',
  title: 'Functionary 2: headers with the recipient',
  openers: [FROM, TO, CONTENT],
  evidence: 'marker',
  parse(context, at, opener) {
    if (opener === CONTENT) return readAddressed(context, at);
    const text = readText(context, at, opener === FROM ? HEADERS.open : [TO]);
    return text ?? readNamedCalls(context, at, HEADERS);
  },
  write: (calls) =>
    `${calls
      .map(({ name, arguments: value }) => `${FROM}assistant\n${TO}${name}\n${CONTENT}${writeJson(value)}`)
      .join('\n')}<|stop|>`,
};

/** An emission without calls, for the headers of text for the user. */
function readText({ text }: RescueContext, start: number, open: readonly Token[]): FormatReading | null {
  let at = start;
  for (const token of [...open, EVERYBODY, CONTENT]) {
    at = skipToken(text, at, token);
    if (at === -1) return null;
  }
  return toEmptyEmission(start, at);
}

/** Reads a reply that begins with the recipient, because the prompt ends with the header before it. */
function readAddressed(context: RescueContext, at: number): FormatReading | null {
  const head = readNameLine(context, at);
  return head ? readNamedCalls(context, head.start, HEADERS, { name: head.name, end: at }) : null;
}
