// The second half of what `text/loops.ts` begins. A model in a loop writes the same words thousands of times; of such a loop only
// the first and the last rounds are read. Here, what was found in one unit of rounds is repeated for the rounds that were left out,
// and everything behind them is moved to its place in the whole text. Independent of formats.
import type { RescuedCall, RescueRejection } from '../../../types';
import { createCallId } from '../../util/ids';
import { isRecord, setOwn } from '../../util/json';
import { LOOP_HEAD } from '../text/loops';
import type { Loop } from '../text/loops';
import type { Span } from '../text/cut-text';

/** What a report is made of. */
export interface ReportParts {
  /** In the order of the text. */
  calls: RescuedCall[];
  /** In the order of the text. */
  rejected: RescueRejection[];
  /** What is no part of the content. */
  cuts: Span[];
  thoughts: Span[];
}

/** A loop with the place where the rounds that were left out are put back: the same was found in the unit before and after it. */
interface Seam extends Loop {
  seam: number;
}

type ToPlace = (place: number) => number;
type MoveItem<Item> = (item: Item, toPlace: ToPlace) => Item;

/**
 * The parts with those of the rounds that were left out. If no call is made in a loop, what was rejected in its first
 * rounds is not repeated. Undefined if what was found in a loop differs from round to round, or if a loop is part of a call: the
 * whole text has to be read then.
 */
export function unfoldLoops(parts: ReportParts, loops: readonly Loop[]): ReportParts | undefined {
  const seams: Seam[] = [];
  let { rejected } = parts;
  for (const loop of loops) {
    const seam = findSeam(parts, loop);
    if (seam === undefined) return undefined;
    seams.push({ ...loop, seam });
    const isSilent = !parts.calls.some(({ start }) => isWithin(start, seam - loop.unit, seam));
    if (isSilent) rejected = withoutRepeated(rejected, loop);
  }
  return {
    calls: unfold(parts.calls, seams, moveCall, repeatCall),
    rejected: unfold(rejected, seams, moveRejection),
    cuts: unfold(parts.cuts, seams, moveSpan),
    thoughts: unfold(parts.thoughts, seams, moveSpan),
  };
}

const isWithin = (at: number, from: number, to: number): boolean => at >= from && at < to;

/** An offset in the loop with the same findings, at the same distances, in the unit before it and in the one after it. */
function findSeam(parts: ReportParts, loop: Loop): number | undefined {
  const { start, unit } = loop;
  const from = start + LOOP_HEAD + unit;
  const near = (item: Span): boolean => item.end > from - unit && item.start < from + 2 * unit;
  const calls = parts.calls.filter(near);
  const rejected = parts.rejected.filter(near);
  const spans = [...parts.cuts, ...parts.thoughts].filter(near);
  const starts = [...calls, ...rejected, ...spans]
    .map((item) => item.start)
    .filter((at) => isWithin(at, from, from + unit));
  return [...new Set([from, ...starts])].find(
    (at) =>
      !calls.some((call) => call.start < at && call.end > at + unit) &&
      isSeam(calls, at, loop, moveCall) &&
      isSeam(rejected, at, loop, moveRejection) &&
      isSeam(spans, at, loop, moveSpan),
  );
}

function isSeam<Item extends Span>(
  items: readonly Item[],
  seam: number,
  { unit, end }: Loop,
  move: MoveItem<Item>,
): boolean {
  const before = items.filter(({ start }) => isWithin(start, seam - unit, seam));
  const after = items.filter(({ start }) => isWithin(start, seam, seam + unit));
  const toNext: ToPlace = (place) => (place > seam + unit ? place : place + unit);
  const describe = (item: Item | undefined, toPlace: ToPlace): string =>
    item ? JSON.stringify({ ...move(item, toPlace), id: '' }) : '';
  return (
    before.length === after.length &&
    before.every((item, index) => describe(item, toNext) === describe(after[index], (place) => place)) &&
    // Whatever began before these two units ends before them or covers the rest of the loop; it does not end in the middle.
    items.every((item) => item.start >= seam - unit || item.end <= seam + unit || item.end >= end - unit)
  );
}

