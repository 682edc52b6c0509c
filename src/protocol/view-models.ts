// What the panel shows, JSON-safe and redacted: the host makes it, the webview draws it. No secret is ever part of it.
import type { AttemptRecord, CallProgress, ChatTurn, JsonSchema, SamplingParams, TokenUsage } from '../types';

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
  limits: { timeoutMs?: number | undefined; connectTimeoutMs: number; maxAttempts: number };
  /** Set when the connection cannot be used as configured: what is wrong and what to do. */
  problem?: string | undefined;
}

export interface ToolSampleView {
  name: string;
  description: string;
  parameters: JsonSchema;
  /** JSON text that a result box starts with. */
  mock: string;
}

/** Everything the panel needs to draw itself; sent whole, never as a delta. */
export interface PlaygroundSnapshot {
  connections: ConnectionView[];
  tools: ToolSampleView[];
  /** What a first opening starts with. */
  defaults: { connectionId: string; model: string; message: string; toolNames: string[] };
  /** Such as `this computer` or `the remote machine (ssh-remote)`. */
  requestsLeaveFrom: string;
}

export interface ModelList {
  models: string[];
  /** Without those whose names say that they only embed; absent when that leaves none, or all. */
  chatModels?: string[] | undefined;
  /** The first whose name says that it embeds. */
  embedModel?: string | undefined;
}

export interface Finding {
  severity: 'error' | 'warning' | 'info';
  /** What is so. Text between backticks is code. */
  what: string;
  /** What to do about it, in one sentence. */
  next?: string | undefined;
  /** The inspector tab that shows it. */
  tab?: InspectorTab | undefined;
}

export type InspectorTab = 'reply' | 'tool-calls' | 'rescue' | 'attempts';

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
  /** The text that had arrived before it failed. */
  partial?: string | undefined;
}

/** What came back, in one word: the band across the lanes. */
export interface Verdict {
  kind: 'native' | 'rescued' | 'malformed' | 'none' | 'failed' | 'stopped';
  /** Such as `1 call, hermes-json`. */
  detail: string;
}

export interface RunOutcome {
  runId: string;
  connectionId: string;
  connectionLabel: string;
  model: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  verdict: Verdict;
  /** Absent when the run failed or was stopped. */
  turn?: ChatTurn | undefined;
  error?: ErrorInfo | undefined;
  /** The attempts, of a failed run too. */
  ledger: AttemptRecord[];
  findings: Finding[];
}

export interface RunProgress extends CallProgress {
  runId: string;
  /** Present once a part of the reply is there. */
  reply?: LiveReplyView | undefined;
}

/** A reply that is still being written: all of it so far, bounded. */
export interface LiveReplyView {
  /** The last 20 000 characters at most. */
  content: string;
  /** The same. */
  reasoning: string;
  /** Native calls in their order; `arguments` is the end of their text so far, which is seldom JSON yet. */
  toolCalls: { name: string; arguments: string }[];
  /** What is left out: characters before `content` and `reasoning`, calls after `toolCalls`. */
  omitted: { content: number; reasoning: number; toolCalls: number };
}

/** What one tool call of a run to the end came to. */
export interface CallAnswer {
  callId: string;
  /** What the model was told. */
  content: string;
  /** There was no mock for it, or the call did not fit its tool: the content says why. */
  isError: boolean;
}

/** One finished step of a run to the end: a chat, and the calls that it asked for. */
export interface AgentStepView {
  /** The id of the whole run. */
  agentRunId: string;
  /** 1-based; 0 answers the calls that the conversation had left open, and has no outcome. */
  step: number;
  /** Its `runId` is that of the step, as in the events of its progress. */
  outcome?: RunOutcome | undefined;
  /** In the order of the calls. */
  answers: CallAnswer[];
}

/** Why a run to the end ended, and what it came to as a whole. */
export interface AgentEnding {
  stopReason: 'answer' | 'max-steps' | 'budget' | 'stopped' | 'error';
  /** Chats, the one that failed or was stopped included. */
  steps: number;
  /** Calls that were answered, and how many of them with an error: no such tool, no mock, or arguments that do not fit. */
  answered: number;
  unmatched: number;
  usage: TokenUsage;
  costUsd?: number | undefined;
  durationMs: number;
  /** More about the reason, such as which limit was reached. Text between backticks is code. */
  detail?: string | undefined;
}

export interface AgentOutcome {
  agentRunId: string;
  /** All of them, in order; the last one may have failed or been stopped. */
  steps: AgentStepView[];
  ending: AgentEnding;
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
  connectionLabel: string;
  model: string;
  durationMs: number;
  tries: number;
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
