// Formats with calls in JSON after a model's own tokens: openPangu, Phi-4-mini, FireFunction, InternLM, Apertus, GigaChat
// 3, Sarashina, Command R7B, RWKV and Inkling. Each is declared as a dialect of one common reader.
import { isRecord } from '../../util/json';
import { skipWordBefore } from '../candidates/look-back';
import { createWordListPattern } from '../candidates/start-patterns';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { readReasoning, toEmptyEmission } from '../core/rescue-format';
import { readEnvelope } from '../json-calls/envelope';
import type { EnvelopeCall } from '../json-calls/envelope';
import type { CallShape } from '../json-calls/read-calls';
import { createJsonFormat, readJsonCalls, readOpened } from '../json-calls/read-json-calls';
import type { JsonSpelling } from '../json-calls/read-json-calls';
import { readPlainName } from '../json-calls/read-named-calls';
import { PRINTED_VALUES, writeCallJson, writeCallList, writeJson } from '../json/write-json';
import { readFenceOpening } from '../regions/fence';
import { skipWhite } from '../text/white-space';

export const openpanguV2 = createJsonFormat({
  id: 'openpangu-v2',
  title: 'openPangu: a list of calls between tokens',
  openers: ['<|tool_call_start|>', '[unused11]'],
  closers: ['<|tool_call_end|>', '[unused12]'],
});

const PHI_OPEN = '<|tool_call|>';
const PHI_CLOSE = '<|/tool_call|>';

export const phiToolToken = createJsonFormat({
  id: 'phi-tool-token',
  title: 'Phi-4-mini: a list between <|tool_call|> and its closer',
  vllmParser: 'phi4_mini_json',
  openers: [PHI_OPEN],
  closers: [PHI_CLOSE],
  wrongClosers: [PHI_OPEN],
  isOurs: hasCloser,
});

/** Whether the closer is there, possibly cut off. Granite writes the same opener without a closer. */
function hasCloser(context: RescueContext, reading: FormatReading): boolean {
  if (reading.kind !== 'calls' || reading.failure) return context.find(PHI_CLOSE, reading.end) !== -1;
  const tail = context.text.slice(0, reading.end).slice(-PHI_CLOSE.length);
  return tail === PHI_CLOSE || (reading.isOpen && PHI_CLOSE.startsWith(tail.slice(tail.lastIndexOf('<|'))));
}

const FUNCTOOLS = 'functools';

export const functools = createJsonFormat({
  id: 'functools',
  title: 'Phi-4-mini and FireFunction: a list after functools',
  vllmParser: 'phi4_mini_json',
  openers: [],
  firstCharacters: '[',
  startPattern: createWordListPattern(FUNCTOOLS),
  leads: [FUNCTOOLS],
  read(context, at) {
    // Programs contain `functools[...]` too.
    if (context.text.charAt(skipWhite(context.text, at + 1)) !== '{') return null;
    const start = skipWordBefore(context, at, FUNCTOOLS);
    const emission = { start, opener: '', from: at, repairs: [] };
    return start === -1 ? null : readJsonCalls(context, emission, { closers: [] });
  },
  write: (calls) => `${FUNCTOOLS}${writeCallList(calls)}`,
});

const ACTION_SPELLING: JsonSpelling = { tokens: ['<|plugin|>'], closers: ['<|action_end|>'] };

export const internlm = createJsonFormat({
  id: 'internlm',
  title: 'InternLM 2 and 3: JSON after <|plugin|>',
  vllmParser: 'internlm',
  sglangParser: 'interns1',
  openers: ['<|action_start|>', '<|plugin|>'],
  ...ACTION_SPELLING,
  read(context, at, opener) {
    const repairs = [{ kind: 'missing-open-tag', at }];
    return opener === '<|plugin|>'
      ? readJsonCalls(context, { start: at, opener, from: at, repairs }, ACTION_SPELLING)
      : undefined;
  },
  write: (calls) => calls.map(writeAction).join(''),
});

const writeAction = (call: WrittenCall): string =>
  `<|action_start|><|plugin|>${writeCallJson(call, { arguments: 'parameters' })}<|action_end|>`;

