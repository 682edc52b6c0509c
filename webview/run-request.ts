// What the next run sends, and what stands in its way. Pure.
import type { RunForm } from '../src/protocol';
import type { Message } from '../src/types';
import { firstLimitProblem } from './agent-limits';
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

/** The same for a run to the end: the calls that the last reply left open stay, since they are answered first. */
export function toConversation(entries: readonly Entry[]): Message[] {
  const last = entries.at(-1);
  if (last?.kind !== 'run') return toMessages(entries);
  return [...toMessages(entries.slice(0, -1)), ...toReplyMessages(last, 'all calls')];
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

/** Whether a run to the end has something to go on from without a new message. */
export function canGoOn(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  return awaitsReply(entries) || (last?.kind === 'run' && callsOf(last).length > 0);
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

/** The same for a run to the end, which answers the calls that are open. */
export function toEndBlocker(state: PlaygroundState): string | undefined {
  const isIdle = state.draft.trim() === '' && !canGoOn(state.entries);
  return goOnBlocker(state) ?? (isIdle ? 'Write a message to run.' : undefined);
}

/** The same without the message box. */
export function goOnBlocker(state: PlaygroundState): string | undefined {
  return settingsBlocker(state) ?? firstLimitProblem(state.lane.limits);
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

function toReplyMessages(
  entry: RunEntry,
  kept: 'answered calls' | 'all calls' = 'answered calls',
): Message[] {
  const turn = entry.outcome?.turn;
  if (!turn) return [];
  const all = turn.toolCalls.map((call, index) => ({ call, result: entry.results[index] }));
  const asked = kept === 'all calls' ? all : all.filter(({ result }) => result !== undefined);
  const { toolCalls: _all, ...spoken } = turn.assistant;
  // field by field: a rescued call also carries where it was found, which is no part of a conversation
  const calls = asked.map(({ call: { id, name, arguments: args, source, extraContent } }) => ({
    id,
    name,
    arguments: args,
    source,
    ...(extraContent && { extraContent }),
  }));
  if (spoken.content === '' && calls.length === 0) return [];
  return [
    calls.length > 0 ? { ...spoken, toolCalls: calls } : spoken,
    ...asked.flatMap(({ call, result }): Message[] =>
      result
        ? [
            {
              role: 'tool',
              toolName: call.name,
              toolCallId: call.id,
              content: result.content,
              isError: result.isError,
            },
          ]
        : [],
    ),
  ];
}
