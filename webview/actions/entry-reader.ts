// Reads the outcomes that the host has stored when they are needed: in batches, and each one only once. Does not
// touch the DOM.
import { lastRun, runsUpTo } from '../lanes/lane-queries';
import { fillEntries } from '../state/session-state';
import type { PanelPort } from './panel-port';

const BATCH = 50;

export class EntryReader {
  readonly #playground: PanelPort;
  readonly #wanted = new Map<string, Set<string>>();
  readonly #asked = new Set<string>();
  #isScheduled = false;

  constructor(playground: PanelPort) {
    this.#playground = playground;
  }

  /** Requests the outcomes of these entries. Entries that are not stored, or were requested before, are skipped. */
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

  /** Requests what the lane strips show: the last run of each lane, and the runs that led to it. */
  needLatest(): void {
    for (const lane of this.#playground.state.session.lanes.values()) {
      const last = lastRun(lane);
      if (last) this.need(lane.id, [last.id, ...runsUpTo(lane, last).map(({ id }) => id)]);
    }
  }

  /** Forgets all requests: a new session mirror has none of the outcomes that were read for the previous one. */
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
      // A later snapshot may have to leave the outcome out again, so the entry can be requested once more.
      if (entry.kind === 'run' && !entry.isStored) this.#asked.delete(id);
    }
    // A reply holds as many entries as fit into a frame, so the rest is asked for again. After an empty reply the
    // rest does not exist any more.
    if (!entries || entries.length > 0) for (const id of isLeft) this.#asked.delete(id);
    if (!entries) return;
    this.#playground.update((state) => ({
      ...state,
      session: fillEntries(state.session, laneId, entries),
    }));
    if (entries.length > 0) this.need(laneId, [...isLeft]);
  }
}