/** The shape `{"get_weather": {…}}`, in which the tool's name is the key. */
const KEYED: CallShape = {
  role: 'keyed',
  read(value) {
    const calls = readEnvelope(value);
    return calls.length > 0 ? calls : (Array.isArray(value) ? value : [value]).flatMap(readKeyed);
  },
};

/** Several calls in one object are told apart by their arguments, so each of them must have an object of its own. */
function readKeyed(value: unknown): EnvelopeCall[] {
  if (!isRecord(value)) return [];
  const entries = Object.entries(value);
  if (entries.length > 1 && !entries.every(([, item]) => isRecord(item))) return [];
  return entries.map(([name, item]) => ({
    name,
    arguments: item,
    node: isRecord(item) ? item : value,
  }));
}

export const apertus = createJsonFormat({
  id: 'apertus',
  title: 'Apertus: a list of objects whose key is the tool',
  vllmParser: 'apertus',
  sglangParser: 'apertus2509',
  openers: ['<|tools_prefix|>'],
  closers: ['<|tools_suffix|>'],
  endTokens: ['<|assistant_end|>', '<|assistant_start|>'],
  reasoningTags: [{ open: '<|inner_prefix|>', close: '<|inner_suffix|>' }],
  finalAnswers: ['display_answers'],
  shape: KEYED,
  write: (calls) =>
    `<|tools_prefix|>${writeJson(calls.map(({ name, arguments: value }) => ({ [name]: value })))}<|tools_suffix|>`,
});

const ROLE = '<|role_sep|>';
const ROLE_NAME = 'function call';

export const gigachatJson = createJsonFormat({
  id: 'gigachat',
  title: 'GigaChat 3: JSON as a message of its own',
  vllmParser: 'gigachat3',
  sglangParser: 'gigachat3',
  openers: ['<|function_call|>', '<|message_sep|>', ROLE],
  leads: ['<', ' <', '\n<'].map((next) => `${ROLE_NAME}${next}`),
  read(context, at, opener) {
    if (opener === '<|message_sep|>') {
      const role = skipWhite(context.text, at + opener.length);
      if (!context.text.startsWith(ROLE_NAME, role)) return null;
      const emission = { start: at, opener, from: role + ROLE_NAME.length, repairs: [] };
      return readJsonCalls(context, emission, { tokens: [ROLE], closers: [] });
    }
    const start = opener === ROLE ? skipWordBefore(context, at, ROLE_NAME) : at;
    const repairs = opener === ROLE ? [{ kind: 'missing-open-tag', at: start }] : [];
    const emission = { start, opener, from: at + opener.length, repairs };
    return start === -1 ? null : readJsonCalls(context, emission, { closers: [] });
  },
  write: (calls) => calls.map((call) => `<|function_call|>${writeCallJson(call)}`).join('\n'),
});

export const sarashina = createJsonFormat({
  id: 'sarashina',
  title: 'Sarashina: a Python list after <|tool_calls|>',
  openers: ['<|tool_calls|>'],
  usual: ['single-quotes', 'python-literal', 'bad-escape'],
  write: (calls) =>
    `<|tool_calls|>${writeJson(
      calls.map(({ name, arguments: value }) => ({ name, arguments: value })),
      PRINTED_VALUES,
    )}`,
});

const ACTION = '<|START_ACTION|>';
const ACTION_END = '<|END_ACTION|>';

/** Tokens around an answer; they are not part of its text. */
const ANSWER_TOKENS = ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'];

export const commandR7b = createJsonFormat({
  id: 'command-r7b',
  title: 'Command R7B and A: a list after <|START_ACTION|>',
  vllmParser: 'cohere_command3',
  openers: [ACTION, ...ANSWER_TOKENS],
  closers: [ACTION_END],
  endTokens: ['<|END_OF_TURN_TOKEN|>'],
  reasoningTags: [{ open: '<|START_THINKING|>', close: '<|END_THINKING|>' }],
  read(_context, at, opener) {
    if (!ANSWER_TOKENS.includes(opener)) return undefined;
    const end = at + opener.length;
    return { kind: 'text', end, markup: [{ start: at, end }] };
  },
  write: (calls) => `${ACTION}${writeJson(calls.map(toEntry))}${ACTION_END}`,
});

