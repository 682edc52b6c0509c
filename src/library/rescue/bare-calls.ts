// Calls in JSON that stands by itself, with nothing around it that says so. Knows no format by name.
import { readCallBlock } from './call-block';
import type { CallBlock } from './call-block';
import { findFailedCall, readBlockCalls, toRejection } from './read-calls';
import { RECORDED } from './envelope';
import { followsCode, lineBefore } from './line-place';
import { IN_PROGRAM } from './pythonic/describe-failure';
import type { RescueContext } from './rescue-context';
import type { CallsReading, Refusal, RejectionReading } from './rescue-format';

/** Tells the forms apart that begin alike: what was read, the elements of lists one by one. */
export type ShapeTest = (values: readonly unknown[], block: CallBlock) => boolean;

/**
 * The calls of the object or list at `at`, or why the call of an offered tool could not be read; null when neither is
 * there or the shape is another form's.
 */
export function readBareCalls(
  context: RescueContext,
  at: number,
  isOurs?: ShapeTest,
): CallsReading | RejectionReading | null {
  const block = readCallBlock(context, at);
  if (!block || (isOurs && !isOurs(toValues(block), block))) return null;
  const refusal = findObjection(context.text, at);
  const read = readBlockCalls(context, block);
  const calls = refusal ? read.map((call) => ({ ...call, refusal: call.refusal ?? refusal })) : read;
  const failure = isOfferedFailure(context, block)
    ? toRejection(block, calls.at(-1)?.end ?? at, endOfLine(context, block.end))
    : undefined;
  if (calls.length === 0) return failure ?? null;
  return {
    kind: 'calls',
    start: at,
    end: failure?.start ?? (block.failure ? lastEnd(block, at) : block.end),
    calls,
    repairs: block.repairs,
    isOpen: block.isOpen,
    failure,
  };
}

/** Data of a program, or the line of a recorded conversation. */
function findObjection(text: string, at: number): Refusal | undefined {
  if (followsCode(text, at)) return IN_PROGRAM;
  const isMessage = MESSAGE.test(text.slice(at, at + 16));
  return isMessage && PAST_MESSAGE.test(lineBefore(text, at).line) ? RECORDED : undefined;
}

const MESSAGE = /^\{ ?"role"/;
const PAST_MESSAGE = /"role": ?"(?:user|system|developer|tool|function)".{0,200}\}$/;

/** What was read of a failed one is enough to tell what it would have been. */
function toValues({ elements, failure }: CallBlock): unknown[] {
  const values = elements.map(({ reading }) => reading.value);
  return (failure ? [...values, failure.value] : values).flat();
}

/** Braces are everywhere: a failed reading is worth a word only when it was about to call an offered tool. */
function isOfferedFailure(context: RescueContext, block: CallBlock): boolean {
  const name = findFailedCall(block)?.name;
  return name !== undefined && context.tools.resolve(name) !== undefined;
}

// what follows the damage on its line is still the argument, whatever it looks like
function endOfLine(context: RescueContext, at: number): number {
  const next = context.find('\n', at);
  return next === -1 ? context.text.length : next;
}

const lastEnd = (block: CallBlock, at: number): number => block.elements.at(-1)?.end ?? at + 1;
