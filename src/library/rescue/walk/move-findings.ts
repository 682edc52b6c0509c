// Moves what was found in one round of a loop to another round. Independent of what decides about it.
import { isRecord, setOwn } from '../../util/json';
import type { Span } from '../text/cut-text';
import type { Candidate, LoopRun } from './findings';
import type { RescueRepair } from '../../../types';
import type { CallsReading, ReadCall } from '../core/rescue-format';

/** The candidates of all rounds, in order. */
export function* candidatesOf({ round, from, length, count }: LoopRun): Generator<Candidate> {
  for (let shift = length; shift <= count * length; shift += length)
    for (const candidate of round) yield moveCandidate(candidate, shift, from);
}

/** @param from Start of the round. A code fence that opened before it is the same for all rounds. */
export function moveCandidate(candidate: Candidate, by: number, from: number): Candidate {
  const { format, reading, region, fence, isFirstInFence, opensFence } = candidate;
  const moved = reading.kind === 'calls' ? moveReading(reading, by) : moveRejection(reading, by);
  if (!fence) return { format, reading: moved, region };
  const isInner = fence.start >= from;
  const around = isInner ? { ...fence, start: fence.start + by, end: fence.end + by } : fence;
  return { format, reading: moved, region, fence: around, isFirstInFence, opensFence };
}

// No spread, because a loop may have 40,000 calls, and copying an object with so many properties is slow. Without
// `inventedTo`, which is part of the end by now and differs between the rounds of a loop.
function moveReading(reading: CallsReading, by: number): CallsReading {
  const { evidence, needsEnd, isStatement, isOpen, isWhole, failure, thought } = reading;
  return {
    kind: 'calls',
    start: reading.start + by,
    end: reading.end + by,
    calls: reading.calls.map((call) => moveCall(call, by)),
    repairs: moveRepairs(reading.repairs, by),
    evidence,
    needsEnd,
    isStatement,
    isOpen,
    isWhole,
    failure: failure && moveRejection(failure, by),
    thought: thought && moveSpan(thought, by),
  };
}

function moveCall(call: ReadCall, by: number): ReadCall {
  const { name, id, start, end, repairs, isPartial, isRecord: isData, isTextInput, issues, refusal } = call;
  return {
    name,
    arguments: copyJson(call.arguments),
    id,
    start: start + by,
    end: end + by,
    repairs: moveRepairs(repairs, by),
    isPartial,
    isRecord: isData,
    isTextInput,
    issues,
    refusal: refusal && { ...refusal, detail: moveOffsets(refusal.detail, by) },
  };
}

export const moveRejection = <Item extends Span & { detail: string }>(rejection: Item, by: number): Item => ({
  ...rejection,
  start: rejection.start + by,
  end: rejection.end + by,
  detail: moveOffsets(rejection.detail, by),
});

export const moveSpan = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

/** Never the same list, because the caller may add to it. */
export const moveRepairs = (repairs: readonly RescueRepair[], by: number): RescueRepair[] =>
  repairs.map((repair) => ({ ...repair, at: repair.at + by }));

/**
 * Moves the offsets that a sentence tells. Text of the model in it may look like one, but is then no longer equal for two
 * rounds, and such rounds are not repeated.
 */
const moveOffsets = (sentence: string, by: number): string =>
  sentence.includes('offset')
    ? sentence.replaceAll(OFFSET, (_, at: string) => `offset ${Number(at) + by}`)
    : sentence;

const OFFSET = /\boffset (\d+)/g;

/** Calls do not share their arguments, because the caller may change them. */
export function copyJson<Value>(value: Value): Value;
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item));
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key]));
  return copy;
}
