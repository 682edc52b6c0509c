// Calls of gpt-oss in harmony: messages with a header of role, channel and recipient. The analysis channel is reasoning,
// unless it is addressed to a function; the final channel is the answer, whatever it contains.
import type { RescueRepair } from '../../../types';
import { createLabelPattern } from '../candidates/start-patterns';
import { readBareCalls } from '../json-calls/bare-calls';
import type { Closer } from '../core/call-closer';
import { readHeadedCall } from '../json-calls/headed-call';
import { skipWhite } from '../text/white-space';
import { rejectCut } from '../core/refusals';
import { toToolName } from '../candidates/look-back';
import type { RescueContext } from '../core/rescue-context';
import { toSingleEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

const START = '<|start|>';
const CHANNEL = '<|channel|>';
/** Tokens that end a message; the first one ends a call. */
const ENDS = ['<|call|>', '<|end|>', '<|return|>'];

/** Where a message ends: at a token of harmony or Glimmer, or where the next one begins. */
const MESSAGE_LIMITS = [...ENDS, '<|eom|>', '<|eot|>', START, CHANNEL];

const CALLS = ['<atem:function_calls>', '<atem:invoke'];
const CALLS_END = '</atem:function_calls>';

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
  sglangParser: 'gpt-oss',
  vllmParser: 'openai',
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
  const { recipient, channel, role, bodyAt } = header;
  if (role !== '' && role !== 'assistant') return readOther(context, header);
  const glimmer = channel === '' ? readGlimmer(context, header) : undefined;
  if (glimmer) return glimmer;
  if (recipient !== undefined) return readCall(context, header, recipient);
  if (channel === 'analysis') return readAnalysis(context, header);
  const isBare = channel === 'commentary' && context.text.charAt(skipWhite(context.text, bodyAt)) === '{';
  return (isBare ? readUnaddressed(context, header) : null) ?? readText(context, header);
}

/** Reads a message of Glimmer, which has recipients and no channels; undefined for one of harmony. */
function readGlimmer(context: RescueContext, header: HarmonyHeader): FormatReading | undefined {
  const { text } = context;
  const { recipient, start, bodyAt } = header;
  if (recipient === 'self') return readAnalysis(context, header);
  const body = skipWhite(text, bodyAt);
  const isToUser = recipient === 'user';
  // A message to the user is the answer, unless it contains nothing but calls.
  const holdsCalls =
    CALLS.some((opener) => text.startsWith(opener, body)) &&
    (!isToUser || text.slice(body, findEnd(context, bodyAt).bodyEnd).trimEnd().endsWith(CALLS_END));
  // Another format parses the calls after the header.
  if (holdsCalls) return { kind: 'text', end: body, markup: [{ start, end: body }] };
  return isToUser ? readText(context, header) : undefined;
}

