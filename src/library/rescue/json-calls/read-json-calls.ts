// Whole calls in JSON behind an opener: one object, a list, or several in a row, up to the closer. The spelling is
// data; it knows no format by name.
import type { RescueRepair } from '../../../types';
import { readCallBlock } from '../call-block';
import { readCallCloser } from '../call-closer';
import type { Closer } from '../call-closer';
import { readFenceClosing, readFenceOpening } from '../fence';
import type { FenceOpening } from '../fence';
import { skipWhite } from '../json/blank';
import { readBlocks } from '../read-blocks';
import type { BlockRun } from '../read-blocks';
import { ENVELOPE, readBlockCalls, toRejection } from '../read-calls';
import type { RescueContext } from '../rescue-context';
import type { CallsReading, FormatReading, ReadCall } from '../rescue-format';
import type { JsonSpelling } from './json-spelling';
import { matchLiteral, skipToken } from './token';

/** An object, a list, a string that holds one, a fence around one. */
const BODY_STARTS = '{["\'“`~';

export interface JsonEmission {
  start: number;
  /** The literal that opened it, which some models write again to close it; '' when there is none. */
  opener: string;
  /** After the opener. */
  from: number;
  /** Damage of the opener. */
  repairs: readonly RescueRepair[];
}

interface Body {
  emission: JsonEmission;
  spelling: JsonSpelling;
  run: BlockRun;
  calls: readonly ReadCall[];
  repairs: readonly RescueRepair[];
}

/** Null when no JSON that could hold a call follows: the body is another format's. */
export function readJsonCalls(
  context: RescueContext,
  emission: JsonEmission,
  spelling: JsonSpelling,
): FormatReading | null {
  const { text } = context;
  const repairs: RescueRepair[] = [...emission.repairs];
  let from = skipWhite(text, skipTokens(text, emission.from, spelling, repairs));
  if (!BODY_STARTS.includes(text.charAt(from)) || from >= text.length) return null;
  const fence = readFenceOpening(text, from);
  if (fence && !spelling.isFenced) repairs.push({ kind: 'code-fence', at: from });
  if (fence) from = skipWhite(text, fence.bodyStart);
  const { shape = ENVELOPE } = spelling;
  const run = readBlocks(context, from, shape.role);
  if (!run) return null;
  const calls: ReadCall[] = [];
  for (const block of run.blocks) for (const call of readBlockCalls(context, block, shape)) calls.push(call);
  const body: Body = { emission, spelling, run, calls, repairs: [...repairs, ...run.repairs] };
  return run.failure ? toFailedReading(context, body) : toReading(context, body, fence);
}

function toReading(context: RescueContext, body: Body, fence: FenceOpening | undefined): FormatReading {
  const { text } = context;
  const { emission, run, spelling } = body;
  if (body.calls.length === 0 && run.blocks.some(({ elements }) => elements.length > 0)) {
    const detail = `The JSON at offset ${run.blocks[0]?.start ?? emission.from} names no tool.`;
    return { kind: 'rejection', start: emission.start, end: run.end, reason: 'malformed', detail };
  }
  const rest = spelling.readRest?.(context, run.end, body.calls);
  const { start } = emission;
  const { failure } = rest ?? {};
  const calls = withoutUsual(rest?.calls ?? body.calls, spelling);
  if (failure && calls.length === 0) return { ...failure, start };
  if (rest && failure)
    return { kind: 'calls', start, end: rest.end, calls, repairs: body.repairs, isOpen: false, failure };
  const bodyEnd = rest?.end ?? run.end;
  const afterFence = fence ? readFenceClosing(text, bodyEnd, fence) : bodyEnd;
  const closer = readCloser(text, afterFence, body);
  const isFenceOpen = fence !== undefined && afterFence === bodyEnd && spelling.isFenced === true;
  if (isFenceOpen) closer.repairs.unshift({ kind: 'missing-close-tag', at: bodyEnd });
  const repairs = closer.repairs.length > 0 ? [...body.repairs, ...closer.repairs] : body.repairs;
  const isOpen = run.isOpen || closer.isOpen || (isFenceOpen && skipWhite(text, bodyEnd) >= text.length);
  return { kind: 'calls', start, end: closer.end, calls, repairs, isOpen };
}

