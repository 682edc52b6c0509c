// Asks for the outcomes that the host has stored, when they are needed: many at once, each one only once. Knows no DOM.
import { lastRun, runsUpTo } from '../lanes/lane-queries';
import type { Playground } from '../playground';
import { fillEntries } from '../session-state';

const BATCH = 50;

export class EntryReader {
  readonly #playground: Playground;
  readonly #wanted = new Map<string, Set<string>>();
  readonly #asked = new Set<string>();
  #isScheduled = false;

  constructor(playground: Playground) {
    this.#playground = playground;
  }

  /** Those that are not stored, or were asked for before, are left alone. */
  need(laneId: string, entryIds: readonly string[]): void {
    const lane = this.#playground.state.session.lanes.get(laneId);
    for (const id of entryIds) {
      const entry = lane?.entries.get(id);
      if (entry?.kind !== 'run' || !entry.isStored || this.#asked.has(id)) continue;
      this.#asked.add(id);
      this.#wanted.set(laneId, (this.#wanted.get(laneId) ?? new Set()).add(id));
    }
    if (this.#wanted.size === 0 || this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#readAll());
  }

  /** What the strips show: the last run of each lane, and those that led to it. */
  needLatest(): void {
    for (const lane of this.#playground.state.session.lanes.values()) {
      const last = lastRun(lane);
      if (last) this.need(lane.id, [last.id, ...runsUpTo(lane, last).map(({ id }) => id)]);
    }
  }

  /** A new mirror knows nothing of what was read for the one before. */
  reset(): void {
    this.#asked.clear();
    this.#wanted.clear();
  }

  #readAll(): void {
    this.#isScheduled = false;
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const [laneId, ids] of wanted) {
      const all = [...ids];
      for (let start = 0; start < all.length; start += BATCH) {
        void this.#read(laneId, all.slice(start, start + BATCH));
      }
    }
  }

  async #read(laneId: string, entryIds: string[]): Promise<void> {
    const entries = await this.#playground.ask('entries/read', { laneId, entryIds });
    const isLeft = new Set(entryIds);
    for (const { id, ...entry } of entries ?? []) {
      isLeft.delete(id);
      // a later frame may have no room for its outcome
      if (entry.kind === 'run' && !entry.isStored) this.#asked.delete(id);
    }
    // an answer has as many as fit into a frame; those of an empty one are gone
    if (!entries || entries.length > 0) for (const id of isLeft) this.#asked.delete(id);
    if (!entries) return;
    this.#playground.update((state) => ({
      ...state,
      session: fillEntries(state.session, laneId, entries),
    }));
    if (entries.length > 0) this.need(laneId, [...isLeft]);
  }
}
