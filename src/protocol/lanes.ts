// What a lane shows: its conversation entry by entry, and what is under way in it. JSON-safe and redacted.
import type {
  AttemptRecord,
  CallProgress,
  Finding,
  ProviderToolCall,
  RawAssistant,
  RescueReport,
  Role,
  TokenRates,
  TokenUsage,
} from '../types';
import type { ErrorInfo, Verdict } from './view-models';

/** A message as it was sent, or as the document pins it. */
export interface MessageEntry {
  kind: 'message';
  id: string;
  role: Role;
  /** At most 20 000 characters, or 200 when the frame has no room for more; `length` says how long it is. */
  content: string;
  length: number;
  /** Of a pinned assistant message. */
  toolCalls?: ProviderToolCall[] | undefined;
  toolName?: string | undefined;
  isError?: boolean | undefined;
  /** In the document, but not sent to this lane yet. */
  isPending?: boolean | undefined;
}

/** One chat: alone, or as a step of an agent run. */
export interface RunEntry {
  kind: 'run';
  /** The id of the run. */
  id: string;
  /** Present when it is one step of an agent run; 1-based. */
  step?: { agentRunId: string; number: number } | undefined;
  /** On the last step of an agent run: how it came out. */
  ending?: AgentEnding | undefined;
  /** Present when it ended. */
  outcome?: RunOutcome | undefined;
  /**
   * It ended, and its outcome has to be asked for with `entries/read`: it was in an earlier sitting, or the frame had no
   * room for it.
   */
  isStored?: boolean | undefined;
  /** By the index of the call in the reply. */
  results: Record<string, ToolResultView>;
  /** Calls whose result the person is asked for while an agent run waits, by their index. */
  asked?: number[] | undefined;
}
export type LaneEntry = MessageEntry | RunEntry;

export interface ToolResultView {
  content: string;
  /** Of the whole text; `content` is at most 20 000 characters of it. */
  length: number;
  isError: boolean;
  /**
   * `given`: by hand. `mock`: by a mock of the tool. `invoked`: a tool of the editor really ran. `refused`: an error
   * without either of them, and the content says why.
   */
  source: 'given' | 'mock' | 'invoked' | 'refused';
  /** A person changed what a mock or tool had answered. */
  isEdited?: boolean | undefined;
}

/** A text that is shown in part: its place in the outcome, such as `reply.raw.content`, and its whole length. */
export interface CutText {
  path: string;
  length: number;
}

/** The reply and what was made of it. A text is there once. */
export interface ReplyView {
  /** As the server sent it. */
  raw: RawAssistant;
  /** The calls that count: the native ones, or else the rescued ones. */
  toolCalls: ProviderToolCall[];
  /** What enters the conversation; absent when it is `raw.content`. */
  content?: string | undefined;
  rescue?: RescueReport | undefined;
  usage: TokenUsage & { costUsd?: number | undefined };
  /** By the index of a native call: why its arguments are no JSON. */
  parseErrors: Record<string, string>;
  /** By the index of a call: how its arguments break the schema of its tool. */
  schemaIssues: Record<string, { path: string; message: string }[]>;
}

/** What one run came to. */
export interface RunOutcome {
  runId: string;
  connectionId: string;
  connectionLabel: string;
  model: string;
  /** Of the connection, when the run began. */
  limits?: RunLimits | undefined;
  /** Milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  /** From the start of the last attempt to the first piece of the reply; absent when none came. */
  firstTokenMs?: number | undefined;
  /** Absent when neither the server tells it nor the pieces of the reply show it. */
  rates?: TokenRates | undefined;
  verdict: Verdict;
  /** Absent when the run failed or was stopped. */
  reply?: ReplyView | undefined;
  error?: ErrorInfo | undefined;
  /** What had arrived of a reply that never was complete. */
  partial?: LiveReplyView | undefined;
  /** The attempts, of a failed run too. */
  ledger: AttemptRecord[];
  findings: Finding[];
  /** Texts of this outcome that are cut, and can be read with `text/read`. */
  cut: CutText[];
}

export interface RunLimits {
  timeoutMs?: number | undefined;
  connectTimeoutMs: number;
  maxAttempts: number;
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

/** Why an agent run ended, and what it came to as a whole. */
export interface AgentEnding {
  stopReason: 'answer' | 'max-steps' | 'budget' | 'stopped' | 'error' | 'interrupted';
  /** Chats, the one that failed or was stopped included. */
  steps: number;
  /** Calls that were answered, and how many of them with an error: by a mock, or because nothing could answer them. */
  answered: number;
  errors: number;
  /** Calls of all steps that were read from text. */
  rescued: number;
  usage: TokenUsage;
  costUsd?: number | undefined;
  durationMs: number;
  /** More about the reason, such as which limit was reached. Text between backticks is code. */
  detail?: string | undefined;
}

/** What goes on in a lane. */
export interface RunState {
  /** Of the chat that is under way, or is next. */
  runId: string;
  kind: 'chat' | 'agent';
  /**
   * `queued`: others use the origin. `running`: a request is under way. `answering`: tools are, or a person is asked for
   * their results. `paused`: step mode waits for the person.
   */
  phase: 'queued' | 'running' | 'answering' | 'paused';
  /** Milliseconds since the epoch: of the chat, and of the whole agent run. */
  since: number;
  begunAt: number;
  /** Of an agent run; 1-based. */
  step?: number | undefined;
  maxSteps?: number | undefined;
  /** While queued: how many requests may be under way at once to this origin, and how many wait before this one. */
  queue?: { limit: number; ahead: number } | undefined;
  /** Whether it pauses after each step. */
  isStepMode?: boolean | undefined;
}

/** A lane, whole or as far as it changed. */
export interface LaneSnapshot {
  id: string;
  /** One more with each change. */
  version: number;
  /** The version that this adds to; absent when this is all of the lane. */
  since?: number | undefined;
  /** The ids of all entries in their order; absent when it is as it was. */
  order?: string[] | undefined;
  /** Those that are new or changed. */
  entries: LaneEntry[];
  /** What is under way; null when nothing is. */
  run: RunState | null;
}
