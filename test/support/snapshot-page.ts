// The state of a page that follows a session: first a complete snapshot, then changes, merged as any front end
// would.
import type { LaneEntry, LaneSnapshot, SessionSnapshot } from '../../src/protocol';

interface PageLane {
  version: number;
  order: readonly string[];
  entries: Map<string, LaneEntry>;
  run: LaneSnapshot['run'];
}

export class SnapshotPage {
  readonly #onProblem: (problem: string) => void;
  readonly #lanes = new Map<string, PageLane>();
  #parts: Omit<SessionSnapshot, 'lanes'> = {};

  constructor(onProblem: (problem: string) => void) {
    this.#onProblem = onProblem;
  }

  apply({ lanes, ...parts }: SessionSnapshot): void {
    this.#parts = { ...this.#parts, ...parts };
    for (const lane of lanes) this.#applyLane(lane);
    const ids = this.#parts.laneIds ?? [];
    for (const id of this.#lanes.keys()) if (!ids.includes(id)) this.#lanes.delete(id);
  }

  /** Everything that the page would draw. */
  content(): unknown {
    const lanes = (this.#parts.laneIds ?? []).map((id) => {
      const lane = this.#lanes.get(id);
      return lane && { id, run: lane.run, entries: lane.order.map((entryId) => lane.entries.get(entryId)) };
    });
    return { ...this.#parts, lanes };
  }

  #applyLane({ id, version, since, order, entries, run }: LaneSnapshot): void {
    const known = since === undefined ? undefined : this.#lanes.get(id);
    if (since !== undefined && known?.version !== since) {
      this.#onProblem(
        `A page was told what changed in lane ${id} since ${since}, and has ${known?.version}.`,
      );
    }
    const all = new Map([...(known?.entries ?? []), ...entries.map((entry) => [entry.id, entry] as const)]);
    const ids = order ?? known?.order ?? [];
    if (ids.some((entryId) => !all.has(entryId))) this.#onProblem(`A page lacks an entry of lane ${id}.`);
    const kept = ids.flatMap((entryId) => {
      const entry = all.get(entryId);
      return entry ? [[entryId, entry] as const] : [];
    });
    this.#lanes.set(id, { version, order: ids, entries: new Map(kept), run });
  }
}
