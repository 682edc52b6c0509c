// Reads the stored runs for the history view: from the index of each playground, cached until something changes.
// Independent of the view.
import type { HistoryStore, StoredRun, StoredSession } from '../../session';
import { storedRuns } from '../../session';

interface KnownRuns {
  /** Changes whenever the files of the session change. */
  stamp: string;
  runs: Promise<readonly StoredRun[]>;
}

export class RunHistory {
  readonly #store: () => Promise<Pick<HistoryStore, 'list' | 'read'>>;
  readonly #known = new Map<string, KnownRuns>();
  #sessions: Promise<StoredSession[]> | undefined;

  constructor(store: () => Promise<Pick<HistoryStore, 'list' | 'read'>>) {
    this.#store = store;
  }

  /** Sessions, most recently changed first. */
  sessions(): Promise<StoredSession[]> {
    this.#sessions ??= this.#store().then((store) => store.list());
    return this.#sessions;
  }

  /** Runs of one playground, latest first. */
  async runs(sessionId: string): Promise<readonly StoredRun[]> {
    const session = (await this.sessions()).find((one) => one.sessionId === sessionId);
    const stamp = session ? `${session.bytes} ${session.modifiedAt}` : '';
    const known = this.#known.get(sessionId);
    if (known?.stamp === stamp) return known.runs;
    const runs = this.#read(sessionId);
    this.#known.set(sessionId, { stamp, runs });
    return runs;
  }

  /** True only if the runs are cached and there are none. */
  async isKnownEmpty(sessionId: string): Promise<boolean> {
    const known = this.#known.get(sessionId);
    return known !== undefined && (await this.runs(sessionId)).length === 0;
  }

  /** Lets the next call look for changes. */
  changed(): void {
    this.#sessions = undefined;
  }

  async #read(sessionId: string): Promise<readonly StoredRun[]> {
    return storedRuns(await (await this.#store()).read(sessionId));
  }
}
