// The conversation of one lane, complete and in order, and the messages that are sent to the model. Independent of the store
// and of front ends.
import { isPaused } from '../../library';
import type {
  AgentEnding,
  LaneEntry,
  MessageEntry,
  RunEntry,
  RunOutcome,
  ToolResultView,
  Verdict,
} from '../../protocol';
import type { Message, ProviderToolCall } from '../../types';
import type { RunRecord } from '../run/record/run-record';
import { boundText, boundValue, MAX_LISTED, TextBudget, toRunOutcome } from '../run/record/run-record';

/** A result as it is kept and stored, with its whole text. */
export type ToolAnswer = Omit<ToolResultView, 'length'>;

export interface MessageItem {
  kind: 'message';
  id: string;
  message: Message;
}

export interface RunItem {
  kind: 'run';
  id: string;
  step?: { agentRunId: string; number: number } | undefined;
  ending?: AgentEnding | undefined;
  record?: RunRecord | undefined;
  /** The record is in the store and not loaded. */
  isStored?: boolean | undefined;
  /** Short form of the outcome; also known while the record is not loaded. */
  verdict?: Verdict | undefined;
  /** Like `asked`, shared by all versions of the item: copying it for each of thousands of results would take too long. */
  results: Map<number, ToolAnswer>;
  asked: Set<number>;
}
export type Item = MessageItem | RunItem;

export const callsOf = ({ record }: RunItem): ProviderToolCall[] => record?.turn?.toolCalls ?? [];

/** Whether the reply called tools and every call has a result. */
export function isAnswered(item: RunItem): boolean {
  const calls = callsOf(item);
  return calls.length > 0 && calls.every((_call, index) => item.results.has(index));
}

/** Whether the conversation ends with a reply in which a tool call has no result yet. */
export function hasOpenCalls(items: readonly Item[]): boolean {
  const last = items.at(-1);
  return last?.kind === 'run' && callsOf(last).length > 0 && !isAnswered(last);
}

export const isQuestion = (item: Item): boolean => item.kind === 'message' && item.message.role === 'user';

/**
 * The conversation in provider-neutral form. Leaves out runs without a reply, and calls without a result, because servers
 * reject a call that is not answered.
 * @param keepsOpenCalls Keeps the open calls of the last reply, because an agent answers them first.
 */
export function toMessages(items: readonly Item[], keepsOpenCalls = false): Message[] {
  return items.flatMap((item, index) => {
    if (item.kind === 'message') return [{ ...withAnsweredCalls(item.message, items, index) }];
    return toReplyMessages(item, keepsOpenCalls && index === items.length - 1);
  });
}

/** Withholds replay data that another connection of the lane received. */
export function withOwnReplay(message: Message, connectionId: string): Message {
  const { replay } = message;
  if (!replay || replay.connection === undefined || replay.connection === connectionId) return message;
  return { ...message, replay: { ...replay, isWithheld: true } };
}

/** Leaves out the calls of a pinned message that no pinned result right after it answers. */
function withAnsweredCalls(message: Message, items: readonly Item[], index: number): Message {
  const { toolCalls, ...rest } = message;
  if (!toolCalls) return message;
  const answers = new Map<string | undefined, number>();
  for (let at = index + 1; at < items.length; at++) {
    const item = items[at];
    if (item?.kind !== 'message' || item.message.role !== 'tool') break;
    const { toolCallId } = item.message;
    answers.set(toolCallId, (answers.get(toolCallId) ?? 0) + 1);
  }
  // Each result answers one call, also where several calls have the same id.
  const kept = toolCalls.filter(({ id }) => {
    const left = answers.get(id) ?? 0;
    answers.set(id, left - 1);
    return left > 0;
  });
  if (kept.length === toolCalls.length) return message;
  return kept.length > 0 ? { ...rest, toolCalls: kept } : rest;
}

