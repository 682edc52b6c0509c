// Chooses the bodies that the limits of the history do not remove. Pure.
import { COMPANION } from './record';

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
