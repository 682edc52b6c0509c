// What the panel shows, JSON-safe and redacted: the host makes it, the webview draws it. No secret is ever part of it.
import type { ChatTurn, Finding, JsonSchema, SamplingParams } from '../types';
import type { PlaygroundDocument, ToolMock } from './document';
import type { LaneSnapshot, RunLimits } from './lanes';

export interface ConnectionView {
  id: string;
  label: string;
  /** Which provider class speaks to it: a catalog id, or the name of a class of other people. */
  provider: string;
  /** Display form of where requests go, such as `127.0.0.1:11434`; for the demo `built in`. */
  address: string;
  /** Where the connection is defined. */
  scope: 'built-in' | 'user' | 'workspace' | 'folder' | 'module' | 'extension';
  /** The configured default model, if any. */
  model?: string | undefined;
  needsKey: boolean;
  hasKey: boolean;
  /** Neutral sampling key → this back end's key, or null when it has no word for it. */
  samplingKeys: Record<keyof SamplingParams, string | null>;
  limits: RunLimits;
  /** Whether a request can say which tool is to be called. */
  hasToolChoice: boolean;
  /** Whether costs can be told: it has rates. */
  hasRates: boolean;
  /** What its settings send where a lane sets nothing of its own. */
  sampling?: SamplingParams | undefined;
  /** Its settings turn rescue off, whatever a lane says. */
  isRescueOff?: boolean | undefined;
  /** Set when the connection cannot be used as configured: what is wrong and what to do. */
  problem?: string | undefined;
}

/** A tool of the document, with what stands behind its reference. */
export interface ToolView {
  /** Its place in the document's list. */
  index: number;
  name: string;
  description: string;
  parameters: JsonSchema;
  isOffered: boolean;
  mocks: ToolMock[];
  /** Set when it comes from a library. */
  reference?: string | undefined;
  /** What is wrong with it, in sentences. */
  problems: string[];
}

/** A place in the text of the document, and what is wrong there. */
export interface DocumentProblemView {
  /** 1-based. */
  line: number;
  message: string;
}

export interface DocumentSnapshot {
  version: number;
  kind: 'file' | 'scratch';
  title: string;
  /** The last one that could be read. */
  document: PlaygroundDocument;
  /** The message that is being written: the last one of the document, a user's that no lane was sent; '' when there is none. */
  draft: string;
  tools: ToolView[];
  /** Why the text cannot be read; the document is then the one before, and cannot be changed here. */
  error?: DocumentProblemView | undefined;
  warnings: DocumentProblemView[];
  /** Why it cannot be changed. */
  readOnly?: string | undefined;
  /** Why changes are made and yet are not kept. */
  unkept?: string | undefined;
  /** Whether `document/unlock` lifts the two above. */
  canUnlock?: boolean | undefined;
  /** Places that hold something like a secret: no run starts until they are gone. */
  secrets: string[];
  /** A cleared conversation that can come back. */
  canRestore: boolean;
}

/** What a panel shows beside the document and its lanes. */
export interface EnvironmentSnapshot {
  version: number;
  connections: ConnectionView[];
  /** Such as `this computer` or `the remote machine (ssh-remote)`. */
  requestsLeaveFrom: string;
}

/** The embedding that was asked for last. */
export interface EmbeddingSnapshot {
  version: number;
  /** Set while one is under way. Milliseconds since the epoch. */
  since?: number | undefined;
  /** While it waits for its turn: how many requests may be under way at once to this origin, and how many wait before it. */
  queue?: { limit: number; ahead: number } | undefined;
  /** The beginnings of the texts that were sent. */
  labels: string[];
  outcome?: EmbeddingOutcome | undefined;
}

/** Everything, or what changed: a part that is absent is as it was. Lanes that are gone are not in `laneIds`. */
export interface SessionSnapshot {
  document?: DocumentSnapshot | undefined;
  environment?: EnvironmentSnapshot | undefined;
  laneIds?: string[] | undefined;
  lanes: LaneSnapshot[];
  embedding?: EmbeddingSnapshot | undefined;
}

export interface ModelList {
  models: string[];
  /** Without those whose names say that they only embed; absent when that leaves none, or all. */
  chatModels?: string[] | undefined;
  /** That of the connection, else the first whose name says that it embeds. */
  embedModel?: string | undefined;
  /** How many more the server lists: a list is as long as it likes. Absent when these are all. */
  omitted?: number | undefined;
}

/** A failure as a person reads it. Text between backticks is code. */
export interface ErrorInfo {
  /** A stable code, such as `network` or `http`. */
  code: string;
  title: string;
  /** What happened. */
  what: string;
  /** Why. */
  why: string;
  /** What to do next. */
  next: string;
  /** The chain of causes, outermost first. */
  causes?: string[] | undefined;
}

/** What came back, in one word: the band across the lanes. */
export interface Verdict {
  /** `none`: tools were offered and none was called. `answer`: it answers, and nothing else was asked of it. */
  kind: 'native' | 'rescued' | 'malformed' | 'none' | 'answer' | 'failed' | 'stopped' | 'interrupted';
  /** Such as `1 call, hermes-json`. */
  detail: string;
}

/** One text among those that were embedded. */
export interface VectorView {
  dimension: number;
  /** Euclidean length; `null` when a component is no finite number. */
  norm: number | null;
  /** The first few components. */
  head: number[];
}

/** Texts × vectors, without the vectors themselves. */
export interface EmbeddingOutcome {
  runId: string;
  connectionId: string;
  connectionLabel: string;
  model: string;
  durationMs: number;
  attempts: number;
  /** Present when vectors came. */
  result?:
    | {
        vectors: VectorView[];
        /** Cosine similarity, row by row; `null` where there is none. */
        similarity: (number | null)[][];
        findings: Finding[];
      }
    | undefined;
  /** Present when the server told counts. */
  usage?: ChatTurn['usage'] | undefined;
  /** `aborted` when it was stopped. */
  error?: ErrorInfo | undefined;
}
