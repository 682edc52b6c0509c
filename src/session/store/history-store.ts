// What the run stores offer to the history view and its commands, beyond what a session needs.
import type { JournalLine, RunStore } from '../ports';

/** Beginning of the ids of what belongs to a session, such as an evaluation; it is not listed by itself. */
const PART = 'part:';
export const partId = (...names: readonly string[]): string => `${PART}${names.join(':')}`;
export const isPart = (sessionId: string): boolean => sessionId.startsWith(PART);

export interface StoredSession {
  sessionId: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

/** What can be read of a session without its bodies. */
export interface StoredLines {
  lines: readonly JournalLine[];
  /** Keys of the bodies that are stored. */
  keys: ReadonlySet<string>;
}

export interface HistoryStore extends RunStore {
  /** The current state, also while the session is open. Does not read bodies that the index covers. Never rejects. */
  read: (sessionId: string) => Promise<StoredLines>;
  /** The most recently changed session first. Never rejects. */
  list: () => Promise<StoredSession[]>;
  /** Removes everything, of open sessions too; what those append afterwards is stored again. @throws when a file remains */
  clear: () => Promise<void>;
}
