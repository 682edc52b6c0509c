// The state of a lane for a front end: its conversation as entries, and its run in progress. JSON-safe and redacted.
import type {
  AttemptRecord,
  CallProgress,
  Finding,
  ProviderToolCall,
  RawAssistant,
  RescueReport,
  Role,
  SamplingParams,
  TokenRates,
  TokenUsage,
} from '../types';
import type { DocumentLane } from './document/document';
import type { ErrorInfo, Verdict } from './outcome';

/** A message as it was sent, or as it is pinned in the document. */
export interface MessageEntry {
  kind: 'message';
  id: string;
  role: Role;
  /**
   * The first 20 000 UTF-16 code units at most, or 200 when the frame has no room; `length` is that of the whole text.
   */
  content: string;
  length: number;
  /** Tool calls of a pinned assistant message. */
  toolCalls?: ProviderToolCall[] | undefined;
  toolName?: string | undefined;
  isError?: boolean | undefined;
  /** Whether the message is in the document but not sent in this lane yet. */
  isPending?: boolean | undefined;
}

/** One chat, on its own or as a step of an agent run. */
export interface RunEntry {
  kind: 'run';
  /** Id of the run. */
  id: string;
  /** Present for a step of an agent run. `number` starts at 1. */
  step?: { agentRunId: string; number: number } | undefined;
  /** Outcome of the agent run; present on its last step. */
  ending?: AgentEnding | undefined;
  /** Present when the run has ended, unless `isStored` is set. */
  outcome?: RunOutcome | undefined;
  /**
   * The run has ended and its outcome has to be read with `entries/read`, because it is from an earlier session or did not
   * fit into the frame.
   */
  isStored?: boolean | undefined;
  /** Results by the index of the call in the reply. */
  results: Record<string, ToolResultView>;
  /** Indices of the calls whose results the person is asked for, while an agent run waits. */
  asked?: number[] | undefined;
}
export type LaneEntry = MessageEntry | RunEntry;

export interface ToolResultView {
  content: string;
  /** Length of the whole text in UTF-16 code units; `content` has at most 20 000 of them. */
  length: number;
  isError: boolean;
  /**
   * `given`: set by hand. `mock`: from a mock of the tool. `invoked`: from a tool of the editor that was really run.
   * `refused`: an error because none of those gave a result; the content says why.
   */
  source: 'given' | 'mock' | 'invoked' | 'refused';
  /** Whether a person changed the result of a mock or tool. */
  isEdited?: boolean | undefined;
}

/**
 * A truncated text, list or object: its path in the outcome, such as `reply.raw.content`, and its whole length in UTF-16 code
 * units or members.
 */
export interface CutText {
  path: string;
  length: number;
}

/** The reply and what was read from it. Each text is present only once. */
export interface ReplyView {
  /** The reply as the server sent it. */
  raw: RawAssistant;
  /** The calls that are used: the native ones or, if there are none, the rescued ones. */
  toolCalls: ProviderToolCall[];
  /** The content that enters the conversation; absent when it equals `raw.content`. */
  content?: string | undefined;
  rescue?: RescueReport | undefined;
  usage: TokenUsage & { costUsd?: number | undefined };
  /** Why the arguments of a native call are no JSON, by the index of the call. */
  parseErrors: Record<string, string>;
  /** Where the arguments of a call violate the schema of its tool, by the index of the call. */
  schemaIssues: Record<string, { path: string; message: string }[]>;
}

/** The outcome of one run. */
export interface RunOutcome {
  runId: string;
  connectionId: string;
  connectionLabel: string;
  model: string;
  /** Limits of the connection when the run began. */
  limits?: RunLimits | undefined;
  /** Whether calls were read from the text: the lane and the connection decide together. Absent when it is not known. */
  rescueToolCalls?: boolean | undefined;
  /** Whether the connection had rates to compute costs from; absent when that is not known. */
  hasRates?: boolean | undefined;
  /** Milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  /** Milliseconds from the start of the last attempt to the first piece of the reply; absent when none arrived. */
  firstTokenMs?: number | undefined;
  /** Absent when the server does not report rates and they cannot be measured from the pieces of the reply. */
  rates?: TokenRates | undefined;
  verdict: Verdict;
  /** Absent when the run failed or was stopped. */
  reply?: ReplyView | undefined;
  error?: ErrorInfo | undefined;
  /** What had arrived of an incomplete reply. */
  partial?: LiveReplyView | undefined;
  /** The attempts; also those of a failed run. */
  ledger: AttemptRecord[];
  findings: Finding[];
  /** What is truncated in this outcome; `text/read` returns it whole, lists and objects as JSON. */
  cut: CutText[];
}

export interface RunLimits {
  timeoutMs?: number | undefined;
  /** Absent where nothing is connected to. */
  connectTimeoutMs?: number | undefined;
  maxAttempts: number;
}

