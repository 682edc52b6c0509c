// Finds calls of a reply by their ids in constant time: a reply may have tens of thousands of calls. Two of them may have the
// same id, so each is given out once. Independent of lanes.
import type { RunItem } from '../transcript';
import { callsOf } from '../transcript';

interface Places {
  indices: number[];
  /** Index into `indices`. The calls before it have results or were taken, and results are never removed. */
  next: number;
}

export class CallPlaces {
  /** Keyed by the record, which stays the same object while the results arrive. */
  readonly #known = new WeakMap<object, Map<string, Places>>();

  /**
   * Takes the first call with this id that has no result and was not taken before. @returns undefined when there is none
   */
  take(item: RunItem, callId: string): number | undefined {
    const { record, results } = item;
    if (!record) return undefined;
    let byId = this.#known.get(record);
    if (!byId) {
      byId = toPlaces(item);
      this.#known.set(record, byId);
    }
    const places = byId.get(callId);
    if (!places) return undefined;
    while (places.next < places.indices.length && results.has(places.indices[places.next] ?? 0))
      places.next++;
    return places.indices[places.next++];
  }
}

function toPlaces(item: RunItem): Map<string, Places> {
  const byId = new Map<string, Places>();
  for (const [index, { id }] of callsOf(item).entries()) {
    const places = byId.get(id);
    if (places) places.indices.push(index);
    else byId.set(id, { indices: [index], next: 0 });
  }
  return byId;
}
