// Where the calls of a reply are, by their ids: a reply may ask for tens of thousands. Knows no lane.
import type { RunItem } from '../transcript';
import { callsOf } from '../transcript';

interface Places {
  indices: number[];
  /** Those before it have their results, which are never taken back. */
  next: number;
}

export class CallPlaces {
  /** By the record, which stays the same while the results come. */
  readonly #known = new WeakMap<object, Map<string, Places>>();

  /** @returns the first call with this id that has no result: an id may come twice in a reply. */
  findOpen(item: RunItem, callId: string): number | undefined {
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
    return places.indices[places.next];
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
