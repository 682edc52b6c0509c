// Reads calls in JSON that has no markup around it. Independent of particular formats.
import { readCallBlock } from '../json/call-block';
import type { CallBlock } from '../core/json-reading';
import { findFailedCall, readBlockCalls, toRejection } from './read-calls';
import { RECORDED } from './envelope';
import { followsCode } from '../regions/line-position';
import { skipWhiteBefore } from '../text/cut-text';
import { IN_PROGRAM } from '../core/refusals';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading, Refusal, RejectionReading } from '../core/rescue-format';

/**
 * The calls in the object or list at `at`, or why the call of an offered tool could not be read. Null when there is neither,
 * or when the shape belongs to another form.
 * @param isOurs Distinguishes forms that begin alike, by the values that were read; the elements of lists are given one by
 *   one.
 */
export function readBareCalls(
  context: RescueContext,
  at: number,
  isOurs?: (values: readonly unknown[]) => boolean,
): CallsReading | RejectionReading | null {
  const read = readCallBlock(context, at);
  const block = read && withoutRest(read);
  if (!block || (isOurs && !isOurs(toValues(block)))) return null;
  const refusal = findObjection(context, at);
  const found = readBlockCalls(context, block);
  const calls = refusal ? found.map((call) => ({ ...call, refusal: call.refusal ?? refusal })) : found;
  // Braces are everywhere, so a failure is only reported if it was about to be a call of an offered tool.
  const failure = context.isTool(findFailedCall(block)?.name ?? '')
    ? toRejection(block, calls.at(-1)?.end ?? at, context.findLineEnd(block.end))
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

/** Without a marker, a list ends where it is damaged. */
function withoutRest(block: CallBlock): CallBlock {
  const index = block.elements.findIndex(({ reading }) => reading.failure);
  const bad = block.elements[index];
  if (!bad?.reading.failure) return block;
  const failure = { ...bad.reading.failure, value: bad.reading.value };
  return { ...block, elements: block.elements.slice(0, index), end: bad.reading.end, failure };
}

/** Refuses the data of a program, or a line of a recorded conversation. */
function findObjection(context: RescueContext, at: number): Refusal | undefined {
  const { text } = context;
  if (followsCode(text, at)) return IN_PROGRAM;
  const isMessage = MESSAGE.test(text.slice(at, at + 16));
  return isMessage && isPastMessage(context, skipWhiteBefore(text, at)) ? RECORDED : undefined;
}

/** Whether the line that ends at `end` is a message of someone other than the model, whatever the order of its keys. */
function isPastMessage(context: RescueContext, end: number): boolean {
  const { text } = context;
  const start = text.charAt(end - 1) === '}' ? context.findLineStart(end) : end;
  if (text.charAt(start) !== '{') return false;
  return [text.slice(start, start + LONGEST_ROLE), text.slice(Math.max(start, end - LONGEST_ROLE), end)].some(
    (piece) => PAST_ROLE.test(piece),
  );
}

const LONGEST_ROLE = 96;
const MESSAGE = /^\{ ?"(?:role|content|tool_calls)"/;
const PAST_ROLE = /"role": ?"(?:user|system|developer|tool|function)"/;

/** What was read of a failed value is enough to tell what it would have been. */
function toValues({ elements, failure }: CallBlock): unknown[] {
  const values = elements.map(({ reading }) => reading.value);
  return (failure ? [...values, failure.value] : values).flat();
}

const lastEnd = (block: CallBlock, at: number): number => block.elements.at(-1)?.end ?? at + 1;
