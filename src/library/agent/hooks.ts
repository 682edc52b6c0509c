// What a caller may hook into a run. A returned value replaces, undefined keeps; sync or async.
import type { AgentStep, ToolCall, ToolResult } from '../../types';

type Reply<T> = T | undefined | void | Promise<T | undefined | void>;

/** What a tool, and a hook about a call, learns beside the call itself. */
export interface ToolContext {
  /** Aborts when the run ends early: a tool should stop its own work then. */
  readonly signal: AbortSignal;
  /** The id of the call that is answered. */
  readonly callId: string;
}

/** What one call came to. Every call has one: refused, unknown and failed ones too. */
export interface ToolObservation {
  name: string;
  args: unknown;
  /** The text that the model will be told. */
  output: string;
  isError: boolean;
}

interface EveryHook {
  /** The input, before it enters the conversation; not asked about a conversation that is gone on with. */
  beforePrompt(text: string): Reply<string>;
  /** Each call, before it is checked and run. Returns a new call; a throw vetoes this call, and the model is told why. */
  beforeTool(call: ToolCall, context: ToolContext): Reply<ToolCall>;
  /** What a call came to. Returns the new text, or `{ output, isError? }`. */
  afterTool(
    observation: ToolObservation,
    context: ToolContext,
  ): Reply<string | { output: string; isError?: boolean | undefined }>;
  /** The final answer; not the last text of a run that a limit ended. */
  afterResponse(text: string): Reply<string>;
  /**
   * What failed the run: a chat or a hook. Its value becomes the output, and the run ends with `stopReason: 'error'`
   * instead of a rejection. Not asked about an abort, a budget that throws, or bad options.
   */
  onError(error: unknown): Reply<string>;
  /** What the calls came to that the given conversation had left open, before the first chat; waited for. */
  onResume(results: readonly ToolResult[]): unknown;
  /** Each finished step; the run waits for it, so that a caller can go step by step. */
  onStep(step: AgentStep): unknown;
}

/**
 * All optional. On a class that is decorated with `@Agent` they are methods of the instance. A hook that throws fails the
 * run, `beforeTool` aside.
 */
export type AgentHooks = { [Name in keyof EveryHook]?: EveryHook[Name] | undefined };
