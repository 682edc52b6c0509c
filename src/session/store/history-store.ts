// What both run stores offer beyond what a session needs: for the history view and its commands.
import type { JournalLine, RunStore } from '../ports';

export interface StoredSession {
  sessionId: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

/** What is known of a session without its bodies. */
export interface StoredLines {
  lines: readonly JournalLine[];
  /** Of the bodies that are kept. */
  keys: ReadonlySet<string>;
}

export interface HistoryStore extends RunStore {
  /** As it is now, also while the session is open. Reads no body that the index knows. Never rejects. */
  read: (sessionId: string) => Promise<StoredLines>;
  /** The last changed first. Never rejects. */
  list: () => Promise<StoredSession[]>;
  /** Leaves nothing, of open sessions too; what they append afterwards is kept again. @throws when something stays */
  clear: () => Promise<void>;
}
