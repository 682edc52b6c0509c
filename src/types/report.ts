// The result of an agent run: its steps, what they used, and why it ended.
import type { ChatTurn } from './assistant';
import type { TokenUsage } from './cost';
import type { ProviderToolCall } from './tool';

/** The result of one call. Every call has one, including refused, unknown and failed calls. */
export interface ToolObservation {
  /** The tool that was run or to be run; a hook may have changed the model's choice. */
  name: string;
  args: unknown;
  /** The text that the model gets. */
  output: string;
  isError: boolean;
}

/** The result of a call among others. */
export interface ToolResult extends ToolObservation {
  /** Id of the call. */
  callId: string;
}

/** One chat, and the results of its tool calls. */
export interface AgentStep {
  turn: ChatTurn;
  /** The calls as the model made them. */
  calls: ProviderToolCall[];
  /** In the order of the calls; fewer when the run ended while tools were running. */
  results: ToolResult[];
}

/** `error`: the run failed, and the output is what `onError` returned; or the run was aborted. */
export type StopReason = 'answer' | 'budget' | 'max-steps' | 'error';

/** The result of an agent run. */
export interface RunReport {
  /** The answer; if a limit ended the run, the last text of the model, which may be ''. */
  output: string;
  /** Results of the calls that were open in the given conversation; absent when there were none. */
  resumed?: ToolResult[] | undefined;
  steps: AgentStep[];
  /** Sums of what the server reported; a count that it never reported is absent. */
  usage: TokenUsage;
  /** In USD; absent when the provider has no rates or the server never reported counts. */
  costUsd?: number | undefined;
  /** Number of attempts of all chats, including those of a failed chat. */
  attempts: number;
  stopReason: StopReason;
}
