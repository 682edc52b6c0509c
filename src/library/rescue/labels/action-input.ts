// Reads the input after `Action Input:`: an object in JSON or as Python writes it, in a fence or not, or plain text, which
// is the value of the only parameter of the tool that is text. Independent of dialects.
import type { RescueRepair } from '../../../types';
import { findLabelOrFence, readLabel } from './action-label';
import type { ActionLabel } from './action-label';
import { getOwn, parseJson, toRecord } from '../../util/json';
import { requiredParameters } from '../schema/check-arguments';
import { readHeadedCall } from '../json-calls/headed-call';
import { skipWhite } from '../text/white-space';
import { findFenceEnd, readFenceOpening } from '../regions/fence';
import type { RescueContext } from '../core/rescue-context';
import { toSingleEmission } from '../core/rescue-format';
import type { CallsReading, ReadCall, Refusal, RejectionReading } from '../core/rescue-format';
import { findProperties, findTypes } from '../schema/schema-types';

export interface ActionHead {
  name: string;
  start: number;
  /** The label of the input; the label of the observation when there is no input. */
  input: ActionLabel;
  repairs: readonly RescueRepair[];
}

export function readActionInput(context: RescueContext, head: ActionHead): CallsReading | RejectionReading {
  const { text } = context;
  const { name, start, input, repairs } = head;
  if (input.kind !== 'input') return toCalls(head, undefined, input.start);
  const at = skipWhite(text, input.end);
  const next = readEmpty(context, head, at);
  if (next) return next;
  const tick = text.charAt(at) === '`' && !readFenceOpening(text, at) ? '`' : '';
  const ticked = tick === '' ? [] : [{ kind: 'markdown-labels', at }];
  const keyed = findKeyed(context, name, at);
  const leads =
    keyed !== undefined && keyed > at
      ? [{ kind: 'broken-tag', at, note: 'something comes before the object' }]
      : [];
  const bodyAt = keyed ?? at + tick.length;
  const starts = keyed === undefined ? '{`~' : '{[';
  if (!starts.includes(text.charAt(bodyAt))) return readPlain(context, head, at);
  const called = { name, start, bodyAt, repairs: [...repairs, ...ticked, ...leads] };
  const reading = readHeadedCall(context, called, (end) => ({
    end: text.startsWith(tick, end) ? end + tick.length : end,
    repairs: [],
    isOpen: false,
  }));
  return reading ?? readPlain(context, head, at);
}

/**
 * Where an object in JSON begins, with or without its bracket, or a list of one, directly or behind a colon or the word `json`:
 * its first key is a parameter of the tool. Undefined for any other text.
 */
function findKeyed({ text, tools }: RescueContext, name: string, at: number): number | undefined {
  const [, lead = '', key = ''] = LEAD.exec(text.slice(at, at + LONGEST_LEAD)) ?? [];
  const properties = findProperties(tools.resolve(name)?.tool.parameters);
  return getOwn(properties, key) === undefined ? undefined : at + lead.length;
}

