// The stored runs as the history view needs them: of each playground only what its index leads to, and only once until
// something has changed. Knows no view.
import type { HistoryStore, StoredRun, StoredSession } from '../../session';
import { storedRuns } from '../../session';

interface Known {
  /** Another one, when the files of the session have changed. */
  stamp: string;
  runs: Promise<readonly StoredRun[]>;
}

export class RunHistory {
  readonly #store: () => Promise<Pick<HistoryStore, 'list' | 'read'>>;
  readonly #known = new Map<string, Known>();
  #sessions: Promise<StoredSession[]> | undefined;

  constructor(store: () => Promise<Pick<HistoryStore, 'list' | 'read'>>) {
    this.#store = store;
  }

  /** The last changed first. */
  sessions(): Promise<StoredSession[]> {
    this.#sessions ??= this.#store().then((store) => store.list());
    return this.#sessions;
  }

  /** Of one playground, the latest first. */
  async runs(sessionId: string): Promise<readonly StoredRun[]> {
    const session = (await this.sessions()).find((one) => one.sessionId === sessionId);
    const stamp = session ? `${session.bytes} ${session.modifiedAt}` : '';
    const known = this.#known.get(sessionId);
    if (known?.stamp === stamp) return known.runs;
    const runs = this.#read(sessionId);
    this.#known.set(sessionId, { stamp, runs });
    return runs;
  }

  /** Whether they are known already, and there are none. */
  async isKnownEmpty(sessionId: string): Promise<boolean> {
    const known = this.#known.get(sessionId);
    return known !== undefined && (await this.runs(sessionId)).length === 0;
  }

  /** Looks again for what has changed, when next asked. */
  changed(): void {
    this.#sessions = undefined;
  }

  async #read(sessionId: string): Promise<readonly StoredRun[]> {
    return storedRuns(await (await this.#store()).read(sessionId));
  }
}
