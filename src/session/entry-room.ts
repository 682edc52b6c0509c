// How much of a lane's entries crosses to a front end at once. A server may fill every reply to its limit, and a frame of
// hundreds of megabytes would freeze both sides. Knows no lane.
import type { LaneEntry } from '../protocol';
import { toWholeCharacter } from './run/run-record';

/** UTF-16 units of a lane in one frame, as JSON. */
const MAX_ROOM = 2_000_000;
/** Of a message for which there is no room; the rest is read on demand. */
const MAX_HEAD = 200;

/** Of one frame. */
export class EntryRoom {
  #left = MAX_ROOM;

  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** @returns whether the entry fits; the first one always does */
  take(entry: LaneEntry): boolean {
    const length = lengthOf(entry);
    if (length > this.#left && this.#left < MAX_ROOM) return false;
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

/** The latest whole; the others in short, from the first one on that does not fit: they are read when they come into view. */
export function fitEntries(entries: readonly LaneEntry[]): LaneEntry[] {
  const room = new EntryRoom();
  let isOver = false;
  return entries
    .toReversed()
    .map((entry) => {
      isOver ||= !room.take(entry);
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
  // what is still under way cannot be read on demand
  return outcome || entry.isStored ? { ...rest, results: {}, isStored: true } : entry;
}
