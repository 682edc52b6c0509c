// Calls of gpt-oss in harmony: messages with a header of role, channel and recipient. The analysis channel is reasoning,
// unless it is addressed to a function; the final channel is the answer, whatever it contains.
import { createLabelPattern } from '../candidates/start-patterns';
import { readBareCalls } from '../json-calls/bare-calls';
import { findAddress, readHeader } from './harmony-header';
import type { HarmonyHeader } from './harmony-header';
import { findMessageKind, GLIMMER_ENDS, toCallsHeader } from './glimmer-messages';
import type { Closer } from '../core/call-closer';
import { readHeadedCall } from '../json-calls/headed-call';
import { skipWhite } from '../text/white-space';
import { toCutRefusal } from '../core/refusals';
import { toToolName } from '../candidates/name-before';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

const START = '<|start|>';
const CHANNEL = '<|channel|>';
/** Tokens that end a message; the first one ends a call. */
const ENDS = ['<|call|>', '<|end|>', '<|return|>'];

/** Words that may precede a recipient in a header without its tokens. */
const WORDS = ['assistant', 'assistantcommentary', 'assistantanalysis', 'commentary', 'analysis', ''];
const LEADS = [
  '^commentary',
  '^analysis',
  '^assistant',
  ...WORDS.map((word) => `${word} to=`.trimStart()),
  ...WORDS.map((word) => `${word}to=`),
];

export const harmony: RescueFormat = {
  id: 'harmony',
  title: 'Harmony of gpt-oss: commentary to=functions.NAME',
  nativeHint:
    'If the server is vLLM, start it with `--tool-call-parser openai`; llama-server needs `--jinja`, and then both return it natively.',
  openers: [START, CHANNEL],
  endTokens: ENDS,
  strippedReasoning: [
    {
      open: 'analysis',
      // The words of the second one are kept, because they are the header of a call.
      closers: [{ literal: 'assistantfinal' }, { literal: 'assistantcommentary', isKept: true }],
    },
  ],
  firstCharacters: '=',
  startPattern: createLabelPattern('to='),
  leads: LEADS,
  evidence: 'marker',
  parse(context, at, opener) {
    const header = opener === '' ? findAddress(context, at) : readHeader(context, at);
    return header && readMessage(context, header);
  },
  write: (calls) => calls.map(writeMessage).join(`${START}assistant`),
};

const writeMessage = ({ name, arguments: value }: WrittenCall): string =>
  `${CHANNEL}commentary to=functions.${name} <|constrain|>json<|message|>${writeJson(value)}<|call|>`;

function readMessage(context: RescueContext, header: HarmonyHeader): FormatReading | null {
  const { recipient, channel, role } = header;
  if (role !== '' && role !== 'assistant') return readOther(context, header);
  const kind = findMessageKind(context, header, findEnd(context, header.bodyAt).bodyEnd);
  if (kind === 'calls') return toCallsHeader(context, header);
  if (kind !== undefined)
    return kind === 'reasoning' ? readAnalysis(context, header) : readText(context, header);
  if (recipient !== undefined) return readCall(context, header, recipient);
  if (channel === 'analysis') return readAnalysis(context, header);
  if (channel === 'commentary' && context.text.charAt(skipWhite(context.text, header.bodyAt)) === '{') {
    const reading = readUnaddressed(context, header);
    if (reading) return reading;
  }
  return readText(context, header);
}

function readCall(context: RescueContext, header: HarmonyHeader, recipient: string): FormatReading | null {
  const { start, bodyAt, repairs } = header;
  const name = toToolName(context, recipient);
  const head = { name, start, bodyAt, repairs, ends: ENDS };
  const reading = readHeadedCall(context, head, (end) => readEnd(context.text, end, header.isStripped));
  if (reading || header.isStripped) return reading;
  // The body is not JSON: it is a program for an interpreter, or empty.
  const end = findEnd(context, bodyAt);
  const value = context.text.slice(bodyAt, end.bodyEnd).trim();
  if (value === '' && end.isOpen)
    return { kind: 'rejection', start, end: end.end, name, ...toCutRefusal(name, 'before its arguments') };
  const call = { name, arguments: value === '' ? undefined : value, start, end: end.end, repairs: [] };
  return {
    kind: 'calls',
    start,
    end: end.end,
    calls: [{ ...call, isPartial: end.isOpen }],
    repairs,
    isOpen: end.isOpen,
  };
}

/** The end of a message. A message without its tokens has no end token either, so none is reported as missing. */
function readEnd(text: string, from: number, isStripped: boolean): Closer {
  const at = skipWhite(text, from);
  const token = ENDS.find((item) => text.startsWith(item, at));
  if (token !== undefined) return { end: at + token.length, repairs: [], isOpen: false };
  const isOpen = at >= text.length;
  return { end: from, repairs: isStripped ? [] : [{ kind: 'missing-close-tag', at: from }], isOpen };
}

/** Reads a call without a recipient; its shape is the only evidence. */
function readUnaddressed(
  context: RescueContext,
  { start, bodyAt, repairs }: HarmonyHeader,
): FormatReading | null {
  const reading = readBareCalls(context, skipWhite(context.text, bodyAt));
  if (reading?.kind !== 'calls' || reading.failure) return null;
  const closer = readEnd(context.text, reading.end, false);
  return {
    ...reading,
    start,
    end: closer.end,
    repairs: [...repairs, ...reading.repairs, ...closer.repairs],
    evidence: 'shape',
    isOpen: reading.isOpen || closer.isOpen,
  };
}

function readAnalysis(context: RescueContext, { start, bodyAt }: HarmonyHeader): FormatReading {
  const { end, bodyEnd, isOpen } = findEnd(context, bodyAt);
  return { kind: 'reasoning', start, end, bodyStart: bodyAt, bodyEnd, isOpen };
}

/** Reads a message to the user; nothing in it is a call. */
function readText(context: RescueContext, { start, bodyAt }: HarmonyHeader): FormatReading {
  const { end, bodyEnd } = findEnd(context, bodyAt);
  const markup = [
    { start, end: bodyAt },
    { start: bodyEnd, end },
  ];
  return { kind: 'text', end, markup: markup.filter((part) => part.end > part.start) };
}

/** Reads a message of another role, which the model invented or repeated. One of a function is the result of a call. */
function readOther(context: RescueContext, { start, bodyAt, role }: HarmonyHeader): FormatReading {
  const { end } = findEnd(context, bodyAt);
  if (!role.includes('.') && role !== 'tool') return { kind: 'text', end };
  const detail = 'This is the result of a call, which only the caller writes.';
  return { kind: 'rejection', start, end, reason: 'result-echo', detail };
}

interface MessageEnd {
  bodyEnd: number;
  end: number;
  /** Whether the text ends before the message does. */
  isOpen: boolean;
}

function findEnd(context: RescueContext, from: number): MessageEnd {
  const ends = [...ENDS, ...GLIMMER_ENDS];
  const places = [...ends, START, CHANNEL].map((token) => ({ token, at: context.find(token, from) }));
  const found = places.filter(({ at }) => at !== -1).toSorted((one, other) => one.at - other.at)[0];
  const { length } = context.text;
  if (!found) return { bodyEnd: length, end: length, isOpen: true };
  const isEnd = ends.includes(found.token);
  return { bodyEnd: found.at, end: isEnd ? found.at + found.token.length : found.at, isOpen: false };
}
