// What a run of an agent came to: its steps, what they used, and why it ended.
import type { ChatTurn } from './assistant';
import type { TokenUsage } from './cost';
import type { ProviderToolCall } from './tool';

/** What one tool call came to: what the model was told. */
export interface ToolResult {
  /** The id of the call that it answers. */
  callId: string;
  /** The tool that ran, or was to run: a hook may have changed what the model asked for. */
  name: string;
  args: unknown;
  output: string;
  isError: boolean;
}

/** One chat with the tool calls it asked for. */
export interface AgentStep {
  turn: ChatTurn;
  /** As the model asked for them. */
  calls: ProviderToolCall[];
  /** In the order of the calls; fewer than those when the run was ended while tools were running. */
  results: ToolResult[];
}

/** `error`: the run failed, and the output is what `onError` made of it; or it was aborted. */
export type StopReason = 'answer' | 'budget' | 'max-steps' | 'error';

/** What a run of an agent came to. */
export interface RunReport {
  /** The answer; the last text of the model, perhaps '', when a limit ended the run. */
  output: string;
  /** What the calls came to that the given conversation had left open; absent when there was none. */
  resumed?: ToolResult[] | undefined;
  steps: AgentStep[];
  /** The sum of what the server told; a count that it never told is absent. */
  usage: TokenUsage;
  /** USD; absent when the provider has no rates, or the server never told its counts. */
  costUsd?: number | undefined;
  /** Attempts of all chats, those of a failed chat included. */
  attempts: number;
  stopReason: StopReason;
}
