// What both run stores offer beyond what a session needs: for the history view and its commands.
import type { RunStore } from '../ports';

export interface StoredSession {
  sessionId: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

export interface HistoryStore extends RunStore {
  /** The last changed first. Never rejects. */
  list: () => Promise<StoredSession[]>;
  /** Leaves nothing, of open sessions too; what they append afterwards is kept again. @throws when something stays */
  clear: () => Promise<void>;
}
