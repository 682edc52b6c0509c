// From a block of JSON to what a format gives the driver. Knows no wrapper and no tool list.
import { decodeJsonText, readTolerant } from './json/read-json';
import type { BlockElement, CallBlock } from './call-block';
import { readEnvelope } from './envelope';
import type { EnvelopeCall } from './envelope';
import { CUT_HINT } from './judge-call';
import type { RescueContext } from './rescue-context';
import type { ReadCall, RejectionReading } from './rescue-format';

/** The calls in the block's elements, in order; what is not shaped like a call is left out. */
export function readBlockCalls(context: RescueContext, block: CallBlock): ReadCall[] {
  return block.elements.flatMap((element) => readElementCalls(context, element));
}

function readElementCalls(context: RescueContext, element: BlockElement): ReadCall[] {
  const { reading, start, end } = element;
  const isText = typeof reading.value === 'string';
  const value = isText ? decodeJsonText(reading.value as string) : reading.value;
  let calls = readEnvelope(value);
  let { spans } = reading;
  if (calls.length > 1 && !spans && !isText) {
    // only now is it worth knowing where each of them stands
    const located = readTolerant(context, start);
    calls = readEnvelope(located.value);
    spans = located.spans;
  }
  const doubled = isText ? [{ kind: 'double-encoded', at: start }] : [];
  return calls.map((call, index) => ({
    name: call.name,
    arguments: call.arguments,
    id: call.id,
    refusal: call.refusal,
    ...(calls.length > 1 ? (spans?.get(call.node) ?? share(element, index, calls.length)) : { start, end }),
    repairs: index === 0 ? [...reading.repairs, ...doubled] : [],
    isPartial: reading.isPartial,
  }));
}

/** Calls inside one string have no place of their own, but spans must differ: a character each, the rest to the last. */
function share({ start, end }: BlockElement, index: number, count: number): { start: number; end: number } {
  return { start: start + index, end: index === count - 1 ? end : start + index + 1 };
}

/** The first call in what was read before the reading failed: to say whose call it was. */
export function findFailedCall(block: CallBlock): EnvelopeCall | undefined {
  return block.failure && readEnvelope(block.failure.value)[0];
}

/** What to say of the element that could not be read. `end` is where the walk should go on. */
export function toRejection(block: CallBlock, start: number, end: number): RejectionReading | undefined {
  const { failure } = block;
  if (!failure) return undefined;
  const name = findFailedCall(block)?.name;
  const whose = name === undefined ? 'A call' : `The call of \`${name.slice(0, 64)}\``;
  const base = { kind: 'rejection' as const, start, end, ...(name !== undefined && { name }) };
  if (failure.reason === 'truncated') {
    const detail = `${whose} stops inside ${failure.inside}: the reply was cut. Nothing was run.`;
    return { ...base, reason: 'truncated', detail, hint: CUT_HINT };
  }
  if (failure.reason === 'too-deep') {
    return { ...base, reason: 'too-deep', detail: `${whose} is nested more than 128 levels deep.` };
  }
  const detail = `${whose} is no JSON that could be repaired: the reading failed at ${failure.at}, in ${failure.inside}.`;
  return { ...base, reason: 'malformed', detail };
}