const toEntry = ({ name, arguments: value, id }: WrittenCall, index: number): object => ({
  tool_call_id: id ?? String(index),
  tool_name: name,
  parameters: value,
});

/** Only this label distinguishes calls of RWKV from examples. */
const CALL_LABEL = '**Tool Call:**';
/** Info strings of a fence that may hold a call; a fence with any other is a program for the user. */
const FENCE_INFO_STRINGS: ReadonlySet<string> = new Set(['', 'json', 'tool', 'tool_call', 'python']);

export const rwkv = createJsonFormat({
  id: 'rwkv',
  title: 'RWKV: a JSON fence after **Tool Call:**',
  vllmParser: 'rwkv',
  openers: [CALL_LABEL, '**Tool Call**:', '**Tool Calls:**'],
  evidence: 'label',
  read(context, at, opener) {
    const fence = readFenceOpening(context.text, skipWhite(context.text, at + opener.length));
    if (fence && !FENCE_INFO_STRINGS.has(fence.infoString)) return null;
    const reading = readOpened(context, at, opener, { closers: [], isFenced: true });
    return reading?.kind === 'calls' ? { ...reading, needsEnd: true } : reading;
  },
  write: (calls) =>
    calls.map((call) => `${CALL_LABEL}\n\`\`\`json\n${writeCallJson(call)}\n\`\`\``).join('\n'),
});

const INKLING = '<|message_model|>';
const INKLING_CALL = '<|content_invoke_tool_json|>';
const INKLING_TEXT = '<|content_text|>';
const INKLING_REASONING = '<|content_thinking|>';
const INKLING_END = '<|end_message|>';
const INKLING_ENDS = [INKLING_END, '<|content_model_end_sampling|>'];

export const inkling: RescueFormat = {
  id: 'inkling',
  title: 'Inkling: JSON in a message that calls a tool',
  sglangParser: 'inkling',
  openers: [INKLING, INKLING_CALL, INKLING_TEXT, INKLING_REASONING],
  closers: INKLING_ENDS,
  evidence: 'marker',
  parse(context, at, opener) {
    const head = opener === INKLING ? readHead(context, at) : { at, name: '' };
    const { text } = context;
    if (text.startsWith(INKLING_CALL, head.at)) return readCall(context, at, head);
    if (text.startsWith(INKLING_REASONING, head.at))
      return readReasoning(context, at, head.at + INKLING_REASONING.length, INKLING_END);
    if (!text.startsWith(INKLING_TEXT, head.at)) return null;
    return toEmptyEmission(at, head.at + INKLING_TEXT.length);
  },
  write: (calls) => calls.map(writeMessage).join(''),
};

const writeMessage = (call: WrittenCall): string =>
  `${INKLING}${call.name}${INKLING_CALL}${writeCallJson(call, { arguments: 'args' })}${INKLING_END}`;

interface Head {
  /** The offset of the token with the kind of the message. */
  at: number;
  /** The tool's name; '' when the message has none. */
  name: string;
}

function readHead(context: RescueContext, at: number): Head {
  const { text } = context;
  const from = skipWhite(text, at + INKLING.length);
  const named = readPlainName(context, from);
  return { at: skipWhite(text, named?.end ?? from), name: named?.name ?? '' };
}

function readCall(context: RescueContext, start: number, { at, name }: Head): FormatReading | null {
  const repairs = at === start ? [{ kind: 'missing-open-tag', at: start }] : [];
  const emission = { start, opener: INKLING_CALL, from: at + INKLING_CALL.length, repairs };
  const read = (value: unknown): EnvelopeCall[] => readEnvelope(value).map((call) => checkName(call, name));
  return readJsonCalls(context, emission, { closers: INKLING_ENDS, shape: { role: 'call', read } });
}

/** Refuses a call if the message and its JSON name different tools, because neither name can be trusted. */
function checkName(call: EnvelopeCall, name: string): EnvelopeCall {
  if (name === '' || call.name.trim() === name || call.refusal) return call;
  const detail = `The message is for \`${name}\` and its JSON calls \`${call.name.slice(0, 64)}\`.`;
  return { ...call, refusal: { reason: 'malformed', detail } };
}
