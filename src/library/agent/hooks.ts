// The hooks of a run. A returned value replaces the original; undefined and null keep it. Hooks may be sync or async.
import type { AgentStep, ToolCall, ToolObservation, ToolResult } from '../../types';
import { checkRecord, checkType } from '../util/check-options';

type HookReply<T> = T | undefined | void | Promise<T | undefined | void>;

/** What a tool, or a hook about a call, receives besides the call itself: the same object in all of them. */
export interface ToolContext {
  /** Aborts when the run ends early; a tool should then stop its own work. */
  readonly signal: AbortSignal;
  /** Id of the call being answered. */
  readonly callId: string;
  /** Index of the call among those that are answered together: a server may send two calls with the same id. */
  readonly index: number;
}

interface EveryHook {
  /** Receives the input text before it enters the conversation. Not called when the input is a conversation. */
  beforePrompt(text: string): HookReply<string>;
  /**
   * Called before a call is checked and run. Returns a new call. If it throws, the call is not run, and the model is told
   * why.
   */
  beforeTool(call: ToolCall, context: ToolContext): HookReply<ToolCall>;
  /** Receives the result of each call. Returns the new text, or `{ output, isError? }`. */
  afterTool(
    observation: ToolObservation,
    context: ToolContext,
  ): HookReply<string | { output: string; isError?: boolean | undefined }>;
  /** Receives the final answer. Not called for the last text of a run that a limit ended. */
  afterResponse(text: string): HookReply<string>;
  /**
   * Receives what made the run fail: an error of a chat or a hook, or of a reply of which nothing arrived. A returned text
   * becomes the output, and the run ends with `stopReason: 'error'` instead of rejecting. Not called for an abort, a budget
   * with mode `throw`, or invalid options.
   */
  onError(error: unknown): HookReply<string>;
  /**
   * Receives the results of the calls that were open in the given conversation, before the first chat. The run waits for it.
   */
  onResume(results: readonly ToolResult[]): unknown;
  /** Receives each finished step. The run waits for it, so a caller can go step by step. */
  onStep(step: AgentStep): unknown;
}

/**
 * Hooks of a run, all optional. In a class with `@Agent` they are methods of the instance. A returned value replaces the
 * original; undefined and null keep it. If a hook throws, the run fails; an exception in `beforeTool` only refuses the call.
 */
export type AgentHooks = { [Name in keyof EveryHook]?: EveryHook[Name] | undefined };

const NAMES = [
  'beforePrompt',
  'beforeTool',
  'afterTool',
  'afterResponse',
  'onError',
  'onResume',
  'onStep',
] as const satisfies readonly (keyof EveryHook)[];

/** @throws InvalidOptionsError for a hook that is neither a function nor absent */
export function checkHooks(hooks: AgentHooks | undefined): void {
  checkRecord('hooks', hooks);
  for (const name of NAMES) checkType(`hooks.${name}`, hooks?.[name] ?? undefined, 'function');
}
