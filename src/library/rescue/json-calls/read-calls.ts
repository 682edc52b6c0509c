// Turns a block of JSON into the calls and rejections that a format returns. Independent of wrappers and offered tools.
import type { RescueRepair } from '../../../types';
import { isRecord } from '../../util/json';
import type { BlockElement, CallBlock, JsonReading, JsonRole, ReadFailure } from '../core/json-reading';
import { describeFailure } from '../core/refusals';
import type { RescueContext } from '../core/rescue-context';
import { MOST_CALLS, toRejectionReading } from '../core/rescue-format';
import type { ReadCall, RejectionReading, SchemaIssue } from '../core/rescue-format';
import { decodeJsonText } from '../json/read-json';
import { readTolerant } from '../json/tolerant-reader';
import { toPath, WRITTEN_AGAIN } from '../schema/check-arguments';
import type { Span } from '../text/cut-text';
import { DOUBLED, isConversation, readEnvelope, RECORDED } from './envelope';
import type { EnvelopeCall } from './envelope';

/** How to find the calls in a value. */
export interface CallShape {
  role: JsonRole;
  read(value: unknown): EnvelopeCall[];
}

/** All shapes that servers and models give a call. */
export const ENVELOPE: CallShape = { role: 'call', read: readEnvelope };

/** The calls in the elements of the block, in order. What is not shaped like a call is left out. */
export function readBlockCalls(
  context: RescueContext,
  block: CallBlock,
  shape: CallShape = ENVELOPE,
): ReadCall[] {
  const [first] = block.elements;
  if (first && block.elements.length === 1) return readElementCalls(context, first, shape);
  const calls: ReadCall[] = [];
  for (const element of block.elements) {
    if (calls.length > MOST_CALLS) break;
    for (const call of readElementCalls(context, element, shape)) calls.push(call);
  }
  const isPast = isConversation(block.elements.map(({ reading }) => reading.value));
  return isPast ? calls.map((call) => ({ ...call, refusal: call.refusal ?? RECORDED })) : calls;
}

/** The calls in one value. */
export function readElementCalls(
  context: RescueContext,
  element: BlockElement,
  shape: CallShape,
): ReadCall[] {
  const { reading, start } = element;
  if (reading.failure) return [toBadCall(element, reading.failure, shape)];
  const isText = typeof reading.value === 'string';
  const value = isText ? decodeJsonText(reading.value as string) : reading.value;
  let calls = shape.read(value);
  let again = reading;
  if (calls.length > 1 && calls.length <= MOST_CALLS && !reading.spans && !isText) {
    // Only now are the offsets of each call worth a second reading.
    again = readTolerant(context, start, shape.role);
    calls = shape.read(again.value);
  }
  const repairs = isText ? [...reading.repairs, { kind: 'double-encoded', at: start }] : reading.repairs;
  const [lone] = calls;
  if (lone && calls.length === 1) {
    const written = { start, reading, role: shape.role };
    const twice = isText ? reading : readTwice(context, written, [lone.arguments, lone.node]);
    const call = toReadCall(lone, element, element, repairs, toIssues(twice));
    return [twice.doubled?.size ? { ...call, refusal: call.refusal ?? DOUBLED } : call];
  }
  return calls.slice(0, MOST_CALLS + 1).map((call, index) => {
    const place = again.spans?.get(call.node) ?? share(element, index, calls.length);
    const read = toReadCall(call, element, place, index === 0 ? repairs : []);
    return again.doubled?.has(call.node) ? { ...read, refusal: read.refusal ?? DOUBLED } : read;
  });
}

function toReadCall(
  call: EnvelopeCall,
  { reading }: BlockElement,
  { start, end }: Span,
  repairs: readonly RescueRepair[],
  issues?: readonly SchemaIssue[],
): ReadCall {
  return {
    name: call.name,
    arguments: call.arguments,
    id: call.id,
    refusal: call.refusal,
    start,
    end,
    repairs,
    issues,
    isTextInput: isTextInput(call),
    isPartial: reading.isPartial,
    otherKeys: call.otherKeys,
  };
}

/** Arguments may be text only under the keys that agents use. */
const isTextInput = ({ node, arguments: written }: EnvelopeCall): boolean =>
  typeof written === 'string' && Object.hasOwn(node, 'action') && Object.hasOwn(node, 'action_input');

/** The refused call for an element of a list that could not be read. */
function toBadCall({ reading, start, end }: BlockElement, failure: ReadFailure, shape: CallShape): ReadCall {
  const name = shape.read(reading.value)[0]?.name;
  const refusal = describeFailure(failure, name, { language: 'JSON', isCut: false });
  return { name: name ?? '', arguments: undefined, start, end, repairs: [], refusal };
}

/**
 * Calls inside one string have no offsets of their own, but spans must differ: each gets a character, the last one the rest.
 */
function share({ start, end }: BlockElement, index: number, count: number): Span {
  return { start: start + index, end: index === count - 1 ? end : start + index + 1 };
}

/** The first call in what was read before the failure, which tells whose call it was. */
export function findFailedCall(block: CallBlock, shape: CallShape = ENVELOPE): EnvelopeCall | undefined {
  return block.failure && shape.read(block.failure.value)[0];
}

/**
 * The rejection of the element that could not be read.
 * @param end Where the walk should continue.
 * @param isCut False when the closer of the call follows, so that the reply continues.
 */
export function toRejection(
  block: CallBlock,
  start: number,
  end: number,
  isCut = true,
  shape: CallShape = ENVELOPE,
): RejectionReading | undefined {
  const { failure } = block;
  if (!failure) return undefined;
  const name = findFailedCall(block, shape)?.name;
  const refusal = describeFailure(failure, name, { language: 'JSON', isCut });
  return toRejectionReading({ start, end }, name, refusal);
}

interface Written {
  start: number;
  reading: JsonReading;
  role: JsonRole;
}

/**
 * Reads the value again if a key of these objects may have been written twice, because JSON silently uses the last value.
 * That is nearly never the case.
 */
function readTwice(
  context: RescueContext,
  { start, reading, role }: Written,
  objects: readonly unknown[],
): JsonReading {
  const { text } = context;
  const mayRepeat = objects.some((value) => isRecord(value) && hasKeyTwice(text, start, reading.end, value));
  return !reading.repeated && mayRepeat ? readTolerant(context, start, role) : reading;
}

/** The issues of arguments whose key was written twice. */
export const findRepeatedKeys = (context: RescueContext, written: Written): SchemaIssue[] | undefined =>
  toIssues(readTwice(context, written, [written.reading.value]));

function toIssues({ repeated }: JsonReading): SchemaIssue[] | undefined {
  if (!repeated || repeated.length === 0) return undefined;
  return [...new Set(repeated)].map((key) => ({ path: toPath(key), message: WRITTEN_AGAIN }));
}

/** Whether any key may occur twice. An occurrence may be in a value; only a second reading tells. */
function hasKeyTwice(text: string, start: number, end: number, value: Record<string, unknown>): boolean {
  const written = text.slice(start, end);
  const keys = Object.keys(value);
  // A search for each of many keys takes longer than a second reading.
  if (keys.length > MAX_SEARCHED_KEYS) return true;
  return keys.some((key) => {
    const quoted = `"${key}"`;
    const first = written.indexOf(quoted);
    return first !== -1 && written.includes(quoted, first + quoted.length);
  });
}

const MAX_SEARCHED_KEYS = 64;
