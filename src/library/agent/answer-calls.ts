// Answers the tool calls of one turn: the part of a run that an agent's loop repeats after each chat.
import type { ProviderToolCall, ToolResult } from '../../types';
import { checkTools } from '../providers/call/check-call';
import { checkRecord, checkSignal, checkType } from '../util/check-options';
import type { AgentTool } from './execute-tool';
import { executeTool } from './execute-tool';
import type { AgentHooks } from './hooks';
import { checkHooks } from './hooks';

/** What answers the calls, besides the calls themselves. */
export interface AnswerOptions {
  /** Tools that may be called. A call of any other tool gets a result that says so. @default [] */
  tools?: readonly AgentTool[] | undefined;
  /** Only `beforeTool` and `afterTool` are called. @default none */
  hooks?: AgentHooks | undefined;
  /** Ends the wait for all calls at once. The tools receive the abort too. */
  signal?: AbortSignal | undefined;
  /** Receives each result as soon as it is there, with the index of its call. An aborted answer has reported only some. */
  onResult?: ((result: ToolResult, index: number) => void) | undefined;
}

/**
 * Runs all calls of one turn at once. `beforeTool` is called for each of them, in their order, before any tool is run. A call
 * that is unknown, refused, does not fit its schema, or fails has a result too, which tells the model why.
 * @returns the results in the order of the calls
 * @throws the signal's reason when it aborts; what `afterTool` threw; InvalidOptionsError before the first call. The calls that
 * are still running then go on until the signal aborts.
 */
export async function answerCalls(
  calls: readonly ProviderToolCall[],
  options: AnswerOptions = {},
): Promise<ToolResult[]> {
  checkRecord('options', options);
  const { tools = [], hooks = {}, onResult } = options;
  const signal = options.signal ?? new AbortController().signal;
  checkTools(tools);
  checkHooks(hooks);
  checkSignal(signal);
  checkType('onResult', onResult, 'function');
  const answer = async (call: ProviderToolCall, index: number): Promise<ToolResult> => {
    const result = await executeTool(call, { tools, hooks, signal }, index);
    onResult?.(result, index);
    return result;
  };
  return Promise.all(calls.map(answer));
}