function readCall(context: RescueContext, header: HarmonyHeader, recipient: string): FormatReading | null {
  const { start, bodyAt, repairs } = header;
  const name = toToolName(context, recipient);
  const head = { name, start, bodyAt, repairs, ends: ENDS };
  const reading = readHeadedCall(context, head, (end) => readEnd(context.text, end, header.isStripped));
  if (reading || header.isStripped) return reading;
  // The body is not JSON: it is a program for an interpreter, or empty.
  const { bodyEnd, end, isOpen } = findEnd(context, bodyAt);
  const value = context.text.slice(bodyAt, bodyEnd).trim();
  if (value === '' && isOpen) return rejectCut(context, start, name, 'before its arguments');
  const written = value === '' ? undefined : value;
  const call = { name, arguments: written, start, end, repairs: [], isPartial: isOpen };
  return toSingleEmission(call, { repairs, isOpen });
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

/** Where the body of a message ends, and its token; `isOpen`: the text ends before the message does. */
function findEnd(context: RescueContext, from: number): { bodyEnd: number; end: number; isOpen: boolean } {
  const found = context.findFirst(MESSAGE_LIMITS, from);
  const { length } = context.text;
  if (!found) return { bodyEnd: length, end: length, isOpen: true };
  const { start, end } = found;
  const isHeader = [START, CHANNEL].some((token) => context.text.startsWith(token, start));
  return { bodyEnd: start, end: isHeader ? start : end, isOpen: false };
}

interface HarmonyHeader {
  start: number;
  bodyAt: number;
  /** '' when the header has none; the same for the channel. */
  role: string;
  channel: string;
  /** The recipient as written, such as `functions.NAME`. */
  recipient?: string | undefined;
  repairs: readonly RescueRepair[];
  /** Whether the tokens are missing and only the words of the header are left. */
  isStripped: boolean;
}

const MESSAGE = '<|message|>';
const LONGEST_HEADER = 320;
const TOKENS = /<\|(?:start|channel|constrain|message)\|>/g;
const CHANNELS = /\b(analysis|commentary|final)\b/;
const RECIPIENT = /\bto=([\w.\-:/]{1,160})/;
const ROLE = /^\s*<\|start\|>\s*([\w.\-:/]{1,160})/;
/** A header addressed to the model itself, directly before the header that counts. */
const DOUBLED =
  /^(?:<\|start\|>\s?assistant\s{0,4})?<\|channel\|>commentary to=assistant\s{0,4}(?=<\|(?:channel|start)\|>)/;
/** What may precede the recipient in a header, as in the format's `leads`. Where tokens are missing, the words are joined. */
const BEFORE = /(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>)?(?:commentary|analysis|assistant)? ?$/i;
/** What may be between the recipient and the body. */
const AFTER =
  /^\s{0,8}(?:<\|channel\|>)?\s{0,4}(commentary|analysis)?\s{0,4}(?:<\|constrain\|>)?\s{0,4}(?:json|code)?\s{0,4}(<\|message\|>)?\s{0,8}/;
const RUN_IN = /(?:commentary|analysis)?(?:json|code)?$/;

/** Reads the header at `at`; null when no message begins there. */
function readHeader(context: RescueContext, at: number): HarmonyHeader | null {
  const { text } = context;
  const window = text.slice(at, at + LONGEST_HEADER);
  const [doubled] = DOUBLED.exec(window) ?? [];
  if (doubled !== undefined) {
    const header = readHeader(context, at + doubled.length);
    return header && { ...header, start: at };
  }
  const message = window.indexOf(MESSAGE);
  const brace = window.indexOf('{');
  const isStripped = message === -1 || (brace !== -1 && brace < message);
  const length = isStripped ? brace : message;
  if (length === -1) return readCutHeader(text, at);
  const header = window.slice(0, length);
  const words = header.replaceAll(TOKENS, ' ');
  if (words.includes('<|')) return null;
  const role = ROLE.exec(header)?.[1] ?? '';
  const channel = CHANNELS.exec(words)?.[1] ?? '';
  const recipient = RECIPIENT.exec(words)?.[1];
  if (channel === '' && recipient === undefined && role === '') return null;
  if (isStripped && (recipient === undefined || words.includes('\n'))) return null;
  const bodyAt = at + length + (isStripped ? 0 : MESSAGE.length);
  const repairs = isStripped ? [{ kind: 'stripped-special-tokens', at }] : [];
  const addressee = role.includes('.') ? undefined : recipient;
  return { start: at, bodyAt, role, channel, recipient: addressee, repairs, isStripped: false };
}

/** Reads the header of a call in which the text ends. */
function readCutHeader(text: string, at: number): HarmonyHeader | null {
  const isEnd = text.length - at < LONGEST_HEADER;
  const found = isEnd ? CUT_HEADER.exec(text.slice(at).replaceAll(TOKENS, ' ')) : null;
  if (!found) return null;
  const [, channel = '', recipient] = found;
  const bodyAt = text.length;
  return { start: at, bodyAt, role: '', channel, recipient, repairs: [], isStripped: false };
}

const CUT_HEADER =
  /^\s*(?:assistant\s*)?(?:(analysis|commentary)\s*)?to=([\w.\-:/]{1,160})\s*(?:(?:json|code)\s*)?(?:<[^>]{0,16})?$/;

/** Finds a header without its first tokens: `commentary to=functions.NAME json{…}`. `at` is the offset of the `=`. */
function findAddress(context: RescueContext, at: number): HarmonyHeader | null {
  const { text, consumedTo } = context;
  if (text.charAt(at - 1) !== 'o' || text.charAt(at - 2) !== 't') return null;
  const window = text.slice(at - 2, at + LONGEST_HEADER);
  const written = RECIPIENT.exec(window);
  if (written?.index !== 0) return null;
  const recipient = cutRunIn(context, written[1] ?? '');
  const rest = AFTER.exec(window.slice(3 + recipient.length));
  const [whole = '', channel = '', message] = rest ?? [];
  const bodyAt = at + 1 + recipient.length + whole.length;
  if (message === undefined && text.charAt(bodyAt) !== '{') return null;
  const before = text.slice(Math.max(consumedTo, at - 2 - LONGEST_BEFORE), at - 2);
  const start = skipWhite(text, at - 2 - (BEFORE.exec(before)?.[0].length ?? 0));
  const lead = text.slice(start, at - 2).trim();
  // The part with the role may be in the prompt, or be left out after the end of another message.
  const isBare = lead === '' && message !== undefined;
  const isHeader = isBare && (skipWhite(text, 0) === start || endsMessageAt(text, start));
  if (lead === '' && channel === '' && !isHeader) return null;
  const isWhole = isHeader || (isBare && skipWhite(text, consumedTo) >= start);
  const repairs = isWhole ? [] : [{ kind: 'stripped-special-tokens', at: start }];
  return { start, bodyAt, role: '', channel, recipient, repairs, isStripped: message === undefined };
}

const LONGEST_BEFORE = 48;
const MESSAGE_ENDED = /<\|(?:end|eom|eot|call)\|>\s{0,8}$/;
const LONGEST_MESSAGE_END = 16;

const endsMessageAt = (text: string, at: number): boolean =>
  MESSAGE_ENDED.test(text.slice(Math.max(0, at - LONGEST_MESSAGE_END), at));

/** Removes words that are joined to the end of the name, such as `json`, if the rest is the name of an offered tool. */
function cutRunIn({ tools }: RescueContext, written: string): string {
  if (tools.resolve(written)) return written;
  const cut = written.replace(RUN_IN, '');
  return cut !== '' && tools.resolve(cut) ? cut : written;
}
