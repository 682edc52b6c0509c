// Which bodies the bounds of the history leave alone. Pure.
import { COMPANION } from './record';

/**
 * The pinned ones, of too many the latest, with what belongs to them. Half of what may be kept at most: the rest is for what
 * comes.
 * @param keys Of all bodies, the oldest first.
 * @param maxBodies That may be kept.
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
