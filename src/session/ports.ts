// What a session needs of the world around it. A front end brings these; a test brings its own. Names neither vscode nor
// the DOM.
import type { Providers, Redactor, RetryPolicy } from '../library';
import type { ConnectionView, DocumentTool, ErrorInfo, ToolChoice } from '../protocol';

/** The time that a session goes by. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds from any start, never going back: for durations. */
  elapsed: () => number;
  /** Calls back once, after the time. @returns what takes it back */
  after: (delayMs: number, callback: () => void) => () => void;
}

/** Where a line about a run goes. Neither a key nor a body ever gets there. */
export interface LogSink {
  info: (message: string) => void;
  warn: (message: string) => void;
  error: (message: string) => void;
}

export interface ConnectionRequest {
  connectionId: string;
  /** '' or absent: the connection's own. */
  model?: string | undefined;
  rescueToolCalls: boolean;
  /** Merged over the connection's own `raw`. */
  raw?: Readonly<Record<string, unknown>> | undefined;
  /** Sent where the connection's view says that there is a word for it. */
  toolChoice?: ToolChoice | undefined;
  onRetry: NonNullable<RetryPolicy['onRetry']>;
}

/** A connection that is ready for one run. */
export interface OpenConnection {
  provider: Providers;
  view: ConnectionView;
  /** The model that is asked. */
  model: string;
  /** Requests to one of these share what may be under way at once; the origin where there is one. */
  gate: string;
  /** For the redaction of whatever the provider leads to. */
  secrets: readonly string[];
}

/** Connections of the settings, the demo, modules and other extensions. */
export interface ConnectionSource {
  views: () => Promise<ConnectionView[]>;
  /** @throws what `explain` puts into words */
  open: (request: ConnectionRequest) => Promise<OpenConnection>;
  /** The same for a model that embeds. @throws as `open` */
  openEmbedder: (request: Omit<ConnectionRequest, 'rescueToolCalls' | 'raw'>) => Promise<OpenConnection>;
  /** What a failure was, for a person; redacted. Never rejects. */
  explain: (error: unknown, connectionId: string | undefined) => Promise<ErrorInfo>;
  /** Of every key that was read. */
  redactor: () => Promise<Redactor | undefined>;
  /** @returns what ends the subscription */
  onDidChange: (listener: () => void) => () => void;
}

/** Tools that a document names by `$ref`, and tools of the editor that can really be run. */
export interface ToolSource {
  /** @returns what is wrong, in one sentence, when there is no such tool */
  resolve: (reference: string) => Promise<DocumentTool | string>;
  /**
   * Asks the person first, showing the arguments.
   * @throws with the reason when it failed; by the name of `CallRefusedError` when it was not run at all
   */
  invoke: (name: string, args: unknown, signal: AbortSignal) => Promise<string>;
  /** @returns what ends the subscription */
  onDidChange: (listener: () => void) => () => void;
}

/** The text of a document: a file's or a scratch's. */
export interface DocumentBacking {
  /** Stable over reloads and renames within a window; what its runs are stored under. */
  readonly id: string;
  /** For the title, such as `weather` of `weather.playground.json`. */
  readonly title: string;
  readonly kind: 'file' | 'scratch';
  read: () => string;
  /** Why it cannot be changed; absent when it can. */
  readonly readOnly: string | undefined;
  /** Why changes are made and yet are not kept. */
  readonly unkept?: string | undefined;
  /** Lifts what is said by the two above; absent where nothing can. */
  readonly unlock?: (() => Promise<void>) | undefined;
  /** Replaces the parts of the text in one undo step. @returns whether it was done. Never rejects */
  apply: (edits: readonly TextEdit[]) => Promise<boolean>;
  /** Fires after every change of the text, whoever made it. @returns what ends the subscription */
  onDidChange: (listener: () => void) => () => void;
}

/** Offsets are UTF-16 code units of the text before all edits of the list. */
export interface TextEdit {
  offset: number;
  length: number;
  text: string;
}

/** One line of a journal: a small JSON object. What is large is a body beside it. */
export type JournalLine = Readonly<Record<string, unknown>>;

/** What happened in one session, in order; only ever added to. */
export interface Journal {
  /** Those that were there when it was opened. */
  readonly lines: readonly JournalLine[];
  /** Redacted before it is written; written within a second. A later body under a key replaces the earlier one. */
  append: (line: JournalLine, body?: { key: string; value: unknown }) => void;
  /** @returns undefined when there is none, or it cannot be read any more */
  readBody: (key: string) => Promise<unknown>;
  /** Resolves when everything so far is on the disk, or cannot be. Never rejects. */
  flush: () => Promise<void>;
  /** The same, and nothing is written afterwards. */
  close: () => Promise<void>;
}

/** Where journals are. */
export interface RunStore {
  /** @param sessionId Any text of at most 1,000 characters. Never rejects: what cannot be read counts as empty. */
  open: (sessionId: string) => Promise<Journal>;
  /** The journal of a session under another name, as when a scratch becomes a file. */
  copy: (fromSessionId: string, toSessionId: string) => Promise<void>;
  remove: (sessionId: string) => Promise<void>;
}