const LONGEST_LEAD = 128;
const LEAD = /^((?:[:：=]|json\b)?\s{0,8})(?:\[\s{0,8})?\{?\s{0,8}["'](\w{1,64})["']\s{0,8}:/i;

/** Reads an input that is missing: nothing, or directly the next label. At the end of the text it may have been cut off. */
function readEmpty(context: RescueContext, head: ActionHead, at: number): CallsReading | undefined {
  const { text } = context;
  const { input } = head;
  const lineStart = context.findLineStart(at);
  const label = lineStart > input.end ? readLabel(text, lineStart) : undefined;
  if (label) return toCalls(head, undefined, label.start);
  if (at < text.length) return undefined;
  const isParameterless = findProperties(context.tools.resolve(head.name)?.tool.parameters) === undefined;
  return toCalls(head, undefined, text.length, { isPartial: !isParameterless, isOpen: true });
}

function readPlain(context: RescueContext, head: ActionHead, at: number): CallsReading {
  const { text, meter, tools } = context;
  const { end, isCut } = findInputEnd(text, at);
  meter.spend(at, end);
  const raw = text.slice(at, end);
  const isOpen = end >= text.length;
  const trimmed = context.dialects.trailing.trim(raw);
  const written = isOpen && context.isEnded ? trimmed.replace(STOP_WORD, '').trimEnd() : trimmed;
  if (!tools.resolve(head.name)) return toCalls(head, written, end, { isOpen });
  const key = findOnlyText(context, head.name);
  const isNone = /^(?:none|null)$/i.test(written);
  const isEnded = !isOpen || context.isEnded || raw.endsWith('\n') || written.length < raw.trimEnd().length;
  const isWhole =
    (isEnded || isQuoted(written) || (key === undefined && !isNone)) && !(isOpen && isQuoteOpen(written));
  if (!isWhole || isCut) return toCalls(head, undefined, end, { isOpen, refusal: CUT_INPUT });
  if (isNone) return toCalls(head, undefined, end, { isOpen });
  const isDamaged = findKeyed(context, head.name, at) !== undefined;
  if (isDamaged) return toCalls(head, undefined, end, { isOpen, refusal: DAMAGED_INPUT });
  return key === undefined
    ? toCalls(head, written, end, { isOpen, refusal: PLAIN_INPUT })
    : toCalls(head, { [key]: unquote(written) }, end, { isOpen });
}

/** The word at which the server stops, and which some servers include. In a reply that was cut it may be an input. */
const STOP_WORD = /\n[ \t]{0,8}Observation\s{0,8}$/;

/**
 * The end of a plain input: the next label. A fence in the text belongs to it, but not the end of a fence around all this.
 */
function findInputEnd(text: string, from: number): { end: number; isCut: boolean } {
  let end = findLabelOrFence(text, from);
  for (let fence = readFenceOpening(text, end); fence; fence = readFenceOpening(text, end)) {
    const close = findFenceEnd(text, fence.bodyStart, fence);
    const isClosed = text.slice(fence.bodyStart, close).trimEnd().endsWith(fence.marker);
    if (!isClosed)
      return { end: fence.infoString === '' ? end : text.length, isCut: fence.infoString !== '' };
    end = findLabelOrFence(text, close);
  }
  return { end, isCut: false };
}

/** Whether a quote or a code span was opened and not closed. */
const isQuoteOpen = (written: string): boolean =>
  written.split('"').length % 2 === 0 ||
  (written.startsWith('`') && (!written.endsWith('`') || !/[^`]/.test(written)));

const isQuoted = (written: string): boolean => unquote(written) !== written;

/** Plain text has no end of its own: half a path or half a command looks like a complete one. */
const CUT_INPUT: Refusal = {
  reason: 'truncated',
  detail: 'The input is plain text up to the end of the reply, and may go on. Nothing was run.',
  hint: 'A line break after it, or the server’s word that the model stopped, would show that it is whole.',
};

const PLAIN_INPUT: Refusal = {
  reason: 'invalid-arguments',
  detail: 'The input is plain text, and the tool has not exactly one parameter that is text.',
  hint: 'Ask for the input as a JSON object.',
};

const DAMAGED_INPUT: Refusal = {
  reason: 'malformed',
  detail: 'The input begins with a key of an object in JSON, but without its bracket.',
};

/** The text without its quotes, if they are around all of it. */
function unquote(written: string): string {
  const decoded = written.startsWith('"') ? parseJson(written) : undefined;
  if (typeof decoded === 'string') return decoded;
  return /^'[^']*'$/.test(written) ? written.slice(1, -1) : written;
}

/** Name of the parameter that is text, if the tool has exactly one of these and requires nothing else. */
export function findOnlyText(context: RescueContext, name: string): string | undefined {
  const schema = context.tools.resolve(name)?.tool.parameters;
  const texts = Object.entries(findProperties(schema) ?? {}).filter(([, property]) =>
    findTypes(property, schema).includes('string'),
  );
  const [key] = texts[0] ?? [];
  const others = requiredParameters(toRecord(schema)).filter((item) => item !== key);
  return texts.length === 1 && others.length === 0 ? key : undefined;
}

type CallState = Pick<ReadCall, 'isPartial' | 'refusal'> & { isOpen?: boolean };

function toCalls(
  { name, start, repairs }: ActionHead,
  value: unknown,
  end: number,
  { isOpen = false, ...state }: CallState = {},
): CallsReading {
  const call = { name, arguments: value, start, end, repairs: [], ...state };
  return toSingleEmission(call, { repairs, isOpen });
}
