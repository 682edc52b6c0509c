// Reads the stored runs and evaluations for the history view: from the index of each playground, cached until something changes.
// Independent of the view.
import type { StoredEvaluation } from '../../protocol';
import type { HistoryStore, StoredRun, StoredSession } from '../../session';
import { storedEvaluations, storedRuns } from '../../session';

/** Both the latest first. */
interface Stored {
  runs: readonly StoredRun[];
  evaluations: readonly StoredEvaluation[];
}

interface KnownSession {
  /** Changes whenever the files of the session change. */
  stamp: string;
  stored: Promise<Stored>;
}

export class RunHistory {
  readonly #store: () => Promise<Pick<HistoryStore, 'list' | 'read'>>;
  readonly #known = new Map<string, KnownSession>();
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
    return (await this.#stored(sessionId)).runs;
  }

  /** Evaluations of one playground, latest first. */
  async evaluations(sessionId: string): Promise<readonly StoredEvaluation[]> {
    return (await this.#stored(sessionId)).evaluations;
  }

  async #stored(sessionId: string): Promise<Stored> {
    const session = (await this.sessions()).find((one) => one.sessionId === sessionId);
    const stamp = session ? `${session.bytes} ${session.modifiedAt}` : '';
    const known = this.#known.get(sessionId);
    if (known?.stamp === stamp) return known.stored;
    const stored = this.#read(sessionId);
    this.#known.set(sessionId, { stamp, stored });
    return stored;
  }

  /** True only if what is stored is cached and there is nothing. */
  async isKnownEmpty(sessionId: string): Promise<boolean> {
    if (!this.#known.has(sessionId)) return false;
    const { runs, evaluations } = await this.#stored(sessionId);
    return runs.length + evaluations.length === 0;
  }

  /** Lets the next call look for changes. */
  changed(): void {
    this.#sessions = undefined;
  }

  async #read(sessionId: string): Promise<Stored> {
    const stored = await (await this.#store()).read(sessionId);
    return { runs: storedRuns(stored), evaluations: storedEvaluations(stored.lines) };
  }
}