function toReplyMessages(item: RunItem, keepsOpenCalls: boolean): Message[] {
  const turn = item.record?.turn;
  if (!turn) return [];
  const all = turn.toolCalls.map((call, index) => ({ call, answer: item.results.get(index) }));
  const kept = keepsOpenCalls ? all : all.filter(({ answer }) => answer !== undefined);
  const { toolCalls: _all, ...spoken } = turn.assistant;
  // Field by field: a rescued call also says where it was found, which is not part of a message.
  const calls = kept.map(({ call: { id, name, arguments: args, source, extraContent } }) => ({
    id,
    name,
    arguments: args,
    source,
    ...(extraContent && { extraContent }),
  }));
  // A reply that was paused goes on when it is sent back, whatever it has said so far.
  if (spoken.content === '' && calls.length === 0 && !isPaused({ assistant: spoken, raw: turn.raw }))
    return [];
  const answers = kept.flatMap(({ call, answer }): Message[] =>
    answer
      ? [
          {
            role: 'tool',
            toolName: call.name,
            toolCallId: call.id,
            content: answer.content,
            isError: answer.isError,
          },
        ]
      : [],
  );
  return [calls.length > 0 ? { ...spoken, toolCalls: calls } : spoken, ...answers];
}

/**
 * Counts the calls of the replies since the last user message.
 * @param agentRunId Counts from the user message before this agent run: a message between its steps is no new question.
 */
export function callsBefore(items: readonly Item[], agentRunId?: string): { count: number; rescued: number } {
  const isStep = (item: Item): boolean => item.kind === 'run' && item.step?.agentRunId === agentRunId;
  const firstStep = agentRunId === undefined ? -1 : items.findIndex(isStep);
  const before = firstStep < 0 ? items : items.slice(0, firstStep);
  const start = before.findLastIndex(isQuestion) + 1;
  const calls = items.slice(start).flatMap((item) => (item.kind === 'run' ? callsOf(item) : []));
  return { count: calls.length, rescued: calls.filter(({ source }) => source === 'rescued').length };
}

/** The runs that led to this one: the steps of its agent run before it, or the chats whose calls were given results. */
export function runsBefore(items: readonly Item[], runId: string): RunItem[] {
  const end = items.findLastIndex(({ kind, id }) => kind === 'run' && id === runId);
  const run = items[end];
  if (run?.kind !== 'run') return [];
  const before = items.slice(0, end);
  const { step } = run;
  const isBefore = (item: Item): item is RunItem =>
    item.kind === 'run' && (step ? item.step?.agentRunId === step.agentRunId : item.results.size > 0);
  // A message between the steps of an agent run is no new question.
  return before.slice(step ? 0 : before.findLastIndex(isQuestion) + 1).filter(isBefore);
}

export const toEntry = (item: Item): LaneEntry =>
  item.kind === 'message' ? toMessageEntry(item) : toRunEntry(item);

export function toMessageEntry({ id, message }: Pick<MessageItem, 'id' | 'message'>): MessageEntry {
  const { role, content, toolCalls, toolName, isError } = message;
  return {
    kind: 'message',
    id,
    role,
    ...boundText(content),
    ...(toolCalls && { toolCalls: boundValue(toolCalls) }),
    ...(toolName !== undefined && { toolName }),
    ...(isError !== undefined && { isError }),
  };
}

function toRunEntry({ id, step, ending, record, isStored, results, asked }: RunItem): RunEntry {
  const budget = new TextBudget();
  const outcome: RunOutcome | undefined = record && toRunOutcome(record);
  return {
    kind: 'run',
    id,
    ...(step && { step }),
    ...(ending && { ending }),
    ...(outcome && { outcome }),
    ...(isStored && !record && { isStored }),
    results: Object.fromEntries(
      [...results]
        // the same limit as for the calls of an outcome
        .filter(([index]) => index < MAX_LISTED)
        .map(([index, { content, ...rest }]) => [index, { ...boundText(content, budget), ...rest }]),
    ),
    ...(asked.size > 0 && { asked: [...asked] }),
  };
}
