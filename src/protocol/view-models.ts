// What the panel shows, JSON-safe and redacted: the host makes it, the webview draws it. No secret is ever part of it.
import type { AttemptRecord, CallProgress, ChatTurn, JsonSchema, SamplingParams } from '../types';

export interface ConnectionView {
  id: string;
  label: string;
  /** Which provider class speaks to it; a catalog id. */
  provider: string;
  /** Display form of where requests go, such as `127.0.0.1:11434`; for the demo `built in`. */
  address: string;
  /** Where the connection is defined. */
  scope: 'built-in' | 'user' | 'workspace' | 'folder';
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

export type InspectorTab = 'reply' | 'tool-calls' | 'attempts';

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
