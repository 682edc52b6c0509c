// Where connections come from. To add a source, implement this interface and name it in open-connections.ts.
import type { Connection, ConnectionScope } from '../connection';

export interface Source {
  /** The connections as they are now; reads nothing but settings. */
  list: () => readonly Connection[];
  /** A connection that is not listed until a person asks for it. @default none */
  find?: (id: string) => Connection | undefined;
  /** Entries that cannot be a connection. @default none */
  misplaced?: () => readonly MisplacedEntry[];
  /** Looks up what there is now; afterwards `list` includes it. Never rejects. */
  refresh?: () => Promise<void>;
  /** Loads everything anew. @returns whether there is anything to load */
  reload?: () => Promise<boolean>;
  /** Calls back when the list may have changed, except through the settings. @returns a function that ends the subscription */
  onDidChange?: (listener: () => void) => () => void;
  /** Ends everything that it has started. */
  close?: () => Promise<void> | void;
}

/** An entry of the settings that cannot be a connection. */
export interface MisplacedEntry {
  /** Id of the entry, or of the whole setting. */
  id: string;
  scope: ConnectionScope;
  /** One sentence. */
  problem: string;
}
