// The conversation of one lane as the session has it: whole, in order, and what of it is sent to the model. Knows neither a
// store nor a front end.
import type {
  AgentEnding,
  LaneEntry,
  MessageEntry,
  RunEntry,
  RunOutcome,
  ToolResultView,
  Verdict,
} from '../protocol';
import type { Message, ProviderToolCall } from '../types';
import type { RunRecord } from './run/run-record';
import { boundText, boundValue, MAX_LISTED, TextBudget, toRunOutcome } from './run/run-record';

export interface ToolAnswer {
  content: string;
  isError: boolean;
  source: ToolResultView['source'];
  isEdited?: boolean | undefined;
}

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
  /** Its record is in the store. */
  isStored?: boolean | undefined;
  /** In the store, too: what it came to, in a word. */
  verdict?: Verdict | undefined;
  /** With `asked` the same for every version of the item: a copy for each of thousands of results takes too long. */
  results: Map<number, ToolAnswer>;
  asked: Set<number>;
}
export type Item = MessageItem | RunItem;

export const callsOf = ({ record }: RunItem): ProviderToolCall[] => record?.turn?.toolCalls ?? [];

/** Whether the reply asked for tools and every call has its result. */
export function isAnswered(item: RunItem): boolean {
  const calls = callsOf(item);
  return calls.length > 0 && calls.every((_call, index) => item.results.has(index));
}

/** Whether it ends with a reply that asked for tools, and not every call has its result. */
export function hasOpenCalls(items: readonly Item[]): boolean {
  const last = items.at(-1);
  return last?.kind === 'run' && callsOf(last).length > 0 && !isAnswered(last);
}

/**
 * The conversation in neutral form. Runs that brought no reply are left out, and so are calls without a result: a server
 * refuses a call that is never answered.
 * @param keepsOpenCalls Keeps those of the last reply: an agent answers them first.
 */
export function toMessages(items: readonly Item[], keepsOpenCalls = false): Message[] {
  return items.flatMap((item, index) => {
    if (item.kind === 'message') return [{ ...withAnsweredCalls(item.message, items, index) }];
    return toReplyMessages(item, keepsOpenCalls && index === items.length - 1);
  });
}

/** A pinned message keeps the calls that the pinned results right behind it answer. */
function withAnsweredCalls(message: Message, items: readonly Item[], index: number): Message {
  const { toolCalls, ...rest } = message;
  if (!toolCalls) return message;
  const answered = new Set<string | undefined>();
  for (let at = index + 1; at < items.length; at++) {
    const item = items[at];
    if (item?.kind !== 'message' || item.message.role !== 'tool') break;
    answered.add(item.message.toolCallId);
  }
  const kept = toolCalls.filter(({ id }) => answered.has(id));
  if (kept.length === toolCalls.length) return message;
  return kept.length > 0 ? { ...rest, toolCalls: kept } : rest;
}

function toReplyMessages(item: RunItem, keepsOpenCalls: boolean): Message[] {
  const turn = item.record?.turn;
  if (!turn) return [];
  const all = turn.toolCalls.map((call, index) => ({ call, answer: item.results.get(index) }));
  const kept = keepsOpenCalls ? all : all.filter(({ answer }) => answer !== undefined);
  const { toolCalls: _all, ...spoken } = turn.assistant;
  // field by field: a rescued call also carries where it was found, which is no part of a conversation
  const calls = kept.map(({ call: { id, name, arguments: args, source, extraContent } }) => ({
    id,
    name,
    arguments: args,
    source,
    ...(extraContent && { extraContent }),
  }));
  if (spoken.content === '' && calls.length === 0) return [];
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
 * The calls of the replies since the last message of the user.
 * @param agentRunId Since the one before this agent run: a message between its steps is no new question.
 */
export function callsBefore(items: readonly Item[], agentRunId?: string): { count: number; rescued: number } {
  const isStep = (item: Item): boolean => item.kind === 'run' && item.step?.agentRunId === agentRunId;
  const firstStep = agentRunId === undefined ? -1 : items.findIndex(isStep);
  const before = firstStep < 0 ? items : items.slice(0, firstStep);
  const start = before.findLastIndex((item) => item.kind === 'message' && item.message.role === 'user') + 1;
  const calls = items.slice(start).flatMap((item) => (item.kind === 'run' ? callsOf(item) : []));
  return { count: calls.length, rescued: calls.filter(({ source }) => source === 'rescued').length };
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
        // as many calls as an outcome lists
        .filter(([index]) => index < MAX_LISTED)
        .map(([index, { content, ...rest }]) => [index, { ...boundText(content, budget), ...rest }]),
    ),
    ...(asked.size > 0 && { asked: [...asked] }),
  };
}
