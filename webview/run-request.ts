// What the next run sends, and what stands in its way. Pure.
import type { RunForm } from '../src/protocol';
import type { Message } from '../src/types';
import { firstSamplingProblem, toSamplingParams } from './sampling-fields';
import type { Entry, PlaygroundState, RunEntry } from './state';
import { callsOf, currentConnection, offeredTools } from './state';

/**
 * The conversation in neutral form. Runs that brought no reply are left out, and so are calls without a result:
 * a server refuses a call that is never answered.
 */
export function toMessages(entries: readonly Entry[]): Message[] {
  return entries.flatMap((entry) =>
    entry.kind === 'user' ? [{ role: 'user' as const, content: entry.content }] : toReplyMessages(entry),
  );
}

/** The names of the calls that the next request leaves out. */
export function unansweredCalls(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'user'
      ? []
      : callsOf(entry).flatMap((call, index) => (entry.results[index] ? [] : [call.name])),
  );
}

/** Whether the conversation ends with something that no reply has answered yet. */
export function awaitsReply(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  if (!last) return false;
  if (last.kind === 'user' || !last.outcome?.turn) return true;
  return isAnswered(last);
}

/** Whether the reply asked for tools and every call has its result. */
export function isAnswered(entry: RunEntry): boolean {
  const calls = callsOf(entry);
  return calls.length > 0 && calls.every((_call, index) => entry.results[index] !== undefined);
}

/** @returns why no run can start, in one sentence; undefined when one can. */
export function runBlocker(state: PlaygroundState): string | undefined {
  return settingsBlocker(state) ?? messageBlocker(state);
}

/** The same without the message box, for a run that needs no new message. */
export function settingsBlocker(state: PlaygroundState): string | undefined {
  if (state.pendingRunId) return 'A run is under way.';
  if (!state.snapshot) return 'The connections are not known yet.';
  const connection = currentConnection(state);
  if (!connection) return 'Choose a connection in the settings of lane 1.';
  if (connection.problem) return connection.problem;
  if (state.lane.model.trim() === '') return 'Choose a model in the settings of lane 1.';
  return firstSamplingProblem(state.lane.sampling);
}

export function toRunForm(state: PlaygroundState, runId: string): RunForm {
  const { lane, systemPrompt, entries } = state;
  return {
    runId,
    connectionId: lane.connectionId,
    model: lane.model.trim(),
    systemPrompt,
    messages: toMessages(entries),
    toolNames: offeredTools(state),
    sampling: toSamplingParams(lane.sampling),
    rescueToolCalls: lane.rescueToolCalls,
  };
}

function messageBlocker({ draft, entries }: PlaygroundState): string | undefined {
  if (draft.trim() !== '' || awaitsReply(entries)) return undefined;
  const last = entries.at(-1);
  const [open] = last ? unansweredCalls([last]) : [];
  return open ? `Give a result of \`${open}\`, or write a message.` : 'Write a message to run.';
}

function toReplyMessages(entry: RunEntry): Message[] {
  const turn = entry.outcome?.turn;
  if (!turn) return [];
  const answered = turn.toolCalls.flatMap((call, index) => {
    const result = entry.results[index];
    return result ? [{ call, result }] : [];
  });
  const { toolCalls: _all, ...spoken } = turn.assistant;
  // field by field: a rescued call also carries where it was found, which is no part of a conversation
  const calls = answered.map(({ call: { id, name, arguments: args, source } }) => ({
    id,
    name,
    arguments: args,
    source,
  }));
  if (spoken.content === '' && calls.length === 0) return [];
  return [
    calls.length > 0 ? { ...spoken, toolCalls: calls } : spoken,
    ...answered.map(({ call, result }): Message => ({
      role: 'tool',
      toolName: call.name,
      toolCallId: call.id,
      ...result,
    })),
  ];
}
