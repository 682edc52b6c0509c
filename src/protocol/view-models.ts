// State for the panel, JSON-safe and redacted: made by the host, drawn by the webview. Never contains a secret.
import type { ChatTurn, Finding, JsonSchema, SamplingParams, TokenCost } from '../types';
import type { PlaygroundDocument, ToolMock } from './document/document';
import type { EvaluationSnapshot } from './evaluation';
import type { LaneSnapshot, RunLimits } from './lanes';
import type { ErrorInfo } from './outcome';

export interface ConnectionView {
  id: string;
  label: string;
  /** Provider class of the connection: a catalog id, or the name of a class from a provider module. */
  provider: string;
  /** Where requests go, in display form, such as `127.0.0.1:11434`; `built in` for the demo. */
  address: string;
  /** Where the connection is defined. */
  scope: 'built-in' | 'user' | 'workspace' | 'folder' | 'module' | 'extension';
  /** The configured default model, if any. */
  model?: string | undefined;
  needsKey: boolean;
  hasKey: boolean;
  /** Its key was given in another window, and this one has not read it. */
  isKeyElsewhere?: boolean | undefined;
  /** Neutral sampling key → key of this back end, or null when the back end has none. */
  samplingKeys: Record<keyof SamplingParams, string | null>;
  limits: RunLimits;
  /** Key of the tool choice in requests; null: the protocol has none. */
  toolChoiceKey: string | null;
  /** Whether its server may show the prompt that it renders; absent: it does not. */
  rendersPrompts?: boolean | undefined;
  /** Whether the connection has rates, so that costs can be computed. */
  hasRates: boolean;
  /** Those rates, in USD for 1000 tokens. */
  rates?: TokenCost | undefined;
  /** Whether requests count against a quota of the person's account. */
  usesQuota?: boolean | undefined;
  /** Whether its requests are passed on inside of the editor, so that there is no server to ask. */
  isInEditor?: boolean | undefined;
  /** Sampling of the connection's settings, for what a lane does not set. */
  sampling?: SamplingParams | undefined;
  /** Whether the connection's settings turn rescue off, regardless of the lane. */
  isRescueOff?: boolean | undefined;
  /** Present when the connection cannot be used as configured: what is wrong and what to do. */
  problem?: string | undefined;
}

/** A tool of the document, with its reference resolved. */
export interface ToolView {
  /** Index in the document's list of tools. */
  index: number;
  /** Stays with the tool through every change of the document, as long as the session is open. */
  id: string;
  /** The same for each of its parameters, in the order of the schema. */
  parameterIds: string[];
  /** The same for each of its mocks. */
  mockIds: string[];
  name: string;
  description: string;
  parameters: JsonSchema;
  isOffered: boolean;
  mocks: ToolMock[];
  /** Present when the tool comes from a library. */
  reference?: string | undefined;
  /** What is wrong with the tool, in sentences. */
  problems: string[];
}

/** What the server of one or more lanes refuses in one tool, as far as the server is known. */
export interface ToolCheck {
  toolId: string;
  /** Name of the server, such as `llama-server`. */
  server: string;
  laneIds: string[];
  /** What is refused and where, without the server; text between backticks is code. */
  problems: string[];
  /** Whether only some versions or models of the server refuse it. */
  isPartial: boolean;
  /** Whether there is a form of the tool that is not refused. */
  isReducible: boolean;
}

/** A problem in the text of the document. */
export interface DocumentProblemView {
  /** Starts at 1. */
  line: number;
  message: string;
}

export interface DocumentWarningView extends DocumentProblemView {
  /** Whether it is about the document's tools. */
  isAboutTools?: boolean | undefined;
}

export interface DocumentSnapshot {
  version: number;
  kind: 'file' | 'scratch';
  title: string;
  /** The last valid document. */
  document: PlaygroundDocument;
  /**
   * The message that is being written: the document's last one, if it is a user's and not sent in a lane; '' without one.
   */
  draft: string;
  tools: ToolView[];
  /** Why the text cannot be read. `document` is then the last valid one and cannot be edited here. */
  error?: DocumentProblemView | undefined;
  warnings: DocumentWarningView[];
  /** Why the document cannot be changed; absent when it can. */
  readOnly?: string | undefined;
  /** Why changes are made but not saved; absent when they are saved. */
  notWritten?: string | undefined;
  /** Whether `document/unlock` removes the two restrictions above. */
  canUnlock?: boolean | undefined;
  /** Sentences about places that contain something like a secret. */
  secrets: string[];
  /** Why nothing of the document can be sent, as sentences; absent when it can be. */
  blocker?: string | undefined;
  /** What `conversation/restore` restores: the conversations that were cleared last, or the replies that were replaced. */
  restorable?: 'cleared' | 'replaced' | undefined;
}

/** What a panel shows besides the document and its lanes. */
export interface EnvironmentSnapshot {
  version: number;
  connections: ConnectionView[];
  /** Where requests are sent from, such as `this computer` or `the remote machine (ssh-remote)`. */
  requestsLeaveFrom: string;
}

/** The last embedding. */
export interface EmbeddingSnapshot {
  version: number;
  /** When it began, in milliseconds since the epoch; present while it is in progress. */
  since?: number | undefined;
  /** While queued: the limit of concurrent requests to the origin, and how many wait before this one. */
  queue?: { limit: number; ahead: number } | undefined;
  /** Beginnings of the texts that were sent. */
  labels: string[];
  outcome?: EmbeddingOutcome | undefined;
}

/** The complete state, or a change: an absent part has not changed. Lanes that are missing in `laneIds` were removed. */
export interface SessionSnapshot {
  document?: DocumentSnapshot | undefined;
  environment?: EnvironmentSnapshot | undefined;
  laneIds?: string[] | undefined;
  lanes: LaneSnapshot[];
  embedding?: EmbeddingSnapshot | undefined;
  evaluation?: EvaluationSnapshot | undefined;
}

export interface ModelList {
  models: string[];
  /** Models without those that only embed, judged by name; absent when that leaves none or all. */
  chatModels?: string[] | undefined;
  /** The connection's model; without one, the first model that embeds, judged by name. */
  embedModel?: string | undefined;
  /** How many more models the server lists; absent when these are all. */
  omitted?: number | undefined;
}

/** The vector of one of the embedded texts. */
export interface VectorView {
  dimension: number;
  /** Euclidean length; `null` when a component is not a finite number. */
  norm: number | null;
  /** The first few components. */
  head: number[];
}

/** The outcome of an embedding, without the vectors themselves. */
export interface EmbeddingOutcome {
  runId: string;
  connectionId: string;
  connectionLabel: string;
  model: string;
  durationMs: number;
  attempts: number;
  /** Present when vectors were received. */
  result?:
    | {
        vectors: VectorView[];
        /** Matrix of cosine similarities; `null` where one cannot be computed. */
        similarity: (number | null)[][];
        findings: Finding[];
      }
    | undefined;
  /** Present when the server reported counts. */
  usage?: ChatTurn['usage'] | undefined;
  /** The code is `aborted` when the embedding was stopped. */
  error?: ErrorInfo | undefined;
}