/**
 * Moves the items to their places in the whole text, and adds those of the rounds that were left out.
 * @param repeat makes the item of such a round; calls get an id of their own
 */
function unfold<Item extends Span>(
  items: readonly Item[],
  seams: readonly Seam[],
  move: MoveItem<Item>,
  repeat = move,
): Item[] {
  const sorted = items.toSorted((one, other) => one.start - other.start);
  const unfolded: Item[] = [];
  let index = 0;
  let before = 0;
  for (const [count, { seam, unit, removed }] of seams.entries()) {
    const following = seams.slice(count);
    const first = index;
    for (const stay = toPlaces(following, before, 0); (sorted[index]?.start ?? seam) < seam; index += 1)
      unfolded.push(move(sorted[index] as Item, stay));
    const round = sorted.slice(first, index).filter(({ start }) => start >= seam - unit);
    for (let by = unit; round.length > 0 && by <= removed; by += unit) {
      const toPlace = toPlaces(following, before, by);
      for (const item of round) unfolded.push(repeat(item, toPlace));
    }
    before += removed;
  }
  for (const item of sorted.slice(index)) unfolded.push(move(item, toPlaces([], before, 0)));
  return unfolded;
}

/**
 * Turns an offset in the shortened text into one in the whole text.
 * @param seams the loops from here on: an offset behind one of them, such as the end of a span that began before, moves by all
 * that was left out of it
 * @param before number of characters that were left out before these loops
 * @param by how much later the round begins that is put back; 0 for the rounds that were read
 */
const toPlaces =
  (seams: readonly Seam[], before: number, by: number): ToPlace =>
  (place) => {
    const [next] = seams;
    let moved = place + before;
    if (!next || place <= next.seam + next.unit) return moved + by;
    for (const { seam, unit, removed } of seams) if (place > seam + unit) moved += removed;
    return moved;
  };

/** Leaves out what was rejected for the same reason at the same place of the unit before. */
function withoutRepeated(
  rejected: readonly RescueRejection[],
  { start, end, unit }: Loop,
): RescueRejection[] {
  const known = new Set(
    rejected.filter((item) => isWithin(item.start, start, end)).map((item) => toKey(item, item.start)),
  );
  return rejected.filter((item) => item.start >= end || !known.has(toKey(item, item.start - unit)));
}

const toKey = ({ format, reason, name }: RescueRejection, at: number): string =>
  [at, format, reason, name].join();

const moveSpan = ({ start, end }: Span, toPlace: ToPlace): Span => ({
  start: toPlace(start),
  end: toPlace(end),
});

/** With arguments of its own, because the caller may change them. */
const moveCall = (call: RescuedCall, toPlace: ToPlace, id = call.id): RescuedCall => ({
  ...call,
  id,
  arguments: copyJson(call.arguments),
  start: toPlace(call.start),
  end: toPlace(call.end),
  repairs: call.repairs.map((repair) => ({ ...repair, at: toPlace(repair.at) })),
  ...(call.schemaIssues && { schemaIssues: call.schemaIssues.map((issue) => ({ ...issue })) }),
});

const repeatCall: MoveItem<RescuedCall> = (call, toPlace) => moveCall(call, toPlace, createCallId());

const moveRejection = (rejection: RescueRejection, toPlace: ToPlace): RescueRejection => ({
  ...rejection,
  start: toPlace(rejection.start),
  end: toPlace(rejection.end),
  // The sentence also quotes the model. A number before the rejection is part of a quotation, and no offset of ours.
  detail: rejection.detail.replaceAll(/\boffset (\d+)/g, (written, digits: string) =>
    Number(digits) >= rejection.start ? `offset ${toPlace(Number(digits))}` : written,
  ),
});

function copyJson<Value>(value: Value): Value;
function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item));
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key]));
  return copy;
}