/** What follows a call that cannot be read may be meant as its argument, so the walk goes on after its closer. */
function toFailedReading(context: RescueContext, body: Body): FormatReading | null {
  const { emission, run, spelling, calls } = body;
  const failed = run.failure;
  if (!failed?.failure) return null;
  const closerEnd = findCloserEnd(context, emission.from, spelling);
  const isTruncated = failed.failure.reason === 'truncated';
  // the closer may be part of the string that never closes
  const end = isTruncated ? failed.end : (closerEnd ?? endOfLine(context, failed.end));
  const failure = toRejection(failed, calls.at(-1)?.end ?? emission.start, Math.max(end, failed.end), {
    ...(spelling.shape && { shape: spelling.shape }),
    isCut: closerEnd === undefined,
  });
  if (!failure || calls.length === 0) return failure ?? null;
  return {
    kind: 'calls',
    start: emission.start,
    end: failure.start,
    calls: withoutUsual(calls, spelling),
    repairs: body.repairs,
    isOpen: false,
    failure,
  };
}

/** The body and its closer are there, the opener is not: many servers swallow it as a special token. */
export function readUnopenedCalls(
  context: RescueContext,
  at: number,
  spelling: JsonSpelling,
): CallsReading | null {
  const { shape = ENVELOPE, closers } = spelling;
  // asked of every bracket by many formats, so that it must cost next to nothing where no closer follows
  const block = readCallBlock(context, at, shape.role);
  if (!block || block.failure || block.isOpen) return null;
  const next = skipWhite(context.text, block.end);
  const closer = closers.find((token) => context.text.startsWith(token, next));
  const calls = closer === undefined ? [] : readBlockCalls(context, block, shape);
  if (closer === undefined || calls.length === 0) return null;
  const repairs = [{ kind: 'missing-open-tag', at }, ...block.repairs];
  return { kind: 'calls', start: at, end: next + closer.length, calls, repairs, isOpen: false };
}

function skipTokens(
  text: string,
  from: number,
  { tokens = [] }: JsonSpelling,
  repairs: RescueRepair[],
): number {
  let at = from;
  for (const token of tokens) {
    const end = skipToken(text, at, token, matchLiteral);
    if (end === -1) repairs.push({ kind: 'missing-open-tag', at });
    else at = end;
  }
  return at;
}

function readCloser(text: string, from: number, { emission, spelling }: Body): Closer {
  const [usual] = spelling.closers;
  if (usual === undefined) return { end: from, repairs: [], isOpen: false };
  for (const token of spelling.closers) {
    const end = skipToken(text, from, token, matchLiteral);
    if (end !== -1) return { end, repairs: [], isOpen: false };
  }
  const again = emission.opener === '' ? -1 : skipToken(text, from, emission.opener, matchLiteral);
  if (again === -1) return readCallCloser(text, from, usual);
  if (opensNext(text, again, emission.opener))
    return { end: from, repairs: [{ kind: 'missing-close-tag', at: from }], isOpen: false };
  return { end: again, repairs: [{ kind: 'wrong-close-tag', at: skipWhite(text, from) }], isOpen: false };
}

/** The opener once more closes the call, unless it opens the next one. */
function opensNext(text: string, after: number, opener: string): boolean {
  const next = skipWhite(text, after);
  return next < text.length && !text.startsWith(opener, next);
}

function withoutUsual(calls: readonly ReadCall[], { usual }: JsonSpelling): readonly ReadCall[] {
  if (!usual) return calls;
  return calls.map((call) => ({
    ...call,
    repairs: call.repairs.filter(({ kind }) => !usual.includes(kind)),
  }));
}

function findCloserEnd(context: RescueContext, from: number, { closers }: JsonSpelling): number | undefined {
  const [close] = closers;
  const at = close === undefined ? -1 : context.find(close, from);
  return close === undefined || at === -1 ? undefined : at + close.length;
}

function endOfLine(context: RescueContext, at: number): number {
  const next = context.find('\n', at);
  return next === -1 ? context.text.length : next;
}
