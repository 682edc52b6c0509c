// Interfaces of everything that a session needs from outside. A front end implements them; tests implement their own.
// Independent of vscode and the DOM.
import type { Providers, Redactor, RetryPolicy } from '../library';
import type { ConnectionView, DocumentTool, ErrorInfo } from '../protocol';

/** The clock of a session. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds from an arbitrary start, never decreasing: for durations. */
  elapsed: () => number;
  /** Calls back once after the delay. @returns a function that cancels it */
  after: (delayMs: number, callback: () => void) => () => void;
}

/** Receives log lines about runs. They contain neither keys nor bodies. */
export interface LogSink {
  info: (message: string) => void;
  warn: (message: string) => void;
  error: (message: string) => void;
}

export interface ConnectionRequest {
  connectionId: string;
  /** '' or absent: the model of the connection's settings. */
  model?: string | undefined;
  rescueToolCalls: boolean;
  /** Merged over the `raw` of the connection's settings. */
  raw?: Readonly<Record<string, unknown>> | undefined;
  onRetry: NonNullable<RetryPolicy['onRetry']>;
}

/** A connection that is opened for one run. */
export interface OpenConnection {
  provider: Providers;
  view: ConnectionView;
  /** Name of the model that is used. */
  model: string;
  /** Key of the request gate: connections with the same key share the limit of concurrent requests. The origin, if any. */
  gate: string;
  /** Secrets to redact from everything that comes from the provider. */
  secrets: readonly string[];
}

/** Gives access to the connections of the settings, the demo, modules and other extensions. */
export interface ConnectionSource {
  /** @param named Ids that a playground names: one that is listed only once it is asked for is so now. */
  views: (named?: readonly string[]) => Promise<ConnectionView[]>;
  /** @throws an error that `explain` describes */
  open: (request: ConnectionRequest) => Promise<OpenConnection>;
  /** Like `open`, for an embedding model. @throws as `open` */
  openEmbedder: (request: Omit<ConnectionRequest, 'rescueToolCalls' | 'raw'>) => Promise<OpenConnection>;
  /**
   * Asks the server if its address does not tell.
   * @returns label in the catalog of the server behind a connection; undefined when it is not known. Never rejects
   */
  serverOf: (connectionId: string) => Promise<string | undefined>;
  /** Describes a failure for a person; redacted. Never rejects. */
  explain: (error: unknown, connectionId: string | undefined) => Promise<ErrorInfo>;
  /** Masks every key that has been read so far. */
  redactor: () => Promise<Redactor | undefined>;
  /** @returns a function that ends the subscription */
  onDidChange: (listener: () => void) => () => void;
}

/** Gives access to the tools that a document refers to by `$ref`, and to tools of the editor that can be run. */
export interface ToolSource {
  /** @returns the tool, or one sentence that says what is wrong */
  resolve: (reference: string) => Promise<DocumentTool | string>;
  /**
   * Runs a tool of the editor. Asks the person first and shows the arguments.
   * @throws an error with the reason when the tool failed; one named `CallRefusedError` when it was not run at all
   */
  invoke: (name: string, args: unknown, signal: AbortSignal) => Promise<string>;
  /** @returns a function that ends the subscription */
  onDidChange: (listener: () => void) => () => void;
}

/** Reads the data file that a document names as its rows. */
export interface RowsFile {
  /**
   * @param segments Path from the folder of the document: `..` at most at the beginning.
   * @returns the text; or one sentence that says why there is none. Never rejects
   */
  read: (segments: readonly string[]) => Promise<{ text: string } | string>;
  /** Called when a file that was read has changed. @returns a function that ends the subscription */
  onDidChange: (listener: () => void) => () => void;
}

/** The text of a document, in a file or a scratch. */
export interface DocumentBacking {
  /** Stays the same over reloads and renames within a window. The document's runs are stored under it. */
  readonly id: string;
  /** For the title, such as `weather` for `weather.playground.json`. */
  readonly title: string;
  /** The changes of a file are undone by its editor, those of a scratch by the session. */
  readonly kind: 'file' | 'scratch';
  read: () => string;
  /** Why the text cannot be changed; undefined when it can. */
  readonly readOnly: string | undefined;
  /** Why changes are made but not saved; undefined when they are saved. */
  readonly notWritten?: string | undefined;
  /** Why nothing of it can be evaluated here; undefined when it can. */
  readonly sendsNothing?: string | undefined;
  /** Removes the two restrictions above; absent when that is not possible. */
  readonly unlock?: (() => Promise<void>) | undefined;
  /** Applies the edits in one undo step. @returns whether that succeeded. Never rejects */
  apply: (edits: readonly TextEdit[]) => Promise<boolean>;
  /** Called after every change of the text, whoever made it. @returns a function that ends the subscription */
  onDidChange: (listener: () => void) => () => void;
}

/** `offset` and `length` are UTF-16 code units of the text before all edits of the list. */
export interface TextEdit {
  offset: number;
  length: number;
  text: string;
}

/** One line of a journal: a small JSON object. Large data is stored as a body beside it. */
export type JournalLine = Readonly<Record<string, unknown>>;

/** Append-only record of what happened in one session, in order. */
export interface Journal {
  /** The lines that existed when the journal was opened. */
  readonly lines: readonly JournalLine[];
  /** Redacts and writes within a second. A later body with the same key replaces the earlier one. */
  append: (line: JournalLine, body?: { key: string; value: unknown }) => void;
  /** @returns undefined when there is no such body, or it can no longer be read; `TOO_LARGE` when reading would stall */
  readBody: (key: string) => Promise<unknown>;
  /** Whether another window has the same journal open. Never rejects. */
  isShared: () => Promise<boolean>;
  /** Resolves when all lines so far are on the disk or could not be written. Never rejects. */
  flush: () => Promise<void>;
  /** Flushes. Later lines are not written. */
  close: () => Promise<void>;
}

export interface JournalOptions {
  /** Only its bodies are wanted: no lines are read, and the number of bodies has no limit. @default false */
  isForBodies?: boolean | undefined;
}

/** Stores the journals of sessions. */
export interface RunStore {
  /** @param sessionId Any text of at most 1,000 characters. Never rejects: a journal that cannot be read counts as empty. */
  open: (sessionId: string, options?: JournalOptions) => Promise<Journal>;
  /** Copies the journal of a session to another id, for example when a scratch becomes a file. */
  copy: (fromSessionId: string, toSessionId: string) => Promise<void>;
  remove: (sessionId: string) => Promise<void>;
}
