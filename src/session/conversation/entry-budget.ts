// Limits how much of a lane's entries is sent to a front end in one frame. A server may fill every reply to its limit, and
// a frame of hundreds of megabytes would freeze both sides. Independent of lanes.
import type { LaneEntry } from '../../protocol';
import { toWholeCharacter } from '../run/record/run-record';

/** Limit of one lane in one frame, in UTF-16 code units of JSON. */
const MAX_LENGTH = 2_000_000;
/** How much is sent of a message that does not fit, in UTF-16 code units; the rest is read on demand. */
const MAX_HEAD = 200;

/** The remaining space of one frame. */
export class EntryBudget {
  #left = MAX_LENGTH;

  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** @returns whether the entry fits; the first one always fits */
  take(entry: LaneEntry): boolean {
    const length = lengthOf(entry);
    if (length > this.#left && this.#left < MAX_LENGTH) return false;
    this.#left -= length;
    return true;
  }
}

const lengths = new WeakMap<LaneEntry, number>();

function lengthOf(entry: LaneEntry): number {
  const length = lengths.get(entry) ?? JSON.stringify(entry).length;
  lengths.set(entry, length);
  return length;
}

/**
 * Keeps the latest entries whole and shortens all before them from the first one that does not fit; they are read on demand.
 */
export function fitEntries(entries: readonly LaneEntry[]): LaneEntry[] {
  const budget = new EntryBudget();
  let isOver = false;
  return entries
    .toReversed()
    .map((entry) => {
      isOver ||= !budget.take(entry);
      return isOver ? shorten(entry) : entry;
    })
    .toReversed();
}

function shorten(entry: LaneEntry): LaneEntry {
  if (entry.kind === 'message') {
    const { content } = entry;
    return content.length <= MAX_HEAD
      ? entry
      : { ...entry, content: content.slice(0, toWholeCharacter(content, MAX_HEAD)) };
  }
  const { outcome, ...rest } = entry;
  // A run in progress cannot be read on demand, so it stays whole.
  return outcome || entry.isStored ? { ...rest, results: {}, isStored: true } : entry;
}