export interface RunProgress extends CallProgress {
  runId: string;
  /** Present once a part of the reply has arrived. */
  reply?: LiveReplyView | undefined;
}

/** The part of a reply that has arrived so far, truncated. */
export interface LiveReplyView {
  /** At most the last 20 000 UTF-16 code units. */
  content: string;
  /** At most the last 20 000 UTF-16 code units. */
  reasoning: string;
  /** Native calls in order. `arguments` is the end of the text so far, which is seldom valid JSON yet. */
  toolCalls: { name: string; arguments: string }[];
  /** What is left out: code units before `content` and `reasoning`, and the number of calls after `toolCalls`. */
  omitted: { content: number; reasoning: number; toolCalls: number };
}

/** Why an agent run ended, with totals of the whole run. */
export interface AgentEnding {
  stopReason: 'answer' | 'max-steps' | 'budget' | 'stopped' | 'error' | 'interrupted';
  /** Number of chats, including one that failed or was stopped. */
  steps: number;
  /**
   * Number of calls that got a result; `errors` is how many of those are errors, from a mock or because nothing answered.
   */
  answered: number;
  errors: number;
  /** Number of calls that were read from text: in all steps, and in the reply whose open calls the run answered first. */
  rescued: number;
  usage: TokenUsage;
  costUsd?: number | undefined;
  /** Without the times in which the run waited for the person. */
  durationMs: number;
  /** Details of the reason, such as which limit was reached. Text between backticks is code. */
  detail?: string | undefined;
}

/** A single reply, or chats and tool results in turn until the model answers. */
export type RunKind = 'chat' | 'agent';

/** The run in progress in a lane. */
export interface RunState {
  /** Id of the chat that is running or comes next. */
  runId: string;
  kind: RunKind;
  /**
   * `queued`: waits because other requests use the origin. `running`: a request is in progress. `answering`: tools run, or
   * the person is asked for results. `paused`: waits for the person in step mode.
   */
  phase: 'queued' | 'running' | 'answering' | 'paused';
  /** When this phase began, and when the whole run began, in milliseconds since the epoch. */
  since: number;
  begunAt: number;
  /** Number of the step of an agent run, starting at 1. */
  step?: number | undefined;
  maxSteps?: number | undefined;
  /** While queued: the limit of concurrent requests to the origin, and how many wait before this one. */
  queue?: { limit: number; ahead: number } | undefined;
  /** Whether the run pauses after each step. */
  isStepMode?: boolean | undefined;
}

/** A part of what a run is set to, as far as it may change between two runs. */
export type SetupPart =
  | 'connection'
  | 'model'
  | keyof SamplingParams
  | 'toolChoice'
  | 'raw'
  | 'rescue'
  | 'system'
  | 'tools'
  | 'mocks'
  | 'limits'
  | 'messages';

/** What the last run of a lane was set to. */
export interface SentView {
  /** Absent when it is not known: the run is of an earlier version, or its setup is no longer stored. */
  settings?: SentSettings | undefined;
  /** What a run would be set to differently now. Of a run whose settings are not known: its connection and model only. */
  changed: SetupPart[];
}

export interface SentSettings extends Pick<DocumentLane, 'sampling' | 'rescueToolCalls' | 'toolChoice'> {
  /** Number of raw keys. */
  rawKeys: number;
  /** Present for a step of an agent run: only such a run has limits. */
  limits?: DocumentLane['limits'] | undefined;
  /** Short texts that are equal in two lanes if these parts were; `options` stands for everything that is no sampling. */
  prints: Record<'system' | 'tools' | 'messages' | 'options', string>;
}

/**
 * What *Run* does in a lane without a new message. `send`: sends what is pending. `reply`: requests the reply that is
 * missing. `again`: asks the last question again, because something else would be sent now. `results`: nothing, unless it is
 * an agent run, which answers the open calls. Absent: nothing.
 */
export type NextRun = 'send' | 'reply' | 'again' | 'results';

/** What a run would do in a lane now, and how its last one compares with that. */
export interface LaneStanding {
  /** Absent before the first run. */
  sent?: SentView | undefined;
  next?: NextRun | undefined;
  /** Why nothing can run in the lane, as a sentence; absent when something can, as far as is known. */
  blocker?: string | undefined;
}

/** The state of a lane, complete or as a change. */
export interface LaneSnapshot extends LaneStanding {
  id: string;
  /** Increases with every change. */
  version: number;
  /** The version that this is a change to; absent when this is the complete lane. */
  since?: number | undefined;
  /** Ids of all entries in order; absent when the order has not changed. */
  order?: string[] | undefined;
  /** New and changed entries. */
  entries: LaneEntry[];
  /** null when nothing is in progress. */
  run: RunState | null;
}
