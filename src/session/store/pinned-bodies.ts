// Chooses the bodies that the limits of the history remove, and those that they do not. Pure.
import type { FileMap } from './file-map';
import { COMPANION } from './record';

export interface CompactLimits {
  maxBodies: number;
  freeBytes: number;
  /** @default true */
  arePinnedKept?: boolean;
}

/**
 * The pinned bodies together with their companions (the bodies that belong to them). At most half of `maxBodies` stay
 * pinned, the latest ones, so that there is room for new bodies.
 * @param keys Keys of all bodies, the oldest first.
 * @param maxBodies Maximum number of bodies that are stored.
 */
export function findPinned(
  keys: Iterable<string>,
  pinned: ReadonlySet<string>,
  maxBodies: number,
): ReadonlySet<string> {
  if (pinned.size === 0) return pinned;
  const all = [...keys];
  const latest = all.filter((key) => pinned.has(key));
  const found = new Set(latest.slice(Math.max(0, latest.length - Math.floor(maxBodies / 2))));
  let before: string[] = [];
  for (const key of all) {
    if (key.startsWith(COMPANION)) {
      before.push(key);
      continue;
    }
    if (found.has(key)) for (const companion of before) found.add(companion);
    before = [];
  }
  return found;
}

/** @returns undefined when a rewrite would gain nothing */
export function chooseDropped(
  map: FileMap,
  { maxBodies, freeBytes, arePinnedKept = true }: CompactLimits,
): ReadonlySet<string> | undefined {
  if (map.isForeign) return undefined;
  let counted = [...map.bodies.keys()].filter(isCounted).length;
  // Drops more than necessary, so that not every added body causes the file to be rewritten.
  const kept = counted > maxBodies ? maxBodies - Math.floor(maxBodies / 10) : counted;
  const replaced = Math.max(0, map.seen - map.liveBytes);
  const dropped = new Set<string>();
  const pinned = arePinnedKept ? findPinned(map.bodies.keys(), map.pinned, maxBodies) : new Set<string>();
  let freed = replaced;
  for (const [key, { length }] of map.bodies) {
    if (counted <= kept && freed >= freeBytes) break;
    if (pinned.has(key)) continue;
    dropped.add(key);
    if (isCounted(key)) counted--;
    freed += length;
  }
  for (const [holder, key] of map.held) {
    if (map.bodies.has(holder) && !dropped.has(holder)) dropped.delete(key);
  }
  const hasGone = dropped.size > 0 || map.removedCount > 0;
  const isWorthwhile = hasGone || (freeBytes > 0 && replaced * 10 > map.seen);
  return isWorthwhile ? dropped : undefined;
}

const isCounted = (key: string): boolean => !key.startsWith(COMPANION);
