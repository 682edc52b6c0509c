// The lanes of an open playground: those that the document has, and those that were removed from it and are used again when
// that is undone. Independent of the document and of what the lanes do.
import { t } from '@vscode/l10n';
import { Lane } from './lane';
import type { LaneWatcher } from './lane';
import type { Clock, Journal } from '../ports';
import { refuse } from '../refusal';
import type { Item } from './transcript';

/** A lane's run is stopped when the document has not had the lane for this time. */
const GONE_MS = 2_000;

export class Lanes {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #watcher: LaneWatcher;
  readonly #open = new Map<string, Lane>();
  readonly #removed = new Map<string, Lane>();

  /** @param restored Conversations by the id of their lane; none is open until the document is known to have it. */
  constructor(
    restored: ReadonlyMap<string, Item[]>,
    { journal, clock, watcher }: { journal: Journal; clock: Clock; watcher: LaneWatcher },
  ) {
    this.#journal = journal;
    this.#clock = clock;
    this.#watcher = watcher;
    for (const [id, items] of restored) this.#removed.set(id, new Lane(id, items, journal, watcher));
  }

  /** The lanes of the document. */
  get open(): Lane[] {
    return [...this.#open.values()];
  }

  get all(): Lane[] {
    return [...this.#open.values(), ...this.#removed.values()];
  }

  get removedIds(): Iterable<string> {
    return this.#removed.keys();
  }

  find(id: string): Lane | undefined {
    return this.#open.get(id);
  }

  /** Also finds a removed one. */
  findAny(id: string): Lane | undefined {
    return this.#open.get(id) ?? this.#removed.get(id);
  }

  /** @throws RefusalError when the document has no such lane */
  get(id: string): Lane {
    const lane = this.#open.get(id);
    if (lane) return lane;
    throw refuse(t('The lane no longer exists.'), t('Choose another lane.'));
  }

  /** Opens the lanes with these ids and removes all others. To be called when the document has changed. */
  follow(ids: readonly string[]): void {
    for (const id of ids) {
      this.#open.set(id, this.findAny(id) ?? new Lane(id, [], this.#journal, this.#watcher));
      this.#removed.delete(id);
    }
    for (const [id, lane] of this.#open) {
      if (ids.includes(id)) continue;
      this.#removed.set(id, lane);
      this.#open.delete(id);
      // While the text is edited in another editor, a lane may be missing for a moment.
      this.#clock.after(GONE_MS, () => this.stopRemoved(id));
    }
  }

  /** Stops the run of a lane, if it is a removed one. */
  stopRemoved(id: string): void {
    this.#removed.get(id)?.controller?.abort(new Error('the lane is gone'));
  }
}
